import type { Presentation } from '../../../domain/presentation.ts';
import type { Text } from '../../../language/message.ts';
import type { FieldErrors, PageContext } from '../page-context.ts';
import type { ApplicationHeading, SecretUse } from './application-heading.ts';
import type { TlsSubjectValues } from './authentication-fields.ts';

export interface ApplicationFormLocals extends PageContext {
  /** The kind of application that determines the initial values; null on the form that updates an application. */
  readonly kind: string | null;
  /** The application to update; null on the form that registers an application. */
  readonly application: (ApplicationHeading & SecretUse & { readonly logoUrl: string | null }) | null;
  /** The fields that only administrators see; null on the form for owners. */
  readonly administration: {
    /** The user name of a new application's owner; empty if the application has no owner or already exists. */
    readonly owner: string;
    /** Suggested user names for the owner. */
    readonly userNames: readonly string[];
    readonly skipAuthorization: boolean;
    readonly restrictedScopes: readonly string[];
    /** All restricted scopes. */
    readonly scopes: readonly { readonly name: string; readonly description: Text }[];
  } | null;
  /** See `resubmission-guard.ts`. */
  readonly formId: string;
  /** The values as entered, even if invalid. */
  readonly values: {
    readonly name: string;
    readonly clientType: string;
    readonly grants: readonly string[];
    readonly redirectUris: string;
    readonly builtinCallback: boolean;
    readonly allowedOrigins: string;
    readonly accessTokenFormat: string;
    readonly accessTokenAlgorithm: string;
    readonly secondFactor: 'required' | 'optional';
    readonly detailTypeLimit: 'all' | 'listed';
    readonly detailTypes: string;
    readonly openid: OpenIdValues;
    readonly security: SecurityValues;
    /** Null for an existing application, which has a separate page for its authentication. */
    readonly authentication: AuthenticationValues | null;
    readonly presentation: PresentationValues;
  };
  /** The errors, keyed by form field. */
  readonly errors: FieldErrors;
}

/** The form that asks only for the kind of application and the fields that the kind does not determine. */
export interface ApplicationKindFormLocals extends PageContext {
  readonly formId: string;
  readonly values: {
    readonly kind: string;
    readonly name: string;
    readonly redirectUris: string;
    readonly builtinCallback: boolean;
    readonly presentation: PresentationValues;
  };
  readonly errors: FieldErrors;
}

/** The presentation section of the forms. An empty string means that the field is not set. */
export interface PresentationValues extends Readonly<Record<keyof Presentation, string>> {
  /** Whether the section is open initially. */
  readonly isOpen: boolean;
}

/** The authentication section of the form for a new application. */
export interface AuthenticationValues {
  readonly methods: readonly { readonly value: string; readonly title: Text; readonly help: Text }[];
  readonly chosen: readonly string[];
  readonly tls: TlsSubjectValues;
  /** The keys as pasted. */
  readonly keys: string;
}

/** The security section of the form, which covers token and message protection. */
export interface SecurityValues {
  /** Whether the section is open initially. */
  readonly isOpen: boolean;
  /** Whether the signature subsection is open initially. */
  readonly isSignatureSectionOpen: boolean;
  /** Empty if no security profile is chosen. */
  readonly profile: string;
  readonly binding: '' | 'dpop' | 'certificate';
  readonly requirements: readonly ('pushed' | 'signed')[];
  /** Empty if every algorithm is accepted. */
  readonly requestObjectAlgorithm: string;
  readonly requestUris: string;
  readonly authorizationResponseAlgorithm: string;
  readonly introspectionAlgorithm: string;
}

/** The OpenID Connect section of the form. */
export interface OpenIdValues {
  /** Whether the section is open initially. */
  readonly isOpen: boolean;
  /** Whether the subsection for user ids and signatures is open initially. */
  readonly isIdSectionOpen: boolean;
  readonly postLogoutRedirectUris: string;
  readonly backchannelLogoutUri: string;
  readonly initiateLoginUri: string;
  readonly idTokenAlgorithm: string;
  /** Empty for unsigned JSON. */
  readonly userinfoAlgorithm: string;
  readonly subjectType: string;
  readonly sectorIdentifierUri: string;
  /** In seconds; empty if not set. */
  readonly defaultMaxAge: string;
  readonly requirements: readonly ('session' | 'auth-time')[];
}
