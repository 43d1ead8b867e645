const MAX_LENGTH = 160;
/** So long without a break, with letters and digits: a credential, or something that could be one. */
const OPAQUE = /[\w+=~.-]{20,}/g;
const PREFIXED = /gl(?:[acr]_|s[0-9A-Za-z]{8})[\w-]*|eyJ[\w.-]*/g;
const REDACTED = '[left out]';

/** Text of the caller's that may be kept and shown: printable, short, and without whatever could be a secret. */
export function sanitize(text: string): string {
  const shown = text
    .replaceAll(PREFIXED, REDACTED)
    .replaceAll(OPAQUE, (run) => (run.split('.').some(isOpaque) ? REDACTED : run))
    .replaceAll(/[^\x20-\x7e]/g, '?');
  return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH)}…` : shown;
}

/** The parts of a host name are told apart. */
function isOpaque(part: string): boolean {
  return part.length >= 20 && /\d/.test(part) && /[a-z]/i.test(part);
}

const MAX_NAMES = 20;

/** The names, each quotable; of many the first ones, so that what is kept of a refusal stays small. */
export function sanitizeNames(names: readonly string[]): readonly string[] {
  const shown = names.slice(0, MAX_NAMES).map(sanitize);
  return names.length > MAX_NAMES ? [...shown, `and ${names.length - MAX_NAMES} more`] : shown;
}

/** What developers send where one word of the protocol is asked for; nothing else of theirs is repeated. */
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
];

/** The words of the protocol in `text`, in whatever case they were sent; null where there is anything else. */
export function knownKeywords(text: string): string | null {
  const words = text.split(' ').filter((word) => word !== '');
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
  'code_verifier',
  'code_challenge',
  'code_challenge_method',
  'refresh_token',
  'username',
  'password',
  'token',
  'token_type_hint',
  'resource',
  'prompt',
  'max_age',
  'approval_prompt',
  'nonce',
];

/** A parameter's name, if it is one of the protocol: a body that is no form has names that could be secrets. */
export function knownParameterName(name: string): string | null {
  return PARAMETERS.includes(name) ? name : null;
}
