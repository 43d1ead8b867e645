import { createReceipt, type ReceiptDeps } from '../../../audit/queries/receipt.ts';
import type { GrantId } from '../../../domain/values.ts';
import { createSemaphore } from '../../../platform/semaphore.ts';
import { notFound } from '../../pipeline/page-error.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import { requireLogin } from '../../pipeline/require-login.ts';
import type { Route } from '../../route.ts';
import { runQueued } from '../audit/run-queued.ts';
import { createPageRouter } from '../page-router.ts';

export interface ReceiptRoutesDeps extends ReceiptDeps {
  readonly settings: { readonly loginUrl: string };
}

/** Limits the load, because creating a receipt reads the events of its grant and a few tiles. */
const LIMITS = { maxConcurrent: 2, maxPending: 32 };

/**
 * Routes for downloading the receipts of the user's authorizations, including authorizations that have ended. A receipt
 * proves that the log contains the user's consent.
 */
export function receiptRoutes(deps: ReceiptRoutesDeps): readonly Route[] {
  const { settings } = deps;
  const semaphore = createSemaphore(LIMITS.maxConcurrent, LIMITS);
  const router = createPageRouter({ prefix: '/o/authorized_tokens' });

  router.get(
    '/:id/receipt',
    requireLogin(settings.loginUrl, async (ctx, { user }) => {
      const grantId = pathParameter(ctx, 'id') as GrantId;
      const receipt = await runQueued(semaphore, () => createReceipt(grantId, deps, user.userId));
      if (receipt === undefined) throw notFound();
      ctx.attachment(`receipt-${receipt.consentedAt.slice(0, 10)}-${grantId.slice(0, 6)}.json`);
      ctx.type = 'application/json';
      ctx.body = `${JSON.stringify(receipt, null, 2)}\n`;
    }),
  );

  return router.routes;
}
