import type { RequiredClaim } from '../../domain/issuer-settings.ts';

/**
 * Parses a line such as "ID sub=repo:acme/api:ref:refs/heads/main": a client id, optionally followed by a claim that
 * JWTs must have if the client presents them.
 */
export function parseClientLine(line: string): { readonly id: string; readonly claim: string | undefined } {
  const [, id = '', claim] = /^(\S+)\s+(.*)$/.exec(line) ?? [undefined, line];
  return { id, claim };
}

/**
 * Parses a string such as "repository=acme/api". The value may contain equals signs. Returns undefined for any other
 * string.
 */
export function parseClaim(text: string): RequiredClaim | undefined {
  const [, name, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  return name === undefined || value === undefined ? undefined : { name, value };
}

/** Returns all possible readings of a `subject=user name` line. Both parts may contain equals signs. */
export function readSubjectLine(line: string): readonly { readonly subject: string; readonly username: string }[] {
  return [...line.matchAll(/=/g)]
    .map(({ index }) => ({ subject: line.slice(0, index), username: line.slice(index + 1) }))
    .filter(({ subject, username }) => subject !== '' && username !== '');
}

const RECORDED_HASH = /^recorded:([\w-]{43})$/;

/**
 * Returns the hash of a recorded subject, or undefined for any other string. Only hashes of subjects are stored, so the
 * form shows each recorded subject as `recorded:` followed by its hash.
 */
export function parseRecordedHash(subject: string): string | undefined {
  return RECORDED_HASH.exec(subject)?.[1];
}

/** Returns the string that `parseClaim` parses into this claim. */
export const formatClaim = ({ name, value }: RequiredClaim): string => `${name}=${value}`;

/** Returns the lines that `parseClientLine` parses into these clients. */
export function formatClientLines(
  clients: readonly { readonly clientId: string; readonly requiredClaims: readonly RequiredClaim[] }[],
): readonly string[] {
  return clients.flatMap(({ clientId, requiredClaims }) =>
    requiredClaims.length === 0 ? clientId : requiredClaims.map((claim) => `${clientId} ${formatClaim(claim)}`),
  );
}
