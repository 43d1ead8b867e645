import type { RunningService } from '../../test/support/running-service.ts';
import { allowExchange, exchangeForToken, ownToken } from '../../test/support/token-exchange.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const FILES = 'https://files.example/mcp';

/** Sets two exchange policies, changes one, and removes the other one. */
export async function recordExchangePolicies(running: RunningService): Promise<void> {
  const { exchangePolicyRegistry: registry } = running.service();
  const client = await running.addClient({ name: 'Exchanges tokens' });
  const subject = await running.addClient({ name: 'Has tokens' });
  const pair = { clientId: client.id, subjectClientId: subject.id };
  await registry.set(pair, { modes: ['impersonation'], scope: null, resources: null }, OPERATOR);
  const changedPolicy = { modes: ['impersonation', 'delegation'], scope: ['read', 'files:read'], resources: [FILES] };
  await registry.set(pair, changedPolicy, OPERATOR);
  const ownTokens = { clientId: client.id, subjectClientId: client.id };
  const result = await registry.set(ownTokens, { modes: ['delegation'], scope: ['read'], resources: null }, OPERATOR);
  if ('errors' in result) throw new Error(JSON.stringify(result.errors));
  await registry.remove(result.policy, OPERATOR);
}

/** Exchanges a token twice, the second time for an actor, and revokes the first exchange. */
export async function recordTokenExchanges(running: RunningService): Promise<void> {
  const options = { grantTypes: ['token-exchange', 'client-credentials'], redirectUris: [] } as const;
  const subject = await running.addClient({ name: 'Is the subject', ...options });
  const first = await running.addClient({ name: 'Exchanges first', ...options });
  const secondClient = await running.addClient({ name: 'Exchanges second', ...options, accessTokenFormat: 'jwt' });
  await allowExchange(running, first, subject);
  await allowExchange(running, secondClient, first);
  const narrowedToken = await exchangeForToken(running, first, await ownToken(running, subject), { scope: 'read' });
  await exchangeForToken(running, secondClient, narrowedToken, { actor: await ownToken(running, secondClient) });
  await running.post('/o/revoke_token/', { token: narrowedToken }, { authorization: first.basic });
}
