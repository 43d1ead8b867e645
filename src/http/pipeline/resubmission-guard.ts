import { createHmac, hkdfSync, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { RotatingKey } from '../../platform/keys/rotating-key.ts';
import type { Entropy } from '../../platform/ports.ts';
import { formOf } from './page-form.ts';
import type { LoggedInUser } from './web-session.ts';
import type { RequestContext } from './state.ts';

/**
 * Recognizes a form that is submitted twice, by a double click or a browser that retries. Each rendered form has its
 * own id, from which everything that the form creates is derived, so the second request creates the same objects and
 * gets the same response. If a form replaces a value, the id also contains a digest of the value at the time of
 * rendering, so an old form does not undo a later change.
 */
export interface ResubmissionGuard {
  /**
   * Returns the value of the hidden `form_id` field.
   * @param replacedValue the current value that the form replaces. If a replaced value never recurs, no resubmission of
   *   the form can undo a later change
   */
  mintId(replacedValue?: string): string;
  /**
   * Reports whether the value that the form replaces has changed since the form was rendered, even if this same form
   * changed it. Returns false for a form without an id, for example one sent by a script, because it was never
   * rendered.
   * @param replacedValue the current value that the form would replace
   */
  isOutdated(ctx: RequestContext, replacedValue: string): boolean;
  /**
   * Returns a source of random bytes for the objects that the form creates. The source yields the same bytes for the
   * same form, session, path and `contents`. Returns undefined for a form without an id, for example one sent by a
   * script, because its resubmission cannot be recognized.
   * @param contents the fields that distinguish requests from the same form
   */
  entropyFor(ctx: RequestContext, user: LoggedInUser, contents?: unknown): Entropy | undefined;
}

const ID_BYTES = 16;
const RANDOM_BYTES = 12;
const ID = /^([\w-]{22})(?:\.([\w-]{22}))?$/;

/**
 * Creates the guard. A form id begins with random bytes and a tag of four bytes. The tag identifies the key that the id
 * was created with, so a form that is resubmitted after the key has been replaced still has the same effect.
 */
export function createResubmissionGuard(key: RotatingKey, entropy: Entropy): ResubmissionGuard {
  /**
   * Returns the key that an id was created with. Ids from earlier releases have no tag, so the current key is used for
   * them.
   */
  function findKey(nonce: string): KeyObject {
    const bytes = Buffer.from(nonce, 'base64url');
    const [prefix, tag] = [bytes.subarray(0, RANDOM_BYTES), bytes.subarray(RANDOM_BYTES)];
    return key.accepted().find((secret) => computeTag(prefix, secret).equals(tag)) ?? key.current();
  }

  return {
    mintId(replacedValue) {
      const [prefix, secret] = [entropy.bytes(RANDOM_BYTES), key.current()];
      const nonce = Buffer.concat([prefix, computeTag(prefix, secret)]).toString('base64url');
      return replacedValue === undefined ? nonce : `${nonce}.${computeDigest(nonce, replacedValue, secret)}`;
    },

    isOutdated(ctx, replacedValue) {
      const parts = ID.exec(formOf(ctx).text('form_id'));
      if (parts === null) return false;
      const [, nonce = '', digest = ''] = parts;
      const currentDigest = Buffer.from(computeDigest(nonce, replacedValue, findKey(nonce)));
      return digest.length !== currentDigest.length || !timingSafeEqual(Buffer.from(digest), currentDigest);
    },

    entropyFor(ctx, { sessionHash }, contents = null) {
      const id = formOf(ctx).text('form_id');
      const [, nonce] = ID.exec(id) ?? [];
      if (nonce === undefined) return undefined;
      const label = JSON.stringify([sessionHash, ctx.path.replace(/\/$/, ''), id, contents]);
      return deriveEntropy(findKey(nonce), label);
    },
  };
}

/**
 * Returns a keyed digest of the replaced value. Without the key, nobody can tell from two digests whether the forms
 * replace the same value.
 */
function computeDigest(nonce: string, replacedValue: string, secret: KeyObject): string {
  const label = JSON.stringify(['replaces', nonce, replacedValue]);
  return createHmac('sha256', secret).update(label).digest().subarray(0, ID_BYTES).toString('base64url');
}

function computeTag(prefix: Buffer, secret: KeyObject): Buffer {
  const label = JSON.stringify(['form', prefix.toString('base64url')]);
  return createHmac('sha256', secret)
    .update(label)
    .digest()
    .subarray(0, ID_BYTES - RANDOM_BYTES);
}

/** Returns an entropy source that derives any number of values from one seed with HKDF (RFC 5869). */
function deriveEntropy(key: KeyObject, label: string): Entropy {
  const seed = createHmac('sha256', key).update(label).digest();
  let counter = 0;
  return {
    bytes(length) {
      counter += 1;
      return Buffer.from(hkdfSync('sha256', seed, '', String(counter), length));
    },
  };
}
