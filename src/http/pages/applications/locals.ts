import type { PeriodCounts } from '../../../domain/recent-counts.ts';
import type { RefusalLocals } from '../refusals/refusal-locals.ts';
import type { OpenIdSettings } from '../../../domain/openid-settings.ts';
import type {
  AccessTokenFormat,
  ClientMode,
  ClientType,
  EpochSeconds,
  MemberRole,
  RegisteredGrant,
  SigningAlgorithm,
} from '../../../domain/values.ts';
import type { ForbiddenRedirectUri } from '../../../oauth/clients/redirect-uris.ts';
import type { Text } from '../../../language/message.ts';
import type { ListPageLocals } from '../lists/list-locals.ts';
import type { FieldErrors, PageContext } from '../page-context.ts';
import type { ApplicationFormLocals, ApplicationKindFormLocals, AuthenticationValues } from './form-locals.ts';
import type { ApplicationHeading, SecretUse } from './application-heading.ts';
import type { EndpointLocals } from './endpoints.ts';
import type { ProtectionLocals } from './protection-locals.ts';
import type { ExampleClient } from './try-it/example.ts';
import type { ExampleLanguage } from './try-it/languages.ts';

export interface ApplicationLocals extends SecretUse {
  /** The `<id>` in the application's URLs. */
  readonly id: string;
  readonly name: string;
  readonly mode: ClientMode;
  readonly isDisabled: boolean;
  readonly clientId: string;
  readonly clientType: ClientType;
  readonly grants: readonly RegisteredGrant[];
  readonly redirectUris: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly accessTokenFormat: AccessTokenFormat;
  readonly accessTokenAlgorithm: SigningAlgorithm;
  /** The types of authorization details that the application may request; null if it may request all. */
  readonly detailTypes: readonly string[] | null;
  readonly protection: ProtectionLocals;
  readonly openid: OpenIdLocals;
}

/** The OpenID Connect section of an application's page. */
export interface OpenIdLocals extends OpenIdSettings {
  /** Whether a setting differs from its default. */
  readonly differsFromDefault: boolean;
}

export interface ApplicationListLocals extends ListPageLocals {
  readonly applications: readonly (Pick<
    ApplicationLocals,
    'id' | 'name' | 'mode' | 'isDisabled' | 'clientId' | 'clientType' | 'grants'
  > & {
    readonly registeredAt: number;
    /** The time when the latest token was issued to the application; null if none was issued. */
    readonly lastUsed: EpochSeconds | null;
  })[];
}

/** The previous secret, which remains valid for a while after a rotation. */
export interface OldSecret {
  readonly expiresAt: EpochSeconds;
  readonly lastUsed: EpochSeconds | null;
}

export interface ApplicationOverviewLocals extends PageContext {
  readonly application: ApplicationLocals;
  /** The redirect and post-logout redirect URIs that the current settings do not allow. */
  readonly forbiddenRedirectUris: readonly ForbiddenRedirectUri[];
  /** The time when the latest token was issued to the application; null if none was issued. */
  readonly lastUsed: EpochSeconds | null;
  readonly oldSecret: OldSecret | null;
  readonly endpoints: readonly EndpointLocals[];
  /** The number of access tokens issued to the application, per period. */
  readonly activity: PeriodCounts;
}

/** The values that the example requests are built from. */
export interface TryItLocals {
  readonly application: ApplicationLocals;
  readonly forbiddenRedirectUris: readonly ForbiddenRedirectUri[];
  /** The values that the example requests need in addition to the application. */
  readonly tryIt: Pick<
    ExampleClient,
    'issuer' | 'pkce' | 'state' | 'nonce' | 'sampleApi' | 'requirements' | 'mtlsBase'
  > & {
    /** The server's time, because the browser's clock may be inaccurate. */
    readonly now: EpochSeconds;
    /** The algorithm for signing with an RSA key of the application. */
    readonly rsaAlgorithm: 'RS256' | 'PS256';
    /** The reason why requests with a certificate cannot work on this server; null if they can work. */
    readonly certificateProblem: Text | null;
  };
  /** The user name of the logged-in user, for trying the password grant. */
  readonly username: string;
  readonly language: ExampleLanguage;
  /** The redirect URI of the built-in callback page, and whether it is registered and allowed. */
  readonly builtinCallback: { readonly uri: string; readonly isUsable: boolean };
}

export interface ApplicationTryLocals extends PageContext, TryItLocals {}

export interface ApplicationCallbackLocals extends PageContext, TryItLocals {
  /** The received authorization response; null if the owner opened the page without a response. */
  readonly response:
    | ((
        | { readonly kind: 'code'; readonly code: string }
        | { readonly kind: 'error'; readonly error: string | null }
      ) & {
        /** Whether the response came in a JWT (JARM). */
        readonly isSigned: boolean;
      })
    | null;
}

export interface ApplicationRefusalsLocals extends PageContext {
  readonly application: ApplicationHeading;
  /** The request id to search for; empty to show the newest refusals. */
  readonly query: string;
  /** Newest first. */
  readonly refusals: readonly RefusalLocals[];
  /** The deliveries of logout tokens; null if the list would be empty and no back-channel logout URI is registered. */
  readonly logouts: {
    readonly pending: number;
    /** Newest first. */
    readonly outcomes: readonly {
      readonly sid: string;
      readonly at: EpochSeconds;
      readonly attempts: number;
      /** The description of the failure; null if the token was delivered. */
      readonly failure: Text | null;
    }[];
  } | null;
}

