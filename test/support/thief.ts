import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { createRefreshTokens } from '../../src/oauth/credentials/refresh-tokens.ts';
import type { GrantId } from '../../src/domain/values.ts';

/** The secrets that a thief who knows the source code can extract from a server's files. */
export interface StolenSecrets {
  /** All strings in the format of a hash, key or secret, in base64url: 256 bits each. */
  readonly secrets: ReadonlySet<string>;
  /** Every aligned run of 32 bytes, in base64url. There are too many to try each of them in a request. */
  readonly bytes: ReadonlySet<string>;
  readonly keys: readonly KeyObject[];
  readonly grantIds: readonly string[];
}

/**
 * Finds all values that could be secrets.
 * @param files the contents of the files, keyed by path
 */
export function extractSecrets(files: ReadonlyMap<string, Buffer>): StolenSecrets {
  const [secrets, bytes, keys, grantIds] = [new Set<string>(), new Set<string>(), new Set<string>(), new Set<string>()];
  for (const content of files.values()) {
    const text = content.toString('latin1');
    for (const [run] of text.matchAll(/[\w-]{43,}/g))
      for (const candidate of slidingWindows(run, 43)) secrets.add(candidate);
    for (const [run] of text.matchAll(/[A-Za-z0-9+/]{43}=/g))
      secrets.add(Buffer.from(run, 'base64').toString('base64url'));
    for (const [run] of text.matchAll(/[0-9a-f]{64,}/gi))
      for (const candidate of slidingWindows(run, 64)) keys.add(candidate.toLowerCase());
    for (const [, id = ''] of text.matchAll(/grant-([\w-]{22})/g)) grantIds.add(id);
    for (let offset = 0; offset + 32 <= content.length; offset += 32)
      bytes.add(content.subarray(offset, offset + 32).toString('base64url'));
  }
  for (const key of keys) secrets.add(Buffer.from(key, 'hex').toString('base64url'));
  return { secrets, bytes, keys: [...keys].map((key) => createSecretKey(key, 'hex')), grantIds: [...grantIds] };
}

/** Formats every secret as each kind of credential. */
export function formatCredentials({
  secrets,
  grantIds,
}: Pick<StolenSecrets, 'secrets' | 'grantIds'>): readonly string[] {
  return [...secrets].flatMap((secret) => [
    withChecksum(`gla_${secret}`),
    ...grantIds.flatMap((grantId) => [
      withChecksum(`glr_${grantId}${secret}`),
      withChecksum(`glc_${grantId}${secret}`),
    ]),
  ]);
}

/** Derives the successors of every credential with every key like the server does, with and without a tag. */
export function deriveSuccessors(
  credentials: readonly string[],
  { keys, grantIds }: Pick<StolenSecrets, 'keys' | 'grantIds'>,
): readonly string[] {
  const pairs = credentials.flatMap((credential) => grantIds.map((id) => [credential, id as GrantId] as const));
  return keys.map(createRefreshTokens).flatMap((refreshTokens) =>
    pairs.flatMap(([credential, grantId]) => {
      const { access, refresh, untaggedRefresh } = refreshTokens.deriveSuccessors(credential, grantId);
      return [access.value, refresh.value, untaggedRefresh().value];
    }),
  );
}

/** Derives values in other plausible ways: from a stored string instead of the token, with and without a label. */
export function deriveAlternatives({ secrets, keys }: Pick<StolenSecrets, 'secrets' | 'keys'>): ReadonlySet<string> {
  const values = new Set<string>();
  for (const key of keys) {
    for (const secret of secrets) {
      for (const message of [
        secret,
        `access:${secret}`,
        `refresh:${secret}`,
        `code:${secret}`,
        Buffer.from(secret, 'base64url'),
      ]) {
        values.add(createHmac('sha256', key).update(message).digest('base64url'));
      }
    }
  }
  return values;
}

/** Returns the hash that is stored for a credential. */
export const storedHash = (credential: string): string => hash('sha256', credential, 'base64url');

function withChecksum(body: string): string {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return body + checksum.toString('base64url');
}

function slidingWindows(run: string, length: number): readonly string[] {
  const step = run.length > MAX_FULLY_SEARCHED ? length : 1;
  const count = Math.floor((run.length - length) / step) + 1;
  return Array.from({ length: count }, (_, index) => run.slice(index * step, index * step + length));
}

/**
 * Longer runs are public keys or ciphertexts. A window at every position would yield too many candidates, so they are
 * cut into windows that do not overlap.
 */
const MAX_FULLY_SEARCHED = 256;
