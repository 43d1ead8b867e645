import { message, type Text, isList, isMessage, type MessageValues } from '../../language/message.ts';
import { english } from '../../language/english.ts';

const MAX_LENGTH = 160;
/** A long string without spaces that could be a credential. */
const OPAQUE = /[\w+=~.-]{20,}/g;
const PREFIXED = /gl(?:[acdmr]_|s[0-9A-Za-z]{8})[\w-]*|eyJ[\w.-]*/g;
const REDACTED = '[redacted]';

/**
 * Returns text from the caller in a form that is safe to store and show: printable, short and without anything that
 * looks like a token.
 */
export function sanitize(text: string): string {
  return shorten(redact(text));
}

/** Like `sanitize`, but for the path of a request. Public segments, such as client ids, are kept. */
export function sanitizePath(path: string, isPublic: (segment: string) => boolean): string {
  const sanitizeSegment = (segment: string): string => {
    if (segment.length > MAX_LENGTH) return REDACTED; // before any work whose cost grows with the length
    return isPublic(segment) ? segment : redact(segment);
  };
  return shorten(path.split('/').map(sanitizeSegment).join('/'));
}

function redact(text: string): string {
  return text
    .replaceAll(PREFIXED, REDACTED)
    .replaceAll(OPAQUE, (run) => (run.split('.').some(isOpaque) ? REDACTED : run))
    .replaceAll(/[^\x20-\x7e]/g, '?');
}

function shorten(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** Returns a member of an unverified JWT, which may have any type, in sanitized form. */
export function sanitizeMember(value: unknown): Text {
  if (typeof value === 'string') return sanitize(value);
  return message('refusal-value.of-type', { type: value === null ? 'null' : typeof value });
}

/**
 * Reports whether a part between dots could be a credential. Checking the parts separately keeps host names readable.
 */
function isOpaque(part: string): boolean {
  return part.length >= 20 && /\d/.test(part) && /[a-z]/i.test(part);
}

const MAX_NAMES = 20;

/** Returns the sanitized names, but only the first `MAX_NAMES`, to limit the size of a refusal. */
export function sanitizeNames(names: readonly string[]): readonly string[] {
  const sanitizedNames = names.slice(0, MAX_NAMES).map(sanitize);
  return names.length > MAX_NAMES ? [...sanitizedNames, `… (+${names.length - MAX_NAMES})`] : sanitizedNames;
}

/** Keywords that developers send in parameters with a closed list of values. Any other value could be a secret. */
const KEYWORDS = [
  'authorization_code',
  'authorization-code',
  'client_credentials',
  'client-credentials',
  'password',
  'refresh_token',
  'refresh-token',
  'implicit',
  'code',
  'token',
  'id_token',
  'none',
  'query',
  'fragment',
  'form_post',
  'S256',
  'S512',
  'plain',
  'login',
  'consent',
  'select_account',
  'create',
  'auto',
  'force',
  'urn:ietf:params:oauth:grant-type:device_code',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:ietf:params:oauth:grant-type:token-exchange',
  'urn:ietf:params:oauth:token-type:access_token',
  'urn:ietf:params:oauth:token-type:refresh_token',
  'urn:ietf:params:oauth:token-type:id_token',
  'urn:ietf:params:oauth:token-type:jwt',
  'urn:ietf:params:oauth:token-type:saml1',
  'urn:ietf:params:oauth:token-type:saml2',
];

/** Returns the text if it consists of one to four known keywords, regardless of case, or null otherwise. */
export function knownKeywords(text: string): string | null {
  const words = text.split(' ').filter(Boolean);
  return words.length > 0 && words.length <= 4 && words.every(isKeyword) ? words.join(' ') : null;
}

function isKeyword(text: string): boolean {
  return KEYWORDS.some((word) => word.toLowerCase() === text.toLowerCase());
}

const PARAMETERS = [
  'grant_type',
  'response_type',
  'response_mode',
  'client_id',
  'client_secret',
  'redirect_uri',
  'scope',
  'state',
  'code',
  'device_code',
  'code_verifier',
  'code_challenge',
  'code_challenge_method',
  'refresh_token',
  'username',
  'password',
  'token',
  'token_type_hint',
  'resource',
  'audience',
  'authorization_details',
  'subject_token',
  'subject_token_type',
  'actor_token',
  'actor_token_type',
  'requested_token_type',
  'prompt',
  'max_age',
  'approval_prompt',
  'nonce',
  'claims',
  'id_token_hint',
  'login_hint',
  'acr_values',
  'ui_locales',
  'claims_locales',
  'display',
  'request',
  'request_uri',
  'registration',
];

/**
 * Returns the name if it is a protocol parameter, or null otherwise, because a name in a malformed body may be a
 * secret.
 */
export function knownParameterName(name: string): string | null {
  return PARAMETERS.includes(name) ? name : null;
}

/** A list of problems, one per line, loses its last lines while it exceeds this length. */
const MAX_LINES_LENGTH = 200;

/** Returns the message with its values made safe to store and show. */
export function sanitizeText(text: Text): Text {
  if (!isMessage(text)) return sanitize(text);
  const { one } = text.values ?? {};
  const isTooLong = text.key === 'problem.lines' && english.text(text).length > MAX_LINES_LENGTH;
  if (isTooLong && (typeof one === 'string' || isMessage(one))) return sanitizeText(one);
  const values = Object.entries(text.values ?? {}).map(([name, value]) => [name, sanitizeValue(value)] as const);
  return message(text.key, Object.fromEntries(values));
}

function sanitizeValue(value: MessageValues[string]): MessageValues[string] {
  if (typeof value === 'string' || isMessage(value)) return sanitizeText(value);
  if (isList(value)) return value.map(sanitizeText);
  return typeof value === 'object' && 'names' in value ? { names: value.names.map(sanitize) } : value;
}
