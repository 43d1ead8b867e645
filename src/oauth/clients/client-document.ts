import type { ClientSettings } from '../../domain/client.ts';
import { outgoingUrlProblem, type OutgoingUrlSettings } from '../../platform/egress/outgoing-url.ts';
import type { AuthenticationFields } from './authentication-rules.ts';
import { PRIVATE_MEMBERS, readClientKeys } from './client-keys.ts';
import { isLoopback, redirectUriProblem, uriFormProblem, type RedirectUriSettings } from './redirect-uris.ts';
import { validateRegistration, type RegistrationErrors } from './registration-rules.ts';
import { isUrl } from '../../platform/urls.ts';
import { joinTexts, message, type Message, type Text } from '../../language/message.ts';

export type DocumentSettings = RedirectUriSettings & OutgoingUrlSettings;

interface DocumentProblem {
  /**
   * In English, the end of a sentence that starts with "The document"; in other languages, a whole sentence. Ends
   * without a period, unless it contains the problems with fields: see `hasFieldProblems` in `client-documents.ts`.
   */
  readonly problem: Message;
}

const MAX_REDIRECT_URIS = 30;
/** A document must not contain a secret, because anyone can read it. */
const SECRET_MEMBERS = ['client_secret', 'client_secret_expires_at'];
const AUTHENTICATION_METHODS = ['none', 'private_key_jwt'];

/** Reports whether a client id is a web URL, and thus the URL of a metadata document. */
export function isDocumentUrl(clientId: string): boolean {
  return /^https?:\/\//i.test(clientId);
}

/** URLs in use are shorter. The length is limited, because each event about the client contains its URL. */
const MAX_URL_LENGTH = 512;

/**
 * Returns the problem with a client id that is the URL of a document, as the end of a sentence that starts with the id,
 * or undefined if it is valid. URLs are compared character by character, so only one spelling of each is accepted.
 */
export function documentUrlProblem(clientId: string, settings: OutgoingUrlSettings): Message | undefined {
  if (clientId.length > MAX_URL_LENGTH) return message('url.long', { limit: MAX_URL_LENGTH });
  const problem = outgoingUrlProblem(clientId, settings);
  if (problem !== undefined) return problem;
  const url = new URL(clientId);
  if (url.protocol === 'http:' && !isLoopback(clientId)) return message('url.https');
  // DNS resolves a name with a trailing dot to the same host.
  return url.href === clientId && !url.hostname.endsWith('.') ? undefined : message('url.normal-form');
}

/** Returns the name to show. It always contains the host, because anyone can choose any name. */
function documentClientName(chosenName: string | undefined, clientId: string): string {
  const { host } = new URL(clientId);
  return chosenName === undefined ? host : `${chosenName} (${host})`;
}

/** Returns the settings of the client that the document at `clientId` describes, or the problem with the document. */
export async function readClientDocument(
  document: unknown,
  clientId: string,
  settings: DocumentSettings,
): Promise<{ readonly settings: ClientSettings } | DocumentProblem> {
  if (!isObject(document)) return { problem: message('client-document.not-object') };
  if (document['client_id'] !== clientId) return { problem: message('client-document.other-id') };
  const secretMember = SECRET_MEMBERS.find((member) => member in document);
  if (secretMember !== undefined) return { problem: message('client-document.secret', { member: secretMember }) };
  const authentication = await readAuthentication(document, settings);
  if ('problem' in authentication) return authentication;
  const clientType = authentication.fields === undefined ? 'public' : 'confidential';
  const redirects = readRedirectUris(document, clientId, clientType, settings);
  if ('problem' in redirects) return redirects;
  const flowProblem = codeFlowProblem(document);
  if (flowProblem !== undefined) return { problem: flowProblem };
  const { redirectUris } = redirects;
  const { origin } = new URL(clientId);
  const result = validateRegistration(
    {
      name: documentClientName(readText(document, 'client_name')?.trim(), clientId),
      clientType,
      applicationType: isNative(document, redirectUris) ? 'native' : 'web',
      grantTypes: ['authorization-code'],
      redirectUris,
      allowedOrigins: originsOf(redirectUris, origin),
      skipAuthorization: false,
      presentation: {
        homepageUri: readOwnLink(document, 'client_uri', origin),
        policyUri: readOwnLink(document, 'policy_uri', origin),
        tosUri: readOwnLink(document, 'tos_uri', origin),
      },
      authentication: authentication.fields,
      security: { dpopBoundAccessTokens: document['dpop_bound_access_tokens'] === true },
    },
    settings,
  );
  if (!('errors' in result)) return { settings: result };
  return { problem: message('client-document.unusable', { problems: joinProblems(result.errors) }) };
}

/** Joins the problems with all fields. Each problem is a whole sentence. */
export function joinProblems(errors: RegistrationErrors): Text {
  return joinTexts(Object.values(errors), 'problem.sentences') ?? '';
}

