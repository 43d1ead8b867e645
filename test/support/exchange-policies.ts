import type { ExchangePolicyFields } from '../../src/oauth/exchange/policy-rules.ts';
import type { ExchangePolicy } from '../../src/projections/exchange-policies.ts';
import type { RunningService, TestClient } from './running-service.ts';

/** Lets `client` exchange tokens issued to `subject`, by default with delegation and without other limits. */
export async function setExchangePolicy(
  running: Pick<RunningService, 'service'>,
  client: Pick<TestClient, 'id'>,
  subject: Pick<TestClient, 'id'>,
  fields: Partial<ExchangePolicyFields> = {},
): Promise<ExchangePolicy> {
  const result = await running
    .service()
    .exchangePolicyRegistry.set(
      { clientId: client.id, subjectClientId: subject.id },
      { modes: ['delegation'], scope: null, resources: null, ...fields },
      { actor: { kind: 'operator' }, requestId: null },
    );
  if ('errors' in result) throw new Error(JSON.stringify(result.errors));
  return result.policy;
}
