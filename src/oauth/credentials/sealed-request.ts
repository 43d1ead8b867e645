import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { isIssueTimeValid } from '../../domain/clock.ts';
import type { ParameterName } from '../../config/input-limits.ts';
import type { RotatingKey } from '../../platform/keys/rotating-key.ts';
import type { Entropy } from '../../platform/ports.ts';
import { mintNonce } from './credentials.ts';
import type { Parameters } from '../endpoints/parameters.ts';

/** Describes what a consent form shows. */
interface FormDescription {
  /** The language, hash and client name of the text that the form showed; empty if the form records no text. */
  readonly shown: string;
  /** The hash of the document that described the client; undefined if the client has no document. */
  readonly documentHash: string | undefined;
}

/** The content of a consent form: the authorization request, and a nonce that identifies the form. */
export interface OpenedRequest extends FormDescription {
  readonly parameters: Parameters;
  /** 256 random bits, known only to the browser that shows the form. Posting the form again sends the same nonce. */
  readonly nonce: string;
}

/**
 * Protects the authorization request in a consent form with a MAC. The form cannot be changed, used in a different
 * session or posted after it has expired, so users approve exactly what they have seen.
 */
export interface RequestSeal {
  /**
   * Returns the content of a form, with its MAC.
   * @param binding what the form is bound to, such as the session and its user
   * @param now in seconds since the epoch
   * @param description what the form shows, as far as the form records it
   */
  seal(
    parameters: ReadonlyMap<string, string>,
    binding: string,
    now: number,
    description?: Partial<FormDescription>,
  ): string;
  /**
   * Returns the content of the form, or undefined if it has been changed, is bound to something else or has expired.
   * @param now in seconds since the epoch
   */
  open(sealedForm: string, binding: string, now: number): OpenedRequest | undefined;
}

const LIFETIME_SECONDS = 3_600;

export function createRequestSeal(key: RotatingKey, entropy: Entropy): RequestSeal {
  return {
    seal(parameters, binding, now, { shown = '', documentHash } = {}) {
      const expiresAt = now + LIFETIME_SECONDS;
      const form = { until: expiresAt, nonce: mintNonce(entropy), parameters: [...parameters], shown, documentHash };
      const payload = Buffer.from(JSON.stringify(form)).toString('base64url');
      return `${payload}.${computeMac(payload, binding, key.current()).toString('base64url')}`;
    },

    open(sealedForm, binding, now) {
      const [payload = '', mac = ''] = sealedForm.split('.');
      const presentedMac = Buffer.from(mac, 'base64url');
      if (!key.accepted().some((secret) => isSameMac(presentedMac, computeMac(payload, binding, secret))))
        return undefined;
      const {
        until: expiresAt,
        nonce,
        parameters,
        shown = '',
        documentHash,
      } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
        until: number;
        nonce: string;
        parameters: [ParameterName, string][];
        /** Absent in forms from earlier releases. */
        shown?: string;
        documentHash?: string;
      };
      // Refuses forms that were created while the clock was ahead.
      const isValid = now < expiresAt && isIssueTimeValid(expiresAt - LIFETIME_SECONDS, now);
      return isValid ? { parameters: new Map(parameters), nonce, shown, documentHash } : undefined;
    },
  };
}

function isSameMac(presented: Buffer, expected: Buffer): boolean {
  return presented.length === expected.length && timingSafeEqual(presented, expected);
}

function computeMac(payload: string, binding: string, secret: KeyObject): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['authorization request', binding, payload]))
    .digest();
}
