import { encode } from 'uqr';
import type { OfferedApp } from '../../../accounts/second-factor-changes.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import type { SecretsShownOnce } from '../applications/secrets-shown-once.ts';

/** An offered app as the page shows it. */
export function appLocals({ secret, uri }: OfferedApp) {
  return { secret: (secret.match(/.{1,4}/g) ?? []).join(' '), uri, qrCode: qrCode(uri) };
}

/** A QR code (ISO/IEC 18004) as the path of an SVG whose units are the code's modules. */
export interface QrCode {
  readonly size: number;
  readonly path: string;
}

function qrCode(text: string): QrCode {
  const { size, data } = encode(text, { border: 2 });
  const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: modules.join('') };
}

/** The address below which recovery codes are shown once. */
export const NEW_CODES = '/accounts/two-step/codes/';

/** Redirects to the page that shows new recovery codes, and from there to `next`. The user must be logged in. */
export function showNewCodes(
  ctx: RequestContext,
  secretsShownOnce: Pick<SecretsShownOnce, 'redirect'>,
  recoveryCodes: readonly string[],
  next: string,
): void {
  const caller = ctx.state.webSession.loggedInUser();
  if (caller === undefined) return ctx.redirect(next); // the session was ended at once, from elsewhere
  secretsShownOnce.redirect(ctx, caller, NEW_CODES, JSON.stringify({ recoveryCodes, next }));
}
