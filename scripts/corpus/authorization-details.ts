import { REFRESHES_PER_SUMMARY } from '../../src/domain/authorization-grant.ts';
import { approvedCode, asking, redeemCode, refreshWith, registerBank } from '../../test/support/details.ts';
import { RENT } from '../../test/support/detail-types.ts';
import type { RunningService, TestUser } from '../../test/support/running-service.ts';
import { answered } from './expect-answer.ts';

/**
 * Authorization details (RFC 9396): a payment that a user approves, whose token is narrowed until the grant is
 * summarized, and one of a client for itself that is registered for the type.
 */
export async function authorizationDetails(running: RunningService, user: TestUser): Promise<void> {
  await registerBank(running);
  const shop = await running.addClient({
    name: 'Shop',
    grantTypes: ['authorization-code', 'client-credentials'],
    detailTypes: [RENT.type],
  });
  const status = asking({ ...RENT, actions: ['status'] });
  let { refresh_token: token } = await answered(redeemCode(running, shop, await approvedCode(running, shop, user)));
  for (let refreshes = 0; refreshes <= REFRESHES_PER_SUMMARY; refreshes += 1) {
    running.clock.advance(60);
    ({ refresh_token: token } = await answered(refreshWith(running, shop, token, status)));
  }
  await answered(running.token(shop, { grant_type: 'client_credentials', ...asking(RENT) }));
}