/** Returns how the client authenticates: by signed assertions, or not at all if `fields` is undefined. */
async function readAuthentication(
  document: Readonly<Record<string, unknown>>,
  settings: DocumentSettings,
): Promise<{ readonly fields: AuthenticationFields | undefined } | DocumentProblem> {
  const { jwks, jwks_uri: keysUri, token_endpoint_auth_method: method = 'none' } = document;
  if (hasPrivateKey(jwks)) return { problem: message('client-document.private-key') };
  if (typeof method !== 'string' || !AUTHENTICATION_METHODS.includes(method))
    return {
      problem: message('client-document.method'),
    };
  if (method === 'none') return { fields: undefined };
  if (keysUri !== undefined && typeof keysUri !== 'string')
    return { problem: message('client-document.keys-uri-type') };
  if (keysUri !== undefined) {
    const problem = outgoingUrlProblem(keysUri, settings);
    if (problem !== undefined) return { problem: message('client-document.keys-uri', { problem }) };
    return { fields: { methods: [method], keys: [], keysUri } };
  }
  const result = await readClientKeys(jwks);
  if ('problem' in result) return { problem: message('client-document.no-keys') };
  return { fields: { methods: [method], keys: result.keys } };
}

/**
 * Returns the redirect URIs that the client may use. They must be on the document's origin or on the user's device.
 * URIs that the settings forbid are omitted. If no URI remains, the first problem is returned.
 */
function readRedirectUris(
  { redirect_uris: uris }: Readonly<Record<string, unknown>>,
  clientId: string,
  clientType: 'public' | 'confidential',
  settings: RedirectUriSettings,
): { readonly redirectUris: readonly string[] } | DocumentProblem {
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_REDIRECT_URIS)
    return { problem: message('client-document.redirect-uris', { limit: MAX_REDIRECT_URIS }) };
  const redirectUris: string[] = [];
  let firstProblem: Message | undefined;
  for (const [index, uri] of (uris as readonly unknown[]).entries()) {
    const number = index + 1;
    if (typeof uri !== 'string') return { problem: message('client-document.redirect-uri-type', { number }) };
    const problem = uriFormProblem(uri);
    if (problem !== undefined) return { problem: message('client-document.redirect-uri', { number, problem }) };
    if (isOnAnotherOrigin(uri, clientId))
      return { problem: message('client-document.redirect-uri-origin', { number }) };
    const settingsProblem = redirectUriProblem(uri, clientType, settings);
    if (settingsProblem === undefined) redirectUris.push(uri);
    else firstProblem ??= message('client-document.redirect-uri', { number, problem: settingsProblem });
  }
  return redirectUris.length > 0
    ? { redirectUris }
    : { problem: firstProblem ?? message('client-document.no-redirect-uri') };
}

function isOnAnotherOrigin(uri: string, clientId: string): boolean {
  return /^https?:/i.test(uri) && !isLoopback(uri) && originOf(uri) !== originOf(clientId);
}

function codeFlowProblem({
  grant_types: grantTypes,
  response_types: responseTypes,
}: Readonly<Record<string, unknown>>) {
  if (grantTypes !== undefined && !(Array.isArray(grantTypes) && grantTypes.includes('authorization_code')))
    return message('client-document.grant-types');
  return responseTypes === undefined || (Array.isArray(responseTypes) && responseTypes.includes('code'))
    ? undefined
    : message('client-document.response-types');
}

/** Returns the origins of the pages whose scripts request tokens (CORS). */
function originsOf(redirectUris: readonly string[], ownOrigin: string): readonly string[] {
  const origins = redirectUris
    .filter((uri) => originOf(uri) === ownOrigin || isLoopback(uri))
    .map((uri) => new URL(uri).origin);
  return [...new Set(origins)];
}

/** Reports whether the client is native. Command-line programs often omit `application_type`. */
function isNative({ application_type: type }: Readonly<Record<string, unknown>>, uris: readonly string[]): boolean {
  return type === 'native' || (type === undefined && uris.every((uri) => isLoopback(uri) || !/^https?:/i.test(uri)));
}

/**
 * Returns the link if it leads to the client's own site, and null otherwise. Links to other sites would make an
 * impostor more credible.
 */
function readOwnLink(document: Readonly<Record<string, unknown>>, member: string, origin: string): string | null {
  const link = readText(document, member);
  return link !== undefined && originOf(link) === origin ? link : null;
}

function readText(document: Readonly<Record<string, unknown>>, member: string): string | undefined {
  const text = document[member];
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

function originOf(uri: string): string | undefined {
  return isUrl(uri) ? new URL(uri).origin : undefined;
}

function hasPrivateKey(jwks: unknown): boolean {
  const keys = isObject(jwks) ? jwks['keys'] : undefined;
  return Array.isArray(keys) && keys.some((key) => isObject(key) && PRIVATE_MEMBERS.some((member) => member in key));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
