import { MAX_LENGTH } from '../../domain/lengths.ts';
import { truncate } from '../../config/input-limits.ts';
import { oauthError } from '../endpoints/errors.ts';
import type { Parameters } from '../endpoints/parameters.ts';
import { claimedIssuer } from './client-assertions.ts';

/** Client credentials from a request (RFC 6749 §2.3.1). */
export interface PresentedCredentials {
  readonly clientId: string;
  /** Null if the request has none, for example because the client is public. */
  readonly secret: string | null;
}

/**
 * Returns the credentials in the body of a request, or undefined if it has none.
 * @throws OAuthError if there is a secret without a client id
 */
export function bodyCredentials(parameters: Parameters): PresentedCredentials | undefined {
  const clientId = parameters.get('client_id');
  const secret = parameters.get('client_secret') ?? null;
  if (clientId === undefined) {
    if (secret === null) return undefined;
    throw oauthError({ rule: 'client-id-missing' });
  }
  return { clientId, secret };
}

/**
 * Reports whether the body repeats the header's credentials, or its client id without a secret. RFC 6749 §2.3
 * allows only one authentication method per request, but a repetition is not a second method.
 */
export function credentialsAgree(header: PresentedCredentials, body: PresentedCredentials): boolean {
  return header.clientId === body.clientId && (body.secret === null || body.secret === header.secret);
}

const BASIC = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i;

/**
 * Returns each possible reading of a Basic header: form-decoded, and raw if that differs.
 * @throws OAuthError if the header is malformed
 */
export function basicCredentials(authorization: string): readonly PresentedCredentials[] {
  const raw = parseBasic(authorization);
  if (raw === undefined) {
    const scheme = /^basic\b/i.test(authorization) ? 'Basic' : /^bearer\b/i.test(authorization) ? 'Bearer' : 'another';
    throw oauthError({ rule: 'authorization-header', scheme });
  }
  if (!/[%+]/.test(`${raw.clientId}${raw.secret ?? ''}`)) return [raw];
  const clientId = formDecode(raw.clientId);
  const secret = raw.secret === null ? null : formDecode(raw.secret);
  return clientId === undefined || secret === undefined ? [raw] : [{ clientId, secret }, raw];
}

/** Client ids and secrets are ASCII. Percent-encoding turns one character into three. */
const ENCODED_LENGTH_PER_CHARACTER = 3;

/**
 * Returns the two parts of a Basic header, still form-encoded, or undefined if it is malformed. A part that is too long
 * is truncated: it then matches no client, and costs no more than any other wrong value.
 */
function parseBasic(authorization: string): PresentedCredentials | undefined {
  const encoded = BASIC.exec(authorization)?.[1];
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon <= 0) return undefined;
  const secret = truncate(text.slice(colon + 1), MAX_LENGTH.clientSecret * ENCODED_LENGTH_PER_CHARACTER);
  const clientId = truncate(text.slice(0, colon), MAX_LENGTH.clientId * ENCODED_LENGTH_PER_CHARACTER);
  return { clientId, secret: secret || null };
}

function formDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** Returns the possible secrets in an Authorization header: its credentials, and the secret of Basic credentials. */
export function headerSecrets(authorization: string | undefined): readonly string[] {
  const encoded = /^\w+ +(\S+)/.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return [];
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const secret = text.slice(text.indexOf(':') + 1);
  return [encoded, secret, formDecode(secret) ?? secret];
}

/** Returns the client id that a request contains, or undefined. Does not authenticate the client. */
export function claimedClientId(authorization: string | undefined, parameters: Parameters): string | undefined {
  const headerClientId = parseBasic(authorization ?? '')?.clientId;
  if (headerClientId !== undefined) return formDecode(headerClientId) ?? headerClientId;
  return parameters.get('client_id') ?? claimedIssuer(parameters);
}
