import type { OpenIdSettings } from '../../../domain/openid-settings.ts';
import type {
  AccessTokenFormat,
  ClientType,
  EpochSeconds,
  RegisteredGrant,
  SigningAlgorithm,
} from '../../../domain/values.ts';
import type { ForbiddenRedirectUri } from '../../../oauth/clients/redirect-uris.ts';
import type { Paging } from '../paging.ts';
import type { FieldErrors, PageContext } from '../page-context.ts';
import type { ExampleClient } from './try-it/examples.ts';

export interface ApplicationLocals {
  /** The `<id>` in the application's URLs. */
  readonly id: string;
  readonly name: string;
  readonly clientId: string;
  readonly clientType: ClientType;
  readonly grants: readonly RegisteredGrant[];
  readonly redirectUris: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly accessTokenFormat: AccessTokenFormat;
  readonly accessTokenAlgorithm: SigningAlgorithm;
  readonly openid: OpenIdLocals;
}

/** What an application's page shows of OpenID Connect. */
export interface OpenIdLocals extends OpenIdSettings {
  /** Whether a setting differs from its default. */
  readonly isSet: boolean;
}

export interface ApplicationListLocals extends PageContext {
  readonly paging: Paging;
  readonly applications: readonly (Pick<ApplicationLocals, 'id' | 'name' | 'clientId' | 'clientType' | 'grants'> & {
    /** When a token was last issued to it, or null. */
    readonly lastUsed: EpochSeconds | null;
  })[];
}

export interface ApplicationFormLocals extends PageContext {
  /** The application to update, or null to register one. */
  readonly application: { readonly id: string; readonly name: string } | null;
  /** See `repeated-forms.ts`. */
  readonly formId: string;
  /** As entered, even if invalid. */
  readonly values: {
    readonly name: string;
    readonly clientType: string;
    readonly grants: readonly string[];
    readonly redirectUris: string;
    readonly allowedOrigins: string;
    readonly accessTokenFormat: string;
    readonly accessTokenAlgorithm: string;
    readonly openid: OpenIdValues;
  };
  /** By the names of the form's fields. */
  readonly errors: FieldErrors;
}

/** The section of the form for OpenID Connect. */
export interface OpenIdValues {
  /** Whether the section is unfolded at first. */
  readonly isOpen: boolean;
  readonly postLogoutRedirectUris: string;
  readonly backchannelLogoutUri: string;
  readonly initiateLoginUri: string;
  readonly idTokenAlgorithm: string;
  /** Empty for unsigned JSON. */
  readonly userinfoAlgorithm: string;
  readonly subjectType: string;
  readonly sectorIdentifierUri: string;
  /** Seconds, or empty. */
  readonly defaultMaxAge: string;
  readonly requirements: readonly ('session' | 'auth-time')[];
}

/** The number of access tokens issued in one hour or on one day. */
export interface ActivityBar {
  readonly from: EpochSeconds;
  readonly tokens: number;
}

export interface ApplicationPageLocals extends PageContext {
  readonly application: ApplicationLocals;
  /** The redirect and post-logout redirect URIs that the current settings do not allow. */
  readonly forbiddenRedirectUris: readonly ForbiddenRedirectUri[];
  /** When a token was last issued to it, or null. */
  readonly lastUsed: EpochSeconds | null;
  /** The previous secret, if it still works after a rotation. */
  readonly oldSecret: { readonly endsAt: EpochSeconds; readonly lastUsed: EpochSeconds | null } | null;
  /** What the example requests need besides the application. */
  readonly tryIt: Pick<ExampleClient, 'issuer' | 'pkce' | 'state' | 'nonce' | 'sampleApi'>;
}

export interface ApplicationDetailLocals extends ApplicationPageLocals {
  /** Oldest first. */
  readonly activity: { readonly hours: readonly ActivityBar[]; readonly days: readonly ActivityBar[] };
  /** Newest first. */
  readonly refusals: readonly {
    readonly requestId: string;
    readonly at: EpochSeconds;
    /** The method and path. */
    readonly request: string;
    /** The OAuth error code, or null. */
    readonly error: string | null;
    /** Whether the sender authenticated as the application, rather than just sending its client id. */
    readonly isProven: boolean;
    readonly rule: string;
    readonly expected: string;
    readonly seen: string;
    readonly advice: string;
  }[];
  /** Logout tokens; null if the application gets none. */
  readonly logouts: {
    readonly pending: number;
    /** Newest first. */
    readonly outcomes: readonly {
      readonly sid: string;
      readonly at: EpochSeconds;
      readonly attempts: number;
      /** In words; null if it was delivered. */
      readonly failure: string | null;
    }[];
  } | null;
}

export interface ApplicationCredentialsLocals extends ApplicationPageLocals {
  /** Null after it was shown once. */
  readonly clientSecret: string | null;
}

export interface ApplicationRotateLocals extends PageContext {
  readonly application: { readonly id: string; readonly name: string };
  /** See `repeated-forms.ts`. */
  readonly formId: string;
  /** The previous secret, which another rotation expires. */
  readonly oldSecret: ApplicationPageLocals['oldSecret'];
}

export interface ApplicationDeleteLocals extends PageContext {
  readonly application: { readonly id: string; readonly name: string };
  /** What the deletion revokes. */
  readonly ends: {
    readonly grants: number;
    readonly users: number;
    /** False if there are more than were counted. */
    readonly isAll: boolean;
    /** An upper bound for active access tokens, or null if unknown. */
    readonly maxTokens: number | null;
  };
}
