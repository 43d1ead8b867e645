import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { isIssueTimeValid } from '../../domain/clock.ts';
import type { RotatingKey } from '../../platform/keys/rotating-key.ts';

/** A login that the server demands before it continues with a request. */
export interface DemandedLogin {
  /**
   * The hash of the session when the login was demanded, null if nobody was logged in, or `NOT_DEMANDED` if no login is
   * demanded. A login starts a new session.
   */
  readonly sessionHash: string | null;
  /** When the login was demanded, in seconds since the epoch. */
  readonly at: number;
}

/**
 * Seals a demanded login, with a MAC, into the URL where the browser continues after the login. As a result,
 * `prompt=login` and `max_age` cause no redirect loop, and users cannot bypass them by continuing without a login.
 */
export interface LoginSeal {
  /**
   * Returns the seal.
   * @param request identifies the request, so that the seal cannot be used for a different request
   */
  seal(demandedLogin: DemandedLogin, request: string): string;
  /**
   * Returns the demanded login, or undefined if the seal has been changed, belongs to a different request or has
   * expired.
   * @param now in seconds since the epoch
   */
  open(sealedLogin: string, request: string, now: number): DemandedLogin | undefined;
}

/**
 * Replaces the session hash if the request demands no login. The seal then shows only that this server saw the request.
 */
export const NOT_DEMANDED = '-';

const LIFETIME_SECONDS = 3_600;
const SEALED_LOGIN = /^(\d{1,12})\.([\w-]{0,64})\.([\w-]{43})$/;

export function createLoginSeal(key: RotatingKey): LoginSeal {
  return {
    seal({ sessionHash, at }, request) {
      const content = `${at}.${sessionHash ?? ''}`;
      return `${content}.${computeMac(content, request, key.current()).toString('base64url')}`;
    },

    open(sealedLogin, request, now) {
      const [, time = '', sessionHash = '', mac = ''] = SEALED_LOGIN.exec(sealedLogin) ?? [];
      const presentedMac = Buffer.from(mac, 'base64url');
      const content = `${time}.${sessionHash}`;
      if (!key.accepted().some((secret) => isSameMac(presentedMac, computeMac(content, request, secret))))
        return undefined;
      const at = Number(time);
      const isLive = now < at + LIFETIME_SECONDS && isIssueTimeValid(at, now);
      return isLive ? { sessionHash: sessionHash === '' ? null : sessionHash, at } : undefined;
    },
  };
}

/**
 * Reports whether a login is demanded, according to the unverified seal. Forging a seal is useless, because the
 * authorization endpoint then demands the login again.
 */
export function demandsLogin(sealedLogin: string): boolean {
  const [, , sessionHash] = SEALED_LOGIN.exec(sealedLogin) ?? [];
  return sessionHash !== NOT_DEMANDED;
}

/** Reports whether the session was started after the login was demanded; false if none was demanded. */
export function satisfiesDemand(
  session: { readonly sessionHash: string; readonly authenticatedAt: number },
  demandedLogin: DemandedLogin | undefined,
): boolean {
  return (
    demandedLogin !== undefined &&
    session.sessionHash !== demandedLogin.sessionHash &&
    session.authenticatedAt >= demandedLogin.at
  );
}

function isSameMac(presentedMac: Buffer, expectedMac: Buffer): boolean {
  return presentedMac.length === expectedMac.length && timingSafeEqual(presentedMac, expectedMac);
}

function computeMac(content: string, request: string, secret: KeyObject): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['demanded login', request, content]))
    .digest();
}
