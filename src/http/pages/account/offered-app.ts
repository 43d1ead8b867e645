import type { OfferedApp } from '../../../accounts/second-factor-changes.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import type { SecretsShownOnce } from '../applications/secrets-shown-once.ts';
import { qrCode } from '../qr-code.ts';

/** Returns the locals of a form that offers an authenticator app. */
export function offeredAppLocals({ secret, uri }: OfferedApp) {
  return { secret: (secret.match(/.{1,4}/g) ?? []).join(' '), uri, qrCode: qrCode(uri) };
}

/** The path of the page that shows new recovery codes once. */
export const NEW_CODES_PATH = '/accounts/two-step/codes/';

/**
 * Redirects to the page that shows new recovery codes once, from which the user continues to `next`. If the session has
 * ended in the meantime, redirects to `next` immediately.
 */
export function showNewCodes(
  ctx: RequestContext,
  secretsShownOnce: Pick<SecretsShownOnce, 'redirect'>,
  recoveryCodes: readonly string[],
  next: string,
): void {
  const caller = ctx.state.webSession.loggedInUser();
  if (caller === undefined) return ctx.redirect(next);
  secretsShownOnce.redirect(ctx, caller, NEW_CODES_PATH, JSON.stringify({ recoveryCodes, next }));
}
