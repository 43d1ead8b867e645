import type { KeyObject } from 'node:crypto';
import { isIssueTimeValid } from '../domain/clock.ts';
import { seal, unseal } from '../platform/keys/seals.ts';
import type { Entropy } from '../platform/ports.ts';

/** The purpose of a link in an e-mail. The link is refused for any other purpose. */
export type LinkPurpose = 'verify' | 'reset' | 'invitation';

/** The lifetimes of links, in seconds. */
export const LINK_LIFETIMES: Readonly<Record<LinkPurpose, number>> = {
  verify: 86_400,
  reset: 1_800,
  invitation: 604_800,
};

/**
 * Issues the tokens for links in e-mails. Tokens are not stored: encryption under one of the server's keys proves that
 * a node with the same key issued them. The content of a token decides whether its link still works, so issuing a link
 * writes nothing.
 */
export interface MailLinks {
  /**
   * Returns the token of a link.
   * @param now in seconds since the epoch
   */
  seal(purpose: LinkPurpose, content: object, now: number): string;
  /** Returns the content, or undefined if the token has been changed, is for a different purpose, or has expired. */
  open(purpose: LinkPurpose, token: string, now: number): unknown;
}

interface TokenContents {
  readonly issuedAt: number;
  readonly content: unknown;
}

export function createMailLinks(key: KeyObject, entropy: Entropy): MailLinks {
  const secret = key.export();

  function decrypt(purpose: LinkPurpose, token: string): TokenContents | undefined {
    if (!/^[\w-]+$/.test(token)) return undefined;
    try {
      return JSON.parse(unseal(token, secret, contextOf(purpose))) as TokenContents;
    } catch {
      return undefined;
    }
  }

  return {
    seal(purpose, content, now) {
      const contents: TokenContents = { issuedAt: now, content };
      return seal(JSON.stringify(contents), secret, contextOf(purpose), entropy);
    },

    open(purpose, token, now) {
      const contents = decrypt(purpose, token);
      if (contents === undefined) return undefined;
      // Refuses links from a time when the clock was ahead.
      const isLive = now < contents.issuedAt + LINK_LIFETIMES[purpose] && isIssueTimeValid(contents.issuedAt, now);
      return isLive ? contents.content : undefined;
    },
  };
}

function contextOf(purpose: LinkPurpose): string {
  return `mail link: ${purpose}`;
}
