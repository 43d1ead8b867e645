import { hkdfSync, type KeyObject } from 'node:crypto';
import { isIssueTimeValid } from '../../domain/clock.ts';
import type { ClientId, CredentialHash, EpochSeconds } from '../../domain/values.ts';
import { PARAMETERS, type ParameterName } from '../../config/input-limits.ts';
import { seal, unseal } from '../../platform/keys/seals.ts';
import type { RotatingKey } from '../../platform/keys/rotating-key.ts';
import type { Entropy } from '../../platform/ports.ts';
import { mintNonce } from '../credentials/credentials.ts';
import type { Parameters } from '../endpoints/parameters.ts';

/** RFC 9126 §2.2 recommends this prefix. */
const REQUEST_URI_PREFIX = 'urn:ietf:params:oauth:request_uri:';

/** How long the browser has to send the `request_uri`. FAPI 2.0 requires less than ten minutes. */
export const REQUEST_URI_SECONDS = 60;

/** The additional time for the login. Further requests from the browser do not extend it. */
const LOGIN_SECONDS = 3_600;

/**
 * Leaves room in a URL of 8,000 characters, which proxies accept, for the client id, the address of the login page and
 * the sealed login.
 */
export const MAX_REQUEST_URI_LENGTH = PARAMETERS.request_uri.max;

/** An authorization request that the client pushed or signed, contained in its `request_uri`. */
export interface SealedRequest {
  /** 256 random bits. The grant's id is derived from them, so the log accepts only one grant for the request. */
  readonly id: string;
  readonly clientId: ClientId;
  readonly parameters: Parameters;
  /** Whether the client pushed the request (RFC 9126). Otherwise, the browser sent it in a signed request object. */
  readonly isPushed: boolean;
  /** SHA-256 of the signed request object; undefined if the request was not signed. */
  readonly requestObjectHash: CredentialHash | undefined;
  /** The time by which the browser must send the `request_uri`. The login and the consent may take longer. */
  readonly expiresAt: EpochSeconds;
}

/**
 * Seals each request into a `request_uri` that is encrypted, so that the browser learns nothing, and authenticated, so
 * that nobody can guess or change it. Nothing is stored, so every node can open a `request_uri`, and unused ones cost
 * nothing.
 */
export interface RequestUris {
  /** Returns the sealed request and its URI, or undefined if the request is too long for a URL. */
  seal(
    request: Omit<SealedRequest, 'id' | 'expiresAt'>,
    now: number,
  ): { readonly requestUri: string; readonly sealedRequest: SealedRequest } | undefined;
  /** Returns the request, even if it has expired, or undefined if it has been changed or is not from this server. */
  open(requestUri: string): SealedRequest | undefined;
}

/** Short names, because the content becomes part of a URL. */
interface Content {
  readonly i: string;
  readonly c: ClientId;
  readonly e: EpochSeconds;
  readonly p: readonly (readonly [ParameterName, string])[];
  readonly u?: true;
  readonly h?: CredentialHash;
}

function toContent({ id, clientId, expiresAt, parameters, isPushed, requestObjectHash }: SealedRequest): Content {
  return {
    i: id,
    c: clientId,
    e: expiresAt,
    p: [...parameters],
    ...(isPushed && { u: true }),
    ...(requestObjectHash !== undefined && { h: requestObjectHash }),
  };
}

const KEY_BYTES = 32;

/** Reports whether a `request_uri` looks like one from this server rather than like the URL of a request object. */
export function isOwnRequestUri(requestUri: string): boolean {
  return requestUri.toLowerCase().startsWith('urn:');
}

export function createRequestUris(key: RotatingKey, entropy: Entropy): RequestUris {
  const derivedKeys = new WeakMap<KeyObject, Buffer>();

  function encryptionKey(secret: KeyObject): Buffer {
    const derivedKey = derivedKeys.get(secret) ?? deriveKey(secret);
    derivedKeys.set(secret, derivedKey);
    return derivedKey;
  }

  function tryUnseal(sealedContent: string): string | undefined {
    for (const secret of key.accepted()) {
      try {
        return unseal(sealedContent, encryptionKey(secret), REQUEST_URI_PREFIX);
      } catch {
        // Sealed under a different key, or not by this server.
      }
    }
    return undefined;
  }

  return {
    seal(request, now) {
      const id = mintNonce(entropy);
      const sealedRequest: SealedRequest = { ...request, id, expiresAt: (now + REQUEST_URI_SECONDS) as EpochSeconds };
      const json = JSON.stringify(toContent(sealedRequest));
      const sealedContent = seal(json, encryptionKey(key.current()), REQUEST_URI_PREFIX, entropy);
      const requestUri = `${REQUEST_URI_PREFIX}${sealedContent}`;
      return requestUri.length > MAX_REQUEST_URI_LENGTH ? undefined : { requestUri, sealedRequest };
    },

    open(requestUri) {
      if (requestUri.length > MAX_REQUEST_URI_LENGTH || !requestUri.startsWith(REQUEST_URI_PREFIX)) return undefined;
      const sealedContent = requestUri.slice(REQUEST_URI_PREFIX.length);
      // Base64 can encode the same bytes in several ways. Only the canonical encoding is accepted.
      if (Buffer.from(sealedContent, 'base64url').toString('base64url') !== sealedContent) return undefined;
      const text = tryUnseal(sealedContent);
      if (text === undefined) return undefined;
      const { i, c, e, p, u, h } = JSON.parse(text) as Content;
      return {
        id: i,
        clientId: c,
        parameters: new Map(p),
        isPushed: u === true,
        requestObjectHash: h,
        expiresAt: e,
      };
    },
  };
}

/**
 * Reports whether the browser sends the request in time. Returns false for requests sealed while the clock was ahead.
 * @param isContinued whether the browser has already sent the request in time, so that the user may be logging in
 */
export function isInTime({ expiresAt }: Pick<SealedRequest, 'expiresAt'>, now: number, isContinued: boolean): boolean {
  const deadline = isContinued ? expiresAt + LOGIN_SECONDS : expiresAt;
  return now < deadline && isIssueTimeValid(expiresAt - REQUEST_URI_SECONDS, now);
}

function deriveKey(secret: KeyObject): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'grantlog request uris', KEY_BYTES));
}
