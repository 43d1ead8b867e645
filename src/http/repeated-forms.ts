import { createHmac, hkdfSync, type KeyObject } from 'node:crypto';
import type { Entropy } from '../ports.ts';
import { formOf } from './middleware/page-form.ts';
import type { LoggedInUser } from './middleware/web-session.ts';
import type { RequestContext } from './state.ts';

/**
 * Recognizes a form that is sent twice, by a second click or by a browser that tries again. Each rendering of a form
 * has an id of its own. What the form makes is derived from that id, so the second request makes the same thing again
 * and gets the same answer.
 */
export interface RepeatedForms {
  /** The value of the hidden field `form_id`. */
  mintId(): string;
  /**
   * Randomness for what the form makes: the same bytes again for the same form, session, address and `contents`.
   * Undefined for a form without an id, such as a script's: nothing tells whether it is sent for the second time.
   * @param contents the fields that make it another request when they differ
   */
  entropyFor(ctx: RequestContext, user: LoggedInUser, contents?: unknown): Entropy | undefined;
}

const ID_BYTES = 16;
const ID = /^[\w-]{22}$/;

export function createRepeatedForms(key: KeyObject, entropy: Entropy): RepeatedForms {
  return {
    mintId: () => entropy.bytes(ID_BYTES).toString('base64url'),

    entropyFor(ctx, { sessionHash }, contents = null) {
      const id = formOf(ctx).text('form_id');
      if (!ID.test(id)) return undefined;
      const label = JSON.stringify([sessionHash, ctx.path.replace(/\/$/, ''), id, contents]);
      return derivedEntropy(key, label);
    },
  };
}

/** The seed is as good as the key; HKDF (RFC 5869) draws from it as often as is asked. */
function derivedEntropy(key: KeyObject, label: string): Entropy {
  const seed = createHmac('sha256', key).update(label).digest();
  let draws = 0;
  return {
    bytes(length) {
      draws += 1;
      return Buffer.from(hkdfSync('sha256', seed, '', String(draws), length));
    },
  };
}
