import type { KeyObject } from 'node:crypto';
import { isIssueTimeValid } from '../domain/clock.ts';
import { seal, unseal } from '../platform/keys/seals.ts';
import type { Entropy } from '../platform/ports.ts';

/** The purpose of a link in a mail. The link is refused for any other purpose. */
export type LinkPurpose = 'verify' | 'reset' | 'invitation';

/** In seconds. */
export const LINK_LIFETIMES: Readonly<Record<LinkPurpose, number>> = {
  verify: 86_400,
  reset: 1_800,
  invitation: 604_800,
};

/**
 * The tokens of links in mails. They are not stored: encryption with a key of the server proves that a node with the
 * same key issued them. What a token contains decides whether the link still works, so that requesting one writes
 * nothing.
 */
export interface MailLinks {
  /** @param now in seconds since the epoch */
  seal(purpose: LinkPurpose, content: object, now: number): string;
  /** The content; undefined if the token was changed, is for another purpose, or has expired. */
  open(purpose: LinkPurpose, token: string, now: number): unknown;
}

interface Sealed {
  readonly issuedAt: number;
  readonly content: unknown;
}

export function createMailLinks(key: KeyObject, entropy: Entropy): MailLinks {
  const bytes = key.export();

  function read(purpose: LinkPurpose, token: string): Sealed | undefined {
    if (!/^[\w-]+$/.test(token)) return undefined;
    try {
      return JSON.parse(unseal(token, bytes, contextOf(purpose))) as Sealed;
    } catch {
      return undefined;
    }
  }

  return {
    seal(purpose, content, now) {
      const sealed: Sealed = { issuedAt: now, content };
      return seal(JSON.stringify(sealed), bytes, contextOf(purpose), entropy);
    },

    open(purpose, token, now) {
      const sealed = read(purpose, token);
      if (sealed === undefined) return undefined;
      // Refuses links from a time when the clock was ahead.
      const isLive = now < sealed.issuedAt + LINK_LIFETIMES[purpose] && isIssueTimeValid(sealed.issuedAt, now);
      return isLive ? sealed.content : undefined;
    },
  };
}

function contextOf(purpose: LinkPurpose): string {
  return `mail link: ${purpose}`;
}
