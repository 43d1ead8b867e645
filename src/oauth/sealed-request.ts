import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { Parameters } from './parameters.ts';

/**
 * An authorization request as it was shown, carried by the consent form. Nobody can change it on the
 * way, use it in another session, or after it has aged: what is approved is what was read.
 */
export interface RequestSeal {
  /** @param binding what the form belongs to, such as the session and its user */
  seal(parameters: Parameters, binding: string, now: number): string;
  /** The parameters sealed; undefined when anything about them is not as it was. `now` in seconds since the epoch. */
  open(sealed: string, binding: string, now: number): Parameters | undefined;
}

const LIFETIME_SECONDS = 3_600;

export function createRequestSeal(key: KeyObject): RequestSeal {
  const sign = (payload: string, binding: string): Buffer =>
    createHmac('sha256', key).update(JSON.stringify(['authorization request', binding, payload])).digest();

  return {
    seal(parameters, binding, now) {
      const payload = Buffer.from(JSON.stringify({ until: now + LIFETIME_SECONDS, parameters: [...parameters] })).toString('base64url');
      return `${payload}.${sign(payload, binding).toString('base64url')}`;
    },

    open(sealed, binding, now) {
      const [payload = '', signature = ''] = sealed.split('.');
      const presented = Buffer.from(signature, 'base64url');
      const expected = sign(payload, binding);
      if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) return undefined;
      const { until, parameters } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
        until: number;
        parameters: [string, string][];
      };
      return now < until ? new Map(parameters) : undefined;
    },
  };
}
