import type { PasswordSender } from '../../../accounts/guarded-passwords.ts';
import { readTrustedBrowser } from '../../pipeline/browser-cookie.ts';
import type { RequestContext } from '../../pipeline/state.ts';

/** Returns the sender of a request with a password or a second factor, for the limits on guesses. */
export function passwordSender(
  ctx: RequestContext,
  { addressOf }: { readonly addressOf: (ctx: RequestContext) => string },
): PasswordSender {
  return { address: addressOf(ctx), browser: readTrustedBrowser(ctx), once: ctx.state.once };
}
