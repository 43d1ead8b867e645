import { z } from 'zod';
import { observedClient } from '../domain/streams.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import type { OperationContext } from './operation-context.ts';
import { basedOn, operation, type Operation } from './operation.ts';
import { requireClient, unknownClientError } from './require-client.ts';

const input = z.strictObject({ clientId: z.string().min(1).max(OPERATION_TEXTS.clientId) });

/** Operations that disable and enable a client. Disabling a client suspends it without revoking grants or tokens. */
export const clientStatusOperations: Readonly<Record<string, Operation>> = {
  'client disable': statusOperation(true),
  'client enable': statusOperation(false),
};

function statusOperation(isDisabled: boolean): Operation {
  return operation(input, async ({ clientId }, context: OperationContext) => {
    const client = requireClient(clientId, context);
    if (
      !(await context.registration.setDisabled(client.clientId, isDisabled, basedOn(context, observedClient(client))))
    )
      throw unknownClientError(clientId);
    return { client_id: client.clientId, disabled: isDisabled };
  });
}
