import { isScopeToken } from '../../domain/scope.ts';
import type { ClientSettings } from '../../domain/client.ts';
import { MAX_LENGTH } from '../../domain/lengths.ts';
import {
  ACCESS_TOKEN_FORMATS,
  APPLICATION_TYPES,
  CLIENT_TYPES,
  REGISTERED_GRANTS,
  RESTRICTED_SCOPES,
  SIGNING_ALGORITHMS,
  type ClientMode,
} from '../../domain/values.ts';
import { applicationNameProblem } from './application-name.ts';
import { checkOpenId, type OpenIdFields, type OpenIdProblems } from './openid-rules.ts';
import { checkPresentation, type PresentationFields, type PresentationProblems } from './presentation-rules.ts';
import { checkAuthentication, type AuthenticationFields } from './authentication-rules.ts';
import { fapi2Problems, withFapi2Defaults } from './fapi2-rules.ts';
import { checkSecurity, type SecurityFields, type SecurityProblems } from './security-rules.ts';
import { redirectUriProblem, alreadyCheckedUris, type ClientUris, type RedirectUriSettings } from './redirect-uris.ts';
import { uriListProblem } from './uri-lists.ts';
import { isUrl } from '../../platform/urls.ts';
import { joinTexts, message, type Message, type Text } from '../../language/message.ts';

/** Limits the size of the events that record a client's settings, which contain all its detail types. */
const MAX_DETAIL_TYPES = 20;

/** A client's registration as entered, not yet validated. */
export interface RegistrationFields {
  readonly name: string;
  readonly clientType: string;
  /** The `application_type` of OpenID Connect; none by default. */
  readonly applicationType?: string | undefined;
  /** The types of authorization details that the client may request; all by default. */
  readonly detailTypes?: readonly string[] | null | undefined;
  readonly grantTypes: readonly string[];
  readonly redirectUris: readonly string[];
  /**
   * Whether the URI of the built-in callback page is a redirect URI. `Registration` adds this URI, because it contains
   * the client id.
   */
  readonly builtinCallback?: boolean | undefined;
  readonly allowedOrigins: readonly string[];
  readonly skipAuthorization: boolean;
  /** The scopes that only administrators and the operator may grant; none by default. */
  readonly restrictedScopes?: readonly string[] | undefined;
  /** Opaque by default. */
  readonly accessTokenFormat?: string | undefined;
  /**
   * By default RS256, which every resource server can verify (RFC 9068 §4), or PS256 with the FAPI 2.0 Security
   * Profile.
   */
  readonly accessTokenAlgorithm?: string | undefined;
  /** Missing members get the values of `DEFAULT_OPENID`, or those of the security profile. */
  readonly openid?: OpenIdFields | undefined;
  /** Empty by default, so that users see only the name. */
  readonly presentation?: PresentationFields | undefined;
  /** Live by default. */
  readonly mode?: ClientMode | undefined;
  readonly secondFactorRequired?: boolean | undefined;
  /** By default, a secret for a confidential client, and no authentication for a public one. */
  readonly authentication?: AuthenticationFields | undefined;
  /** Missing members get the values of `DEFAULT_SECURITY`, or those of the security profile. */
  readonly security?: SecurityFields | undefined;
}

type Problems = {
  readonly [Field in Exclude<keyof RegistrationFields, 'openid' | 'presentation' | 'security'>]?: Text | undefined;
} & OpenIdProblems &
  PresentationProblems &
  SecurityProblems;
/** The problem with each invalid field. */
export type RegistrationErrors = { readonly [Field in keyof Problems]?: Text };

/**
 * Returns the validated settings, or the problem with each invalid field.
 * @param existing URIs that the client already has, which are not checked again
 */
