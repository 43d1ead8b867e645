import { z } from 'zod';
import { english } from '../language/english.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { EXCHANGE_MODES } from '../domain/values.ts';
import { exchangePolicyWarning } from '../oauth/exchange/policy-rules.ts';
import type { ExchangePolicy } from '../projections/exchange-policies.ts';
import { OperationRefused } from './control/operation-refused.ts';
import { invalidFields } from './invalid-fields.ts';
import { isoTime } from './iso-time.ts';
import type { OperationContext } from './operation-context.ts';
import { operation, streamingOperation, type Operation } from './operation.ts';
import { requireClient, unknownClientError } from './require-client.ts';

const clientId = z.string().min(1).max(OPERATION_TEXTS.clientId);
const pair = { clientId, subjectClientId: clientId };
const nullableTexts = z.array(z.string().max(OPERATION_TEXTS.checkedText)).nullable();

/** An exchange policy, as shown to operators. */
interface ExchangePolicyRow {
  readonly client_id: string;
  readonly client_name: string | null;
  readonly subject_client_id: string;
  readonly subject_client_name: string | null;
  readonly modes: readonly string[];
  /** Null if the policy does not limit the scope. */
  readonly scope: readonly string[] | null;
  /** Null if the policy does not limit the resource servers. */
  readonly resources: readonly string[] | null;
  readonly changed_at: string;
  /** Present while the policy has no effect, because the client may not exchange tokens; explains the remedy. */
  readonly warning?: string;
}

function toRow(policy: ExchangePolicy, { projections: { clients } }: OperationContext): ExchangePolicyRow {
  const { modes, scope, resources } = policy;
  const client = clients.find(policy.clientId);
  const warning = exchangePolicyWarning(client);
  // The command in the warning replaces all of the client's grant types, so it must repeat the current ones.
  const grants = [...(client?.grantTypes ?? []), 'token-exchange'].map((grant) => ` --grant ${grant}`).join('');
  return {
    client_id: policy.clientId,
    client_name: clients.find(policy.clientId)?.name ?? null,
    subject_client_id: policy.subjectClientId,
    subject_client_name: clients.find(policy.subjectClientId)?.name ?? null,
    modes,
    scope,
    resources,
    changed_at: isoTime(policy.changedAt),
    ...(warning !== undefined && {
      warning: `${english.text(warning)} Run: grantlog client update ${policy.clientId}${grants}`,
    }),
  };
}

function requirePolicy(
  clientPair: { readonly clientId: string; readonly subjectClientId: string },
  { projections }: OperationContext,
): ExchangePolicy {
  const policy = projections.exchangePolicies.find(clientPair.clientId, clientPair.subjectClientId);
  if (policy !== undefined) return policy;
  for (const id of [clientPair.clientId, clientPair.subjectClientId])
    if (projections.clients.find(id) === undefined) throw unknownClientError(id);
  const [client, subject] = [clientPair.clientId, clientPair.subjectClientId].map((id) => {
    const name = projections.clients.find(id)?.name;
    return name === undefined ? JSON.stringify(id) : `${JSON.stringify(name)} (${id})`;
  });
  throw new OperationRefused(
    `no policy lets client ${client} exchange tokens issued to client ${subject}; see: grantlog exchange-policy list`,
    'unknown',
  );
}

export const exchangePolicyOperations: Readonly<Record<string, Operation>> = {
  'exchange-policy set': operation(
    z.strictObject({ ...pair, modes: z.array(z.enum(EXCHANGE_MODES)), scope: nullableTexts, resources: nullableTexts }),
    async ({ clientId: client, subjectClientId: subject, ...fields }, context) => {
      const clients = {
        clientId: requireClient(client, context).clientId,
        subjectClientId: requireClient(subject, context).clientId,
      };
      const result = await context.exchangePolicyRegistry.set(clients, fields, context.cause);
      if ('errors' in result) throw invalidFields(result.errors);
      return toRow(result.policy, context);
    },
  ),

  'exchange-policy list': streamingOperation(z.strictObject({}), async function* (_input, context) {
    for (const policy of context.projections.exchangePolicies.all()) yield toRow(policy, context);
  }),

  'exchange-policy show': operation(z.strictObject(pair), (clientPair, context) =>
    toRow(requirePolicy(clientPair, context), context),
  ),

  'exchange-policy remove': operation(z.strictObject(pair), async (clientPair, context) => {
    const policy = requirePolicy(clientPair, context);
    const { client_id, client_name, subject_client_id, subject_client_name } = toRow(policy, context);
    await context.exchangePolicyRegistry.remove(policy, context.cause);
    return { client_id, client_name, subject_client_id, subject_client_name };
  }),
};
