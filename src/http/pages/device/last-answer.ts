import type { ClientId, UserId } from '../../../domain/values.ts';
import { DEVICE_CODE_SECONDS } from '../../../oauth/devices/device-codes.ts';
import { parseUserCode } from '../../../oauth/devices/user-codes.ts';
import type { RequestContext } from '../../pipeline/state.ts';

/** A user's decision about a device request. */
interface Answer {
  readonly userId: UserId;
  readonly clientId: ClientId;
  readonly isApproved: boolean;
}

type Content = readonly [userCode: string, userId: UserId, clientId: ClientId, isApproved: boolean];

/**
 * Stores the newest answer in a signed cookie. The Back button leads to the URL with the code, which cannot be used
 * again. With the cookie, the server can show the answer instead of an error.
 */
export function rememberAnswer(ctx: RequestContext, userCode: string, answer: Answer): void {
  const content: Content = [userCode, answer.userId, answer.clientId, answer.isApproved];
  ctx.cookies.set(cookieName(ctx), Buffer.from(JSON.stringify(content)).toString('base64url'), {
    signed: true,
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    maxAge: DEVICE_CODE_SECONDS * 1_000,
    overwrite: true,
  });
}

/** Returns the newest answer in this browser, or undefined if it is from another user or for a different code. */
export function readAnswer(ctx: RequestContext, enteredCode: string, userId: UserId): Answer | undefined {
  const cookie = ctx.cookies.get(cookieName(ctx), { signed: true });
  if (cookie === undefined) return undefined;
  const [userCode, answeredBy, clientId, isApproved] = JSON.parse(
    Buffer.from(cookie, 'base64url').toString(),
  ) as Content;
  const isMatch = userCode === parseUserCode(enteredCode) && answeredBy === userId;
  return isMatch ? { userId, clientId, isApproved } : undefined;
}

function cookieName({ cookies }: RequestContext): string {
  return cookies.secure ? '__Host-grantlog-device' : 'grantlog-device';
}
