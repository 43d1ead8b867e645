import type { KeyObject } from 'node:crypto';
import { hmacSha256 } from '../credentials/hmac.ts';

/** Keyed hashes, so that the log reveals neither the subjects of other issuers nor the ids of their JWTs. */
export interface AssertionNames {
  /** A subject of an issuer, which can be an e-mail address. */
  subjectHash(issuer: string, subject: string): string;
}

export function createAssertionNames(key: KeyObject): AssertionNames {
  const hmac = hmacSha256(key);
  /** ASCII without ambiguity, as the HMAC requires. */
  const hash = (...parts: readonly string[]): string => hmac(Buffer.from(JSON.stringify(parts)).toString('base64url'));
  return {
    subjectHash: (issuer, subject) => hash('subject', issuer, subject),
  };
}
