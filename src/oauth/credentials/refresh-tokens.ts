import { createSecretKey, hkdfSync, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { GrantId } from '../../domain/values.ts';
import type { Entropy } from '../../platform/ports.ts';
import {
  BASE64URL,
  withChecksum,
  parseGrantCredential,
  hasValidChecksum,
  type MintedCredential,
  type PresentedCredential,
} from './credentials.ts';
import { hmacSha256 } from './hmac.ts';
import { createTaggedCredentials } from './tagged-credentials.ts';

/** A refresh token from a request. */
export interface PresentedRefreshToken extends PresentedCredential {
  /** Whether the token has a valid tag, which proves that this server issued the token for this grant. */
  readonly isTagged: boolean;
}

/** The tokens that a refresh returns. */
export interface Successors {
  readonly access: MintedCredential;
  readonly refresh: MintedCredential;
  /**
   * The refresh token as earlier releases derived it. Needed to repeat a response if such a release rotated the token.
   */
  readonly untaggedRefresh: () => MintedCredential;
  /** The access token as earlier releases derived it. */
  readonly untaggedAccess: () => MintedCredential;
}

/**
 * Creates and parses refresh tokens: glr_ <grant 22> <secret 43> <tag 22> <checksum 6>.
 *
 * The tag is 128 bits of an HMAC over the grant id and the secret. It proves that this server issued the token, however
 * long ago, so reuse can be distinguished from a guess without a list of used tokens. Tokens from earlier releases have
 * no tag, but stay valid.
 */
export interface RefreshTokens {
  mint(grantId: GrantId, entropy: Entropy): MintedCredential;
  /** Returns the token, or undefined if its format, checksum or tag is invalid. Does not look it up. */
  parse(value: string): PresentedRefreshToken | undefined;
  /**
   * Derives the successors from the token and the key. The same token always has the same successors, so a lost
   * response can be repeated although no token is stored.
   */
  deriveSuccessors(value: string, grantId: GrantId): Successors;
}

const KEY_BYTES = 32;
const SECRET_BYTES = 32;
const BODY_CHARS = 65; // grant id and secret
const PREFIX_CHARS = 4;
const TAG_CHARS = 22;

const TAGGED_TOKEN = /^glr_[\w-]{93}$/;
const UNTAGGED_TOKEN = /^glr_[\w-]{71}$/;

export function createRefreshTokens(key: KeyObject): RefreshTokens {
  const tagKey = createSecretKey(Buffer.from(hkdfSync('sha256', key, '', 'grantlog refresh token tags', KEY_BYTES)));
  const { accessTokenFrom } = createTaggedCredentials(key);
  const [hmac, tagHmac] = [hmacSha256(key), hmacSha256(tagKey)];
  const computeTag = (body: string): string => first128Bits(tagHmac(body));
  const withTag = (body: string): MintedCredential => withChecksum(`glr_${body}${computeTag(body)}`);

  function hasValidTag(value: string): boolean {
    const body = value.slice(PREFIX_CHARS, PREFIX_CHARS + BODY_CHARS);
    const tag = value.slice(PREFIX_CHARS + BODY_CHARS, PREFIX_CHARS + BODY_CHARS + TAG_CHARS);
    return timingSafeEqual(Buffer.from(computeTag(body)), Buffer.from(tag));
  }

  return {
    mint: (grantId, entropy) => withTag(`${grantId}${entropy.bytes(SECRET_BYTES).toString('base64url')}`),

    parse(value) {
      const isTagged = hasValidChecksum(value, TAGGED_TOKEN);
      const isValid = isTagged ? hasValidTag(value) : hasValidChecksum(value, UNTAGGED_TOKEN);
      if (!isValid) return undefined;
      const { grantId, hash } = parseGrantCredential(value);
      return { grantId, hash, isTagged };
    },

    deriveSuccessors(value, grantId) {
      const derive = (label: string): string => hmac(`${label}:${value}`);
      const body = `${grantId}${derive('refresh')}`;
      const access = derive('access');
      return {
        access: accessTokenFrom(access),
        refresh: withTag(body),
        untaggedRefresh: () => withChecksum(`glr_${body}`),
        untaggedAccess: () => withChecksum(`gla_${access}`),
      };
    },
  };
}

/**
 * Returns the first 128 bits of base64url text. The last of the 22 characters encodes only two bits. Using a Buffer
 * would take a third longer.
 */
function first128Bits(text: string): string {
  const last = BASE64URL.indexOf(text.charAt(TAG_CHARS - 1));
  return text.slice(0, TAG_CHARS - 1) + BASE64URL.charAt(last & 0b110000);
}
