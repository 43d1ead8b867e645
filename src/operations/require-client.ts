import type { Client } from '../projections/clients.ts';
import { OperationRefused } from './control/operation-refused.ts';
import type { OperationContext } from './operation-context.ts';

/**
 * Finds a client by its id.
 * @throws OperationRefused if no client has this id
 */
export function requireClient(id: string, { projections }: OperationContext): Client {
  const client = projections.clients.find(id);
  if (client === undefined) throw unknownClientError(id);
  return client;
}

/** Returns the refusal to create a secret for a client that cannot keep one. */
export function publicClientRefusal(id: string): OperationRefused {
  return new OperationRefused(`${id} is a public client and has no secret`, 'conflict');
}

/** Returns the refusal for an operation on a client that does not exist. */
export function unknownClientError(id: string): OperationRefused {
  return new OperationRefused(`no client has the id ${JSON.stringify(id)}; see: grantlog client list`, 'unknown');
}
