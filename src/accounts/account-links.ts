import { createHash } from 'node:crypto';
import { foldedEmail } from '../domain/user-name.ts';
import type { UserId } from '../domain/values.ts';
import type { User, Users } from '../projections/users.ts';
import type { MailLinks } from './mail-links.ts';

/** Links sent to an account's e-mail address. Using a link invalidates all links of the same kind. */
export interface AccountLinks {
  /** Returns the URL of a page where the user confirms the e-mail address. */
  verificationUrl(user: User, now: number): string;
  /** Returns the account, or undefined if the verification link is invalid. */
  openVerification(token: string, now: number): User | undefined;
  /** Returns the URL of a page where the user chooses a new password. */
  resetUrl(user: User, now: number): string;
  /** Returns the account, or undefined if the reset link is invalid. */
  openReset(token: string, now: number): User | undefined;
}

interface AccountLink {
  readonly userId: UserId;
  /** The hash of the address that the link was sent to. */
  readonly address: string;
  /** The revision of the address (verification) or of the account (reset). The link is invalid once it changes. */
  readonly revision: number;
}

/**
 * Creates account links. A verification link becomes invalid when the address that it was sent to is changed or
 * verified. A reset link becomes invalid when anything in the account changes, or when a different account verifies the
 * address.
 */
export function createAccountLinks(deps: {
  readonly links: MailLinks;
  readonly users: Pick<Users, 'find'>;
  readonly issuer: () => string;
}): AccountLinks {
  const { links, users, issuer } = deps;

  function createUrl(purpose: 'verify' | 'reset', { userId, email }: User, revision: number, now: number): string {
    const content: AccountLink = { userId, address: hashAddress(email), revision };
    return `${issuer()}/accounts/${purpose}/?token=${links.seal(purpose, content, now)}`;
  }

  function open(
    purpose: 'verify' | 'reset',
    token: string,
    now: number,
    getRevision: (user: User) => number,
  ): User | undefined {
    const link = links.open(purpose, token, now) as AccountLink | undefined;
    const user = link && users.find(link.userId);
    if (link === undefined || user?.active !== true) return undefined;
    return hashAddress(user.email) === link.address && getRevision(user) === link.revision ? user : undefined;
  }

  return {
    verificationUrl: (user, now) => createUrl('verify', user, user.emailRevision, now),
    openVerification: (token, now) => open('verify', token, now, ({ emailRevision }) => emailRevision),
    resetUrl: (user, now) => createUrl('reset', user, user.revision, now),
    openReset(token, now) {
      const user = open('reset', token, now, ({ revision }) => revision);
      return user?.emailVerified === true ? user : undefined;
    },
  };
}

function hashAddress(email: string): string {
  return createHash('sha256').update(foldedEmail(email)).digest('base64url').slice(0, 22);
}
