import { z } from 'zod';
import { observedClient } from '../domain/streams.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import type { ClientKey } from '../domain/client-authentication.ts';
import type { Client } from '../projections/clients.ts';
import { parseClientKeys, toKeyRow } from './client-authentication.ts';
import { OperationRefused } from './control/operation-refused.ts';
import type { OperationContext } from './operation-context.ts';
import { basedOn, operation, streamingOperation, type Operation } from './operation.ts';
import { requireClient } from './require-client.ts';
import { english } from '../language/english.ts';

const clientId = z.string().min(1).max(OPERATION_TEXTS.clientId);

/**
 * Operations on the keys of clients. Registered keys can be replaced without interruption: add the new key, deploy it,
 * and remove the old one.
 */
export const clientKeyOperations: Readonly<Record<string, Operation>> = {
  'client keys': streamingOperation(z.strictObject({ clientId }), async function* (input, context) {
    const client = requireClient(input.clientId, context);
    const { allKeys, problem } = await context.findClientKeys(client, () => true);
    if (allKeys.length === 0 && problem !== null)
      throw new OperationRefused(`${client.authentication.keysUri} ${english.text(problem)}`);
    for (const key of allKeys) yield toKeyRow(key, client);
  }),

  'client keys add': operation(
    z.strictObject({ clientId, jwks: z.string().max(OPERATION_TEXTS.jwks) }),
    async (input, context) => {
      const client = requireRegisteredKeys(requireClient(input.clientId, context));
      const existingKeys = client.authentication.keys;
      const newKeys = (await parseClientKeys(input.jwks)).filter(
        (key) => !existingKeys.some(({ keyId }) => keyId === key.keyId),
      );
      return setKeys(client, [...existingKeys, ...newKeys], context);
    },
  ),

  'client keys remove': operation(
    z.strictObject({ clientId, key: z.string().min(1).max(OPERATION_TEXTS.checkedText) }),
    async (input, context) => {
      const client = requireRegisteredKeys(requireClient(input.clientId, context));
      const existingKeys = client.authentication.keys;
      const remainingKeys = existingKeys.filter(({ keyId, kid }) => keyId !== input.key && kid !== input.key);
      if (remainingKeys.length === existingKeys.length) throw unknownClientKeyError(client.clientId, input.key);
      return setKeys(client, remainingKeys, context);
    },
  ),
};

/** Returns the error for a key that the client does not have. */
export function unknownClientKeyError(id: string, key: string): OperationRefused {
  return new OperationRefused(
    `${id} has no key with the thumbprint or kid ${JSON.stringify(key)}; see: grantlog client keys ${id}`,
    'unknown',
  );
}

/**
 * Returns the client if its keys are registered here.
 * @throws OperationRefused if the client publishes its keys
 */
function requireRegisteredKeys(client: Client): Client {
  const { keysUri } = client.authentication;
  if (keysUri === null) return client;
  throw new OperationRefused(`${client.clientId} publishes its keys; change them at ${keysUri}`, 'conflict');
}

async function setKeys(client: Client, keys: readonly ClientKey[], context: OperationContext): Promise<object> {
  const authentication = { ...client.authentication, keys };
  const cause = basedOn(context, observedClient(client));
  const refusal = await context.registration.update(client.clientId, { ...client, authentication }, cause);
  if (refusal !== undefined)
    throw new OperationRefused(
      'errors' in refusal
        ? Object.values(refusal.errors).map(english.text).join(' ')
        : 'the client was removed; nothing was changed',
    );
  const updatedClient = requireClient(client.clientId, context);
  return {
    client_id: client.clientId,
    keys: updatedClient.authentication.keys.map((key) => toKeyRow(key, updatedClient)),
  };
}
