import type { KeyObject } from 'node:crypto';
import type { GrantId } from '../../domain/values.ts';
import { hmacSha256 } from '../credentials/hmac.ts';

const GRANT_ID_LENGTH = 22;

/** Keyed hashes for the log, so that it reveals neither the subjects of other issuers nor the ids of their JWTs. */
export interface AssertionNames {
  /** Returns the hash of an issuer's subject, which may be an e-mail address. */
  subjectHash(issuer: string, subject: string): string;
  /**
   * Returns the id of the only grant that a JWT can start. The id has 132 bits, so nobody can find two JWTs with the
   * same grant id.
   */
  grantIdFor(issuer: string, jwtId: string): GrantId;
}

export function createAssertionNames(key: KeyObject): AssertionNames {
  const hmac = hmacSha256(key);
  /** Returns the keyed hash of the parts. They are encoded unambiguously, as ASCII, which the HMAC requires. */
  const hash = (...parts: readonly string[]): string => hmac(Buffer.from(JSON.stringify(parts)).toString('base64url'));
  return {
    subjectHash: (issuer, subject) => hash('subject', issuer, subject),
    grantIdFor: (issuer, jwtId) => hash('assertion', issuer, jwtId).slice(0, GRANT_ID_LENGTH) as GrantId,
  };
}
