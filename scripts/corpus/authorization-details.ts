import { REFRESHES_PER_SUMMARY } from '../../src/domain/authorization-grant.ts';
import { approveForCode, detailsParameter, redeemCode, refreshWith, registerBank } from '../../test/support/details.ts';
import { RENT } from '../../test/support/detail-types.ts';
import { addManager, create, merge, obtain } from '../../test/support/managed-grants.ts';
import type { RunningService, TestClient, TestUser } from '../../test/support/running-service.ts';
import { allowExchange, exchangeForToken } from '../../test/support/token-exchange.ts';
import { expectTokens } from './expect-tokens.ts';

/**
 * Records authorization details (RFC 9396): a user approves a payment, and refreshes narrow its token until the grant
 * is summarized. A client that is registered for the type gets a token with a detail for itself.
 */
export async function recordAuthorizationDetails(running: RunningService, user: TestUser): Promise<void> {
  await registerBank(running);
  const shop = await running.addClient({
    name: 'Shop',
    grantTypes: ['authorization-code', 'client-credentials'],
    detailTypes: [RENT.type],
  });
  const status = detailsParameter({ ...RENT, actions: ['status'] });
  let { refresh_token: token } = await expectTokens(
    redeemCode(running, shop, await approveForCode(running, shop, user)),
  );
  for (let refreshes = 0; refreshes <= REFRESHES_PER_SUMMARY; refreshes += 1) {
    running.clock.advance(60);
    ({ refresh_token: token } = await expectTokens(refreshWith(running, shop, token, status)));
  }
  await expectTokens(running.token(shop, { grant_type: 'client_credentials', ...detailsParameter(RENT) }));
  await exchangeAndMerge(running, user, status);
}

/** Narrows a detail along a chain, and merges into a managed grant, which keeps its detail. */
async function exchangeAndMerge(
  running: RunningService,
  user: TestUser,
  status: Readonly<Record<string, string>>,
): Promise<void> {
  const [bank, api] = [await addManager(running, { name: 'Pays' }), await addExchanger(running, 'Payment API')];
  const next = await addExchanger(running, 'Ledger API');
  await allowExchange(running, api, bank);
  await allowExchange(running, next, api);
  const { id, access } = await obtain(running, bank, user, { ...detailsParameter(RENT), ...create });
  await exchangeForToken(running, next, await exchangeForToken(running, api, access, status));
  await obtain(running, bank, user, { ...status, ...merge(id) });
}

const addExchanger = (running: RunningService, name: string): Promise<TestClient> =>
  running.addClient({ name, grantTypes: ['token-exchange'], redirectUris: [] });
