import { normalizeUserName } from '../../domain/user-name.ts';
import type { User, Users } from '../../projections/users.ts';
import { oauthError } from '../endpoints/errors.ts';
import type { ForeignParameter } from '../refusals/issuer-refusal.ts';
import type { AssertionNames } from './assertion-names.ts';
import { readClaim } from './claim-paths.ts';
import type { ForeignToken } from './foreign-tokens.ts';

/** Maps the subjects of JWTs from other issuers to accounts. */
export interface ForeignSubjects {
  /** Returns a keyed hash of the subject, for the log. */
  hashSubject(token: ForeignToken): string;
  /**
   * Returns the account of the subject, or null if the issuer's subjects are clients.
   * @throws OAuthError if the subject has no active account
   */
  find(token: ForeignToken, parameter: ForeignParameter): User | null;
}

export function createForeignSubjects(
  users: Pick<Users, 'find' | 'findByName' | 'findByVerifiedEmail'>,
  names: Pick<AssertionNames, 'subjectHash'>,
): ForeignSubjects {
  const hashSubject = ({ trustedIssuer, subject }: ForeignToken): string =>
    names.subjectHash(trustedIssuer.issuer, subject);

  function findUser(token: ForeignToken): User | undefined {
    const { claims, trustedIssuer } = token;
    const mapping = trustedIssuer.subject;
    switch (mapping.by) {
      case 'user-name': {
        const name = readClaim(claims, mapping.claim);
        return typeof name === 'string' ? users.findByName(normalizeUserName(name)) : undefined;
      }
      case 'verified-email': {
        const { email, email_verified: isVerified } = claims;
        return typeof email === 'string' && isVerified === true ? users.findByVerifiedEmail(email) : undefined;
      }
      case 'table': {
        const subjectHash = hashSubject(token);
        const entry = mapping.entries.find((candidate) => candidate.subjectHash === subjectHash);
        return entry && users.find(entry.userId);
      }
      case 'client':
        return undefined;
    }
  }

  return {
    hashSubject,
    find(token, parameter) {
      const { by: mapping } = token.trustedIssuer.subject;
      if (mapping === 'client') return null;
      const user = findUser(token);
      if (user?.active !== true) throw oauthError({ rule: 'issuer-subject', parameter, mapping });
      return user;
    },
  };
}
