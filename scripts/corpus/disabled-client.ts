import type { ClientId } from '../../src/domain/values.ts';
import type { RunningService } from '../../test/support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

/** Disables two new clients, and enables the first one again. */
export async function recordDisabledClients(running: RunningService): Promise<void> {
  const { registration } = running.service();
  const [first, second] = [await running.addClient(), await running.addClient()];
  await registration.setDisabled(first.id as ClientId, true, OPERATOR);
  await registration.setDisabled(second.id as ClientId, true, OPERATOR);
  await registration.setDisabled(first.id as ClientId, false, OPERATOR);
}