export function validateRegistration(
  enteredFields: RegistrationFields,
  settings: RedirectUriSettings,
  existing: ClientUris = alreadyCheckedUris(undefined, enteredFields),
): ClientSettings | { readonly errors: RegistrationErrors } {
  const hasProfile = (enteredFields.security?.profile ?? null) !== null;
  const fields = hasProfile ? withFapi2Defaults(enteredFields) : enteredFields;
  const name = fields.name.trim();
  const clientType = CLIENT_TYPES.find((type) => type === fields.clientType);
  const applicationType = APPLICATION_TYPES.find((type) => type === fields.applicationType);
  const grantTypes = REGISTERED_GRANTS.filter((grant) => fields.grantTypes.includes(grant));
  const redirectUris = [...new Set(fields.redirectUris)];
  const allowedOrigins = [...new Set(fields.allowedOrigins)];
  const restrictedScopes = RESTRICTED_SCOPES.filter((scope) => fields.restrictedScopes?.includes(scope));
  const accessTokenFormat = ACCESS_TOKEN_FORMATS.find((format) => format === (fields.accessTokenFormat ?? 'opaque'));
  const accessTokenAlgorithm = SIGNING_ALGORITHMS.find(
    (algorithm) => algorithm === (fields.accessTokenAlgorithm ?? 'RS256'),
  );
  const openid = checkOpenId(fields.openid ?? {}, {
    clientType: clientType ?? 'confidential',
    redirectUris,
    settings,
    existing: existing.openid,
  });
  const { presentation, problems: presentationProblems } = checkPresentation(fields.presentation ?? {});
  const authentication = checkAuthentication(fields.authentication, clientType ?? 'confidential');
  const authenticationSettings = 'problem' in authentication ? undefined : authentication.settings;
  const security = checkSecurity(fields.security ?? {}, authenticationSettings);
  const problems: Problems = {
    name: applicationNameProblem(fields.name),
    clientType: clientType === undefined ? chooseOneMessage(CLIENT_TYPES) : undefined,
    applicationType:
      fields.applicationType !== undefined && applicationType === undefined
        ? chooseOneMessage(APPLICATION_TYPES)
        : undefined,
    detailTypes: detailTypesProblem(fields.detailTypes ?? []),
    grantTypes: grantTypesProblem(fields, grantTypes.length),
    redirectUris: redirectUrisProblem(redirectUris, fields, settings, existing.redirectUris),
    allowedOrigins: allowedOriginsProblem(allowedOrigins),
    accessTokenFormat: accessTokenFormat === undefined ? chooseOneMessage(ACCESS_TOKEN_FORMATS) : undefined,
    accessTokenAlgorithm: accessTokenAlgorithm === undefined ? chooseOneMessage(SIGNING_ALGORITHMS) : undefined,
    authentication: 'problem' in authentication ? authentication.problem : undefined,
    ...openid.problems,
    ...presentationProblems,
    ...security.problems,
  };
  const errors = joinFieldProblems(
    problems,
    hasProfile ? fapi2Problems({ ...fields, redirectUris }, authenticationSettings) : {},
  );
  if (clientType === undefined || accessTokenFormat === undefined || accessTokenAlgorithm === undefined)
    return { errors };
  if (openid.settings === undefined || security.settings === undefined || authenticationSettings === undefined)
    return { errors };
  if (Object.keys(errors).length > 0) return { errors };
  return {
    name,
    clientType,
    grantTypes,
    redirectUris,
    allowedOrigins,
    skipAuthorization: fields.skipAuthorization,
    restrictedScopes,
    accessTokenFormat,
    accessTokenAlgorithm,
    openid: openid.settings,
    presentation,
    mode: fields.mode ?? 'live',
    secondFactorRequired: fields.secondFactorRequired ?? false,
    authentication: authenticationSettings,
    security: security.settings,
    ...(applicationType !== undefined && { applicationType }),
    ...(fields.detailTypes && { detailTypes: [...new Set(fields.detailTypes)] }),
  };
}

/**
 * Returns the problem with the types, or undefined if they are valid. They need not be declared yet: a resource server
 * can declare them later.
 */
function detailTypesProblem(types: readonly string[]): Text | undefined {
  if (types.length > MAX_DETAIL_TYPES) return message('client.many-detail-types', { limit: MAX_DETAIL_TYPES });
  return types.every((type) => isScopeToken(type) && type.length <= MAX_LENGTH.detailType)
    ? undefined
    : message('client.detail-type', { limit: MAX_LENGTH.detailType });
}

function chooseOneMessage(choices: readonly string[]): Message {
  return message('client.choose-one', { choices: choices.join(', ') });
}

/** Joins the problems with each field. Problems with the security profile come last. */
function joinFieldProblems(
  problems: Problems,
  profileProblems: Readonly<Record<string, Text | undefined>>,
): RegistrationErrors {
  const fields = new Set([...Object.keys(problems), ...Object.keys(profileProblems)]) as ReadonlySet<keyof Problems>;
  const entries = [...fields].map((field) => {
    const fieldProblems = [problems[field], profileProblems[field]].filter((problem) => problem !== undefined);
    return [field, joinTexts(fieldProblems, 'problem.sentences')] as const;
  });
  return Object.fromEntries(entries.filter(([, problem]) => problem !== undefined)) as RegistrationErrors;
}

function grantTypesProblem({ grantTypes, clientType }: RegistrationFields, validCount: number): Text | undefined {
  if (validCount === 0 || validCount !== new Set(grantTypes).size)
    return message('client.choose-some', { choices: REGISTERED_GRANTS.join(', ') });
  if (clientType !== 'public') return undefined;
  if (grantTypes.includes('client-credentials')) return message('client.public-client-credentials');
  if (grantTypes.includes('token-exchange')) return message('client.public-token-exchange');
  return grantTypes.includes('jwt-bearer') ? message('client.public-jwt-bearer') : undefined;
}

function redirectUrisProblem(
  uris: readonly string[],
  fields: RegistrationFields,
  settings: RedirectUriSettings,
  existing: readonly string[],
): Text | undefined {
  if (uris.length === 0) {
    return fields.grantTypes.includes('authorization-code') ? message('client.redirect-uri-needed') : undefined;
  }
  const clientType = fields.clientType === 'public' ? 'public' : 'confidential';
  return uriListProblem(uris, 'redirect', (uri) => {
    const problem = existing.includes(uri) ? undefined : redirectUriProblem(uri, clientType, settings);
    return problem === undefined ? undefined : message('uri.of-list', { uri, problem });
  });
}

function allowedOriginsProblem(origins: readonly string[]): Text | undefined {
  return uriListProblem(origins, 'origin', (origin) =>
    isOrigin(origin) ? undefined : message('client.origin', { origin }),
  );
}

/**
 * Reports whether `text` is the origin of a website as browsers send it (RFC 6454 §6.2).
 *
 * Length and syntax are checked first, because `URL` takes quadratic time for a long internationalized host name.
 */
function isOrigin(text: string): boolean {
  if (text.length > MAX_LENGTH.origin || !/^https?:\/\/[\x21-\x7e]+$/.test(text)) return false;
  return isUrl(text) && new URL(text).origin === text;
}
