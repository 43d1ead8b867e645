import type { AccessTokenFormat, ClientType, EpochSeconds, RegisteredGrant } from '../../../domain/values.ts';
import type { ForbiddenRedirectUri } from '../../../oauth/clients/redirect-uris.ts';
import type { Paging } from '../paging.ts';
import type { FieldErrors, PageContext } from '../render.ts';
import type { ExampleClient } from './try-it/examples.ts';

export interface ApplicationLocals {
  /** The `<id>` of the application's addresses. */
  readonly id: string;
  readonly name: string;
  readonly clientId: string;
  readonly clientType: ClientType;
  readonly grants: readonly RegisteredGrant[];
  readonly redirectUris: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly accessTokenFormat: AccessTokenFormat;
}

export interface ApplicationListLocals extends PageContext {
  readonly paging: Paging;
  readonly applications: readonly (Pick<ApplicationLocals, 'id' | 'name' | 'clientId' | 'clientType' | 'grants'> & {
    /** When it last got a token; null when it never did. */
    readonly lastUsed: EpochSeconds | null;
  })[];
}

export interface ApplicationFormLocals extends PageContext {
  /** The application to update; null to register one. */
  readonly application: { readonly id: string; readonly name: string } | null;
  /** Of `repeated-forms.ts`. */
  readonly formId: string;
  /** As entered, right or wrong. */
  readonly values: {
    readonly name: string;
    readonly clientType: string;
    readonly grants: readonly string[];
    readonly redirectUris: string;
    readonly allowedOrigins: string;
    readonly accessTokenFormat: string;
  };
  /** By form field: `name`, `client_type`, `authorization_grant_type`, `redirect_uris`, `allowed_origins`, `access_token_format`. */
  readonly errors: FieldErrors;
}

/** Access tokens in one hour or on one day. */
export interface ActivityBar {
  readonly from: EpochSeconds;
  readonly tokens: number;
}

export interface ApplicationPageLocals extends PageContext {
  readonly application: ApplicationLocals;
  /** Its redirect URIs that cannot be used under the settings in force. */
  readonly forbiddenRedirectUris: readonly ForbiddenRedirectUri[];
  /** When it last got a token; null when it never did. */
  readonly lastUsed: EpochSeconds | null;
  /** The secret that a rotation replaced and that still works; null when there is none. */
  readonly oldSecret: { readonly endsAt: EpochSeconds; readonly lastUsed: EpochSeconds | null } | null;
  /** What the examples to paste are made of, besides the application. */
  readonly tryIt: Pick<ExampleClient, 'issuer' | 'pkce' | 'state' | 'sampleApi'>;
}

export interface ApplicationDetailLocals extends ApplicationPageLocals {
  /** Oldest first. */
  readonly activity: { readonly hours: readonly ActivityBar[]; readonly days: readonly ActivityBar[] };
  /** Newest first. */
  readonly refusals: readonly {
    readonly requestId: string;
    readonly at: EpochSeconds;
    /** Its method and path. */
    readonly request: string;
    /** In the protocol's words; null where there is none. */
    readonly error: string | null;
    /** False where somebody only named the application. */
    readonly isProven: boolean;
    readonly rule: string;
    readonly expected: string;
    readonly seen: string;
    readonly advice: string;
  }[];
}

export interface ApplicationCredentialsLocals extends ApplicationPageLocals {
  /** Null once it was shown: nothing can show it again. */
  readonly clientSecret: string | null;
}

export interface ApplicationRotateLocals extends PageContext {
  readonly application: { readonly id: string; readonly name: string };
  /** Of `repeated-forms.ts`. */
  readonly formId: string;
  /** The rotation before this one, whose old secret this one ends. */
  readonly oldSecret: ApplicationPageLocals['oldSecret'];
}

export interface ApplicationDeleteLocals extends PageContext {
  readonly application: { readonly id: string; readonly name: string };
  /** What ends with it. */
  readonly ends: {
    readonly grants: number;
    readonly users: number;
    /** False where there are more than were counted. */
    readonly isAll: boolean;
    /** No more access tokens than these are alive; null where nobody counted. */
    readonly tokensAtMost: number | null;
  };
}
