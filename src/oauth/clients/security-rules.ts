import { algorithmsOf, type AuthenticationSettings, type ClientKey } from '../../domain/client-authentication.ts';
import { MAX_LENGTH } from '../../domain/lengths.ts';
import { DEFAULT_SECURITY, SECURITY_PROFILES, type SecuritySettings } from '../../domain/security-settings.ts';
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from '../../domain/values.ts';
import { uriFormProblem } from './redirect-uris.ts';
import { uriListProblem } from './uri-lists.ts';
import { message, type Message, type Text } from '../../language/message.ts';

/** A client's security settings as entered, not yet validated. Omitted members get the values of `DEFAULT_SECURITY`. */
export interface SecurityFields {
  readonly profile?: string | null;
  readonly dpopBoundAccessTokens?: boolean;
  readonly tlsBoundAccessTokens?: boolean;
  readonly requirePushedAuthorizationRequests?: boolean;
  readonly requireSignedRequestObject?: boolean;
  readonly requestObjectAlgorithm?: string | null;
  readonly requestUris?: readonly string[];
  readonly authorizationResponseAlgorithm?: string;
  readonly introspectionAlgorithm?: string;
}

/** The problem with each member; undefined if the member is valid. */
export type SecurityProblems = { readonly [Member in keyof SecuritySettings]?: Text | undefined };

/**
 * Returns the problem with each invalid member, and the validated settings if all members are valid.
 * @param authentication undefined if it is invalid
 */
export function checkSecurity(
  fields: SecurityFields,
  authentication: AuthenticationSettings | undefined,
): { readonly settings: SecuritySettings | undefined; readonly problems: SecurityProblems } {
  const mergedFields = { ...DEFAULT_SECURITY, ...fields };
  const profile = mergedFields.profile === null ? null : findName(SECURITY_PROFILES, mergedFields.profile);
  const requestObjectAlgorithm =
    mergedFields.requestObjectAlgorithm === null
      ? null
      : findName(SIGNING_ALGORITHMS, mergedFields.requestObjectAlgorithm);
  const authorizationResponseAlgorithm = findName(SIGNING_ALGORITHMS, mergedFields.authorizationResponseAlgorithm);
  const introspectionAlgorithm = findName(SIGNING_ALGORITHMS, mergedFields.introspectionAlgorithm);
  const requestUris = [...new Set(mergedFields.requestUris)];
  const keyProblem = (problem: Message): Message | undefined =>
    authentication === undefined || hasKeys(authentication) ? undefined : problem;
  const choices = SIGNING_ALGORITHMS.join(', ');
  const problems: SecurityProblems = {
    profile: profile === undefined ? message('client.profile', { choices: SECURITY_PROFILES.join(', ') }) : undefined,
    tlsBoundAccessTokens:
      mergedFields.dpopBoundAccessTokens && mergedFields.tlsBoundAccessTokens
        ? message('client.two-bindings')
        : undefined,
    requireSignedRequestObject: mergedFields.requireSignedRequestObject
      ? keyProblem(message('client.signed-requests-key'))
      : undefined,
    requestObjectAlgorithm:
      requestObjectAlgorithm === undefined
        ? message('client.request-algorithm', { choices })
        : keyAlgorithmProblem(requestObjectAlgorithm, authentication),
    requestUris:
      uriListProblem(requestUris, 'request', requestUriProblem) ??
      (requestUris.length > 0 ? keyProblem(message('client.request-objects-key')) : undefined),
    authorizationResponseAlgorithm:
      authorizationResponseAlgorithm === undefined ? message('client.response-algorithm', { choices }) : undefined,
    introspectionAlgorithm:
      introspectionAlgorithm === undefined ? message('client.introspection-algorithm', { choices }) : undefined,
  };
  const hasUnknownName =
    profile === undefined ||
    requestObjectAlgorithm === undefined ||
    authorizationResponseAlgorithm === undefined ||
    introspectionAlgorithm === undefined;
  const isInvalid = hasUnknownName || Object.values(problems).some((problem) => problem !== undefined);
  const settings = isInvalid
    ? undefined
    : {
        ...mergedFields,
        profile,
        requestObjectAlgorithm,
        requestUris,
        authorizationResponseAlgorithm,
        introspectionAlgorithm,
      };
  return { settings, problems };
}

/** Returns the algorithms that a client's key can be used with. */
export function usableAlgorithms({ algorithm, publicKey }: ClientKey): readonly SigningAlgorithm[] {
  return algorithm === null ? algorithmsOf(publicKey) : [algorithm];
}

function hasKeys({ keys, keysUri }: AuthenticationSettings): boolean {
  return keysUri !== null || keys.length > 0;
}

function keyAlgorithmProblem(
  algorithm: SigningAlgorithm | null,
  authentication: AuthenticationSettings | undefined,
): Message | undefined {
  if (algorithm === null || authentication === undefined || authentication.keysUri !== null) return undefined;
  const isSupported = authentication.keys.some((key) => usableAlgorithms(key).includes(algorithm));
  return isSupported ? undefined : message('client.key-algorithm', { algorithm });
}

/**
 * Returns the problem with the URL of a request object, or undefined if it is valid. The object is fetched over TLS
 * (RFC 9101 §5.2).
 */
function requestUriProblem(uri: string): Message | undefined {
  const isHttps = () => new URL(uri).protocol === 'https:';
  const problem = uriFormProblem(uri) ?? (isHttps() ? undefined : message('uri.https'));
  if (problem === undefined) return undefined;
  return uri.length > MAX_LENGTH.redirectUri
    ? message('uri.request', { problem })
    : message('uri.named', { what: 'request', uri, problem });
}

function findName<Name extends string>(names: readonly Name[], input: string): Name | undefined {
  return names.find((name) => name === input);
}
