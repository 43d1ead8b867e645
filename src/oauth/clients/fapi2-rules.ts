import type { AuthenticationSettings } from '../../domain/client-authentication.ts';
import type { SigningAlgorithm } from '../../domain/values.ts';
import { DEFAULT_OPENID } from '../../domain/openid-settings.ts';
import { DEFAULT_SECURITY, FAPI2_ALGORITHMS } from '../../domain/security-settings.ts';
import type { AuthenticationFields } from './authentication-rules.ts';
import type { OpenIdFields } from './openid-rules.ts';
import { usableAlgorithms, type SecurityFields } from './security-rules.ts';
import type { MessageKey } from '../../language/catalog.ts';
import { joinTexts, message, type Message, type MessageValues, type Text } from '../../language/message.ts';

/** The part of a registration that the FAPI 2.0 Security Profile restricts. */
interface RestrictedFields {
  readonly clientType: string;
  readonly grantTypes: readonly string[];
  readonly redirectUris: readonly string[];
  readonly accessTokenAlgorithm?: string | undefined;
  readonly openid?: OpenIdFields | undefined;
  readonly security?: SecurityFields | undefined;
  readonly authentication?: AuthenticationFields | undefined;
}

/** The client authentication methods that the profile allows. */
export const FAPI2_METHODS: readonly string[] = ['private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth'];
const DEFAULT_ALGORITHM: SigningAlgorithm = 'PS256';

/** Adds the profile's defaults for the settings that a registration omits. */
export function withFapi2Defaults<Fields extends RestrictedFields>(fields: Fields): Fields {
  const { security = {}, openid = {}, authentication: { methods } = { methods: [] } } = fields;
  const bindsTokensToCertificate =
    security.tlsBoundAccessTokens ??
    (security.dpopBoundAccessTokens !== true &&
      methods.length > 0 &&
      methods.every((method) => method.includes('tls')));
  return {
    ...fields,
    accessTokenAlgorithm: fields.accessTokenAlgorithm ?? DEFAULT_ALGORITHM,
    openid: { ...openid, idTokenAlgorithm: openid.idTokenAlgorithm ?? DEFAULT_ALGORITHM },
    security: {
      authorizationResponseAlgorithm: DEFAULT_ALGORITHM,
      introspectionAlgorithm: DEFAULT_ALGORITHM,
      requirePushedAuthorizationRequests: true,
      dpopBoundAccessTokens: !bindsTokensToCertificate,
      tlsBoundAccessTokens: bindsTokensToCertificate,
      ...security,
    },
  };
}

/** Removes settings that equal the general defaults, so that `withFapi2Defaults` can set the profile's defaults. */
export function withoutDefaults<Fields extends RestrictedFields>(fields: Fields): Fields {
  const { accessTokenAlgorithm, openid = {}, security = {} } = fields;
  return {
    ...fields,
    accessTokenAlgorithm: accessTokenAlgorithm === 'RS256' ? undefined : accessTokenAlgorithm,
    openid: differingFields(openid, DEFAULT_OPENID),
    security: differingFields(security, DEFAULT_SECURITY),
  };
}

function differingFields<Fields extends object>(fields: Fields, defaults: object): Fields {
  const defaultValues = new Map(Object.entries(defaults));
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => defaultValues.get(name) !== value),
  ) as Fields;
}

/**
 * Returns, for each field that violates the profile, a message that cites the violated clause.
 * @param authentication undefined if it is invalid
 */
export function fapi2Problems(
  fields: RestrictedFields,
  authentication: AuthenticationSettings | undefined,
): Readonly<Record<string, Text | undefined>> {
  const { clientType, grantTypes, redirectUris, accessTokenAlgorithm, openid, security } = fields;
  return {
    clientType: clientType === 'confidential' ? undefined : clauseMessage('fapi2.confidential', '5.3.2.1'),
    grantTypes: grantTypes.includes('password') ? clauseMessage('fapi2.password', '5.3.2.1') : undefined,
    redirectUris: redirectUrisProblem(redirectUris),
    authentication: authentication && authenticationProblem(authentication),
    dpopBoundAccessTokens:
      security?.dpopBoundAccessTokens === true || security?.tlsBoundAccessTokens === true
        ? undefined
        : clauseMessage('fapi2.bound-tokens', '5.3.2.1'),
    requirePushedAuthorizationRequests:
      security?.requirePushedAuthorizationRequests === false ? clauseMessage('fapi2.pushed', '5.3.2.2') : undefined,
    requestObjectAlgorithm: algorithmProblem(security?.requestObjectAlgorithm),
    authorizationResponseAlgorithm: algorithmProblem(security?.authorizationResponseAlgorithm),
    introspectionAlgorithm: algorithmProblem(security?.introspectionAlgorithm),
    idTokenAlgorithm: algorithmProblem(openid?.idTokenAlgorithm),
    userinfoAlgorithm: algorithmProblem(openid?.userinfoAlgorithm),
    // Checked for opaque tokens as well, because a resource server may require JWTs.
    accessTokenAlgorithm: algorithmProblem(accessTokenAlgorithm),
  };
}

function redirectUrisProblem(uris: readonly string[]): Text | undefined {
  const insecureUris = uris.filter((uri) => !/^https:/i.test(uri));
  return insecureUris.length === 0
    ? undefined
    : clauseMessage('fapi2.https', '5.3.2.2', { uris: insecureUris.join(', ') });
}

function authenticationProblem({ methods, keys }: AuthenticationSettings): Text | undefined {
  const forbiddenMethods = methods.filter((method) => !FAPI2_METHODS.includes(method));
  const weakKeys = keys.filter(
    (key) => !usableAlgorithms(key).some((algorithm) => FAPI2_ALGORITHMS.includes(algorithm)),
  );
  const problems = [
    forbiddenMethods.length === 0
      ? undefined
      : clauseMessage('fapi2.methods', '5.3.2.1', { methods: joinTexts(forbiddenMethods, 'problem.either') ?? '' }),
    weakKeys.length === 0
      ? undefined
      : clauseMessage('fapi2.keys', '5.4.1', { keys: weakKeys.map(({ keyId }) => keyId).join(', ') }),
  ].filter((problem) => problem !== undefined);
  return joinTexts(problems, 'problem.sentences');
}

function algorithmProblem(algorithm: string | null | undefined): Text | undefined {
  return algorithm === 'RS256'
    ? clauseMessage('fapi2.algorithm', '5.4.1', { choices: FAPI2_ALGORITHMS.join(', ') })
    : undefined;
}

function clauseMessage(key: MessageKey & `fapi2.${string}`, clause: string, values: MessageValues = {}): Message {
  return message(key, { clause, ...values });
}