/** An owner or a test user. */
export interface MemberLocals {
  /** The `<pk>` in the user's URLs. */
  readonly id: number;
  readonly username: string;
  readonly since: EpochSeconds;
  readonly isYou: boolean;
  /** Whether the account is enabled. */
  readonly isActive: boolean;
}

export interface ApplicationPeopleLocals extends PageContext {
  readonly application: ApplicationHeading;
  readonly owners: readonly MemberLocals[];
  readonly testUsers: readonly MemberLocals[];
  /** Whether the server sends e-mails. */
  readonly sendsMail: boolean;
  readonly errors: FieldErrors;
  readonly withdrawalFormIds: Readonly<Record<MemberRole, string>>;
  /** The number of currently valid authorizations, and of the users who granted them. */
  readonly authorizations: {
    readonly grants: number;
    readonly users: number;
    /** False if the numbers are only lower bounds. */
    readonly isExact: boolean;
  };
}

export interface ApplicationInvitationLocals extends PageContext {
  readonly application: ApplicationHeading;
  /** The invitation link; null if the page has already been shown, or was opened too late. */
  readonly url: string | null;
}

/** A public key of an application. */
export interface ClientKeyLocals {
  readonly thumbprint: string;
  readonly kid: string | null;
  readonly kind: string;
  /** The algorithms that the key can be used with. */
  readonly algorithm: Text;
  readonly lastUsed: EpochSeconds | null;
}

export interface ApplicationKeysLocals extends PageContext {
  /** Whether the page is part of the administration. */
  readonly isAdministration: boolean;
  /** The path of the application's page. */
  readonly path: string;
  readonly application: ApplicationHeading & { readonly clientType: ClientType };
  readonly formId: string;
  readonly methods: AuthenticationValues['methods'];
  readonly chosen: readonly string[];
  /** The subject of the application's certificates. */
  readonly tls: AuthenticationValues['tls'];
  /** The URL where the application publishes its keys; null if they are registered on this server. */
  readonly keysUri: string | null;
  readonly keys: readonly ClientKeyLocals[];
  /** The pasted keys that were refused; may be empty. */
  readonly enteredKeys: string;
  /** The initial content of the URL field: the refused URL, or `keysUri` if no URL was refused; may be empty. */
  readonly enteredUri: string;
  readonly errors: FieldErrors;
}

/** A page that asks for confirmation of a change. */
export interface ApplicationConfirmLocals extends PageContext {
  readonly trail: readonly { readonly href: string; readonly text: Text }[];
  readonly title: Text;
  readonly text: readonly Text[];
  readonly button: Text;
  readonly action: string;
  readonly back: string;
  readonly hidden?: Readonly<Record<string, string>>;
}

/** The page that an invitation link opens. */
export interface InvitationLocals extends PageContext {
  readonly application: { readonly name: string; readonly mode: ClientMode };
  readonly role: MemberRole;
  /** The user name of the owner who created the link. */
  readonly inviter: string;
  readonly expiresAt: EpochSeconds;
  /** The sealed invitation in the link. */
  readonly invitation: string;
}

export interface ApplicationCredentialsLocals extends PageContext {
  readonly application: ApplicationLocals;
  readonly oldSecret: OldSecret | null;
  /** The `.env` file to download, which contains the secret if the page shows it. */
  readonly envFile: { readonly name: string; readonly text: string };
  /** The new secret; null if the page has already been shown, or was opened too late. */
  readonly clientSecret: string | null;
}

export interface ApplicationRotateLocals extends PageContext {
  readonly application: ApplicationHeading & Pick<SecretUse, 'hasSecret'>;
  /** See `resubmission-guard.ts`. */
  readonly formId: string;
  /** The previous secret, which the next rotation invalidates. */
  readonly oldSecret: OldSecret | null;
}

export interface ApplicationDeleteLocals extends PageContext {
  readonly application: ApplicationHeading;
  /** The grants and tokens that the deletion revokes. */
  readonly revokedAccess: {
    readonly grants: number;
    readonly users: number;
    /** False if the numbers are only lower bounds. */
    readonly isExact: boolean;
    /** An upper bound on the number of access tokens issued within the current token lifetime, or null if unknown. */
    readonly maxTokens: number | null;
  };
  /** Whether the owner has to type the application's name, because users depend on the application. */
  readonly asksForName: boolean;
  readonly errors: FieldErrors;
}

/** The pages for application owners and for the users they invite. */
export interface ApplicationPages {
  applicationList(locals: ApplicationListLocals): string;
  applicationKindForm(locals: ApplicationKindFormLocals): string;
  applicationForm(locals: ApplicationFormLocals): string;
  applicationOverview(locals: ApplicationOverviewLocals): string;
  applicationTry(locals: ApplicationTryLocals): string;
  applicationCallback(locals: ApplicationCallbackLocals): string;
  applicationCallbackForOthers(locals: PageContext): string;
  applicationRefusals(locals: ApplicationRefusalsLocals): string;
  applicationPeople(locals: ApplicationPeopleLocals): string;
  applicationInvitation(locals: ApplicationInvitationLocals): string;
  applicationKeys(locals: ApplicationKeysLocals): string;
  applicationConfirm(locals: ApplicationConfirmLocals): string;
  invitation(locals: InvitationLocals): string;
  applicationCredentials(locals: ApplicationCredentialsLocals): string;
  applicationRotate(locals: ApplicationRotateLocals): string;
  applicationDelete(locals: ApplicationDeleteLocals): string;
}
