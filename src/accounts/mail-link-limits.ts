import { foldedEmail } from '../domain/user-name.ts';
import type { Once } from '../event-store/once.ts';
import type { RateLimits } from '../platform/limits/rate-limits.ts';
import type { LinkPurpose } from './mail-links.ts';

/**
 * Counts a link sent by e-mail against the limits for its recipient and for the server.
 * @param purpose counted separately, so that links for one purpose neither reveal nor exhaust the count for another
 * @throws TooManyAttemptsError if the e-mail must not be sent
 */
export function spendMailLink(
  limits: Pick<RateLimits, 'spend'>,
  purpose: LinkPurpose | 'membership',
  email: string,
  once: Once,
): void {
  limits.spend('mail-links-by-recipient', `${purpose} ${foldedEmail(email)}`, once);
  limits.spend('mail-links', purpose, once);
}
