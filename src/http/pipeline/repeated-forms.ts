import { createHmac, hkdfSync, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { Entropy } from '../../platform/ports.ts';
import { formOf } from './page-form.ts';
import type { LoggedInUser } from './web-session.ts';
import type { RequestContext } from './state.ts';

/**
 * Recognizes a form that is sent twice, by a second click or by a browser that retries. Each rendered form has its own
 * id, and everything that the form creates is derived from that id. So the second request creates the same thing and
 * gets the same response. The id of a form that replaces something also contains a digest of the old value when the
 * form was rendered, so an old form never undoes a later change.
 */
export interface RepeatedForms {
  /**
   * The value of the hidden field `form_id`.
   * @param replaces what the form replaces, as it is now: a text that never comes back once it was replaced
   */
  mintId(replaces?: string): string;
  /**
   * Whether what the form replaces has changed since the form was rendered, be it by this very form. False for a form
   * without an id: nothing is derived from it, so it cannot bring back what there was before.
   * @param replaces what the form would replace now
   */
  isOutdated(ctx: RequestContext, replaces: string): boolean;
  /**
   * Randomness for what the form makes: the same bytes again for the same form, session, address and `contents`.
   * Undefined for a form without an id, such as a script's: nothing tells whether it is sent for the second time.
   * @param contents the fields that make it another request when they differ
   */
  entropyFor(ctx: RequestContext, user: LoggedInUser, contents?: unknown): Entropy | undefined;
}

const ID_BYTES = 16;
const ID = /^([\w-]{22})(?:\.([\w-]{22}))?$/;

export function createRepeatedForms(key: KeyObject, entropy: Entropy): RepeatedForms {
  /** Tells no one who has no key what is replaced, not even whether two forms replace the same. */
  function markOf(nonce: string, replaces: string): string {
    const label = JSON.stringify(['replaces', nonce, replaces]);
    return createHmac('sha256', key).update(label).digest().subarray(0, ID_BYTES).toString('base64url');
  }

  return {
    mintId(replaces) {
      const nonce = entropy.bytes(ID_BYTES).toString('base64url');
      return replaces === undefined ? nonce : `${nonce}.${markOf(nonce, replaces)}`;
    },

    isOutdated(ctx, replaces) {
      const parts = ID.exec(formOf(ctx).text('form_id'));
      if (parts === null) return false;
      const [, nonce = '', mark = ''] = parts;
      const current = Buffer.from(markOf(nonce, replaces));
      return mark.length !== current.length || !timingSafeEqual(Buffer.from(mark), current);
    },

    entropyFor(ctx, { sessionHash }, contents = null) {
      const id = formOf(ctx).text('form_id');
      if (!ID.test(id)) return undefined;
      const label = JSON.stringify([sessionHash, ctx.path.replace(/\/$/, ''), id, contents]);
      return derivedEntropy(key, label);
    },
  };
}

/** The seed is as strong as the key. HKDF (RFC 5869) derives any number of values from it. */
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
