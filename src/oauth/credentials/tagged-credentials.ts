import { createHmac, createSecretKey, hkdfSync, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { GrantId } from '../../domain/values.ts';
import type { Entropy } from '../../platform/ports.ts';
import { CHECKSUM_CHARS, ID_BYTES, withChecksum, type MintedCredential } from './credentials.ts';
import { hmacSha256 } from './hmac.ts';

/** A code, and the id of the grant that it starts. */
export interface DerivedCode {
  readonly grantId: GrantId;
  readonly code: MintedCredential;
  /** The code as earlier releases derived it, to repeat the response to a form from such a release. */
  readonly untaggedCode: () => MintedCredential;
}

/**
 * Creates access tokens and codes with a tag, which proves without a lookup that this server created them. Of the 43
 * characters after the prefix or grant id, the first 28 are random or derived from a secret (168 bits), and the last 15
 * are the tag: 90 bits of an HMAC over all characters before the tag, including the prefix.
 *
 * Only nodes that share a log check the tag, and only for credentials that they do not recognize or would refuse, so
 * that forged credentials cause no reads of the shared storage. Credentials from earlier releases have 256 random bits
 * and no tag. They stay valid, because every node recognizes them.
 */
export interface TaggedCredentials {
  mintAccessToken(entropy: Entropy): MintedCredential;
  /** Returns the access token whose secret starts with the first 28 characters of `secret`, which is in base64url. */
  accessTokenFrom(secret: string): MintedCredential;
  /**
   * Returns the code for a nonce. The same nonce always yields the same code, so posting a consent form twice has the
   * same effect as posting it once. The code is never stored. Without the key, it cannot be derived from the nonce.
   * @param grantNonce identifies the grant if several nonces can lead to it; the code of only one of them is issued
   */
  deriveCode(nonce: string, grantNonce?: string): DerivedCode;
  /** Reports whether an access token or code has a valid tag. Its format and checksum are not checked. */
  isTagged(value: string): boolean;
}

const KEY_BYTES = 32;
const RANDOM_BYTES = 21;
const RANDOM_CHARS = 28;
const TAG_CHARS = 15;

export function createTaggedCredentials(key: KeyObject): TaggedCredentials {
  const tagKey = createSecretKey(Buffer.from(hkdfSync('sha256', key, '', 'grantlog credential tags', KEY_BYTES)));
  const tagHmac = hmacSha256(tagKey);
  const computeTag = (body: string): string => tagHmac(body).slice(0, TAG_CHARS);
  const withTag = (body: string): MintedCredential => withChecksum(body + computeTag(body));
  const derive = (text: string): Buffer => createHmac('sha256', key).update(text).digest();
  const tagAccessToken = (secretStart: string): MintedCredential => withTag(`gla_${secretStart}`);

  return {
    mintAccessToken: (entropy) => tagAccessToken(entropy.bytes(RANDOM_BYTES).toString('base64url')),
    accessTokenFrom: (secret) => tagAccessToken(secret.slice(0, RANDOM_CHARS)),

    deriveCode(nonce, grantNonce = nonce) {
      const grantId = derive(`grant:${grantNonce}`).subarray(0, ID_BYTES).toString('base64url') as GrantId;
      const secret = derive(`code:${nonce}`).toString('base64url');
      return {
        grantId,
        code: withTag(`glc_${grantId}${secret.slice(0, RANDOM_CHARS)}`),
        untaggedCode: () => withChecksum(`glc_${grantId}${secret}`),
      };
    },

    isTagged(value) {
      const end = value.length - CHECKSUM_CHARS;
      const tag = Buffer.from(value.slice(end - TAG_CHARS, end));
      const expectedTag = Buffer.from(computeTag(value.slice(0, end - TAG_CHARS)));
      return tag.length === expectedTag.length && timingSafeEqual(tag, expectedTag);
    },
  };
}
