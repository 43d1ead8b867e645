import { z } from 'zod';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import type { ClientId } from '../domain/values.ts';
import { sessionIdFor } from '../oauth/openid/session-id.ts';
import type { LogoutOutcome, PendingLogout } from '../projections/logouts.ts';
import { OperationRefused } from './control/operation-refused.ts';
import { isoTime } from './iso-time.ts';
import { streamingOperation, type Operation } from './operation.ts';

/** The delivery of a logout token, as printed by the command line. */
interface LogoutRow {
  readonly client_id: ClientId;
  /** The `sid` that identifies the session to the client. */
  readonly sid: string;
  readonly state: 'pending' | 'delivered' | 'failed';
  /** The reason for the failure; null unless the delivery failed. */
  readonly reason: string | null;
  /** The HTTP status, if it is the reason for the failure; otherwise null. */
  readonly status: number | null;
  /** Null while pending. */
  readonly attempts: number | null;
  /** When the session ended (if pending), or when the delivery or its failure was recorded. */
  readonly at: string;
  /** The position of that event. */
  readonly position: number;
}

export const logoutOperations: Readonly<Record<string, Operation>> = {
  'client logouts': streamingOperation(
    z.strictObject({ clientId: z.string().min(1).max(OPERATION_TEXTS.clientId).nullable() }),
    async function* ({ clientId }, { projections: { clients, logouts } }) {
      if (clientId !== null && clients.find(clientId) === undefined)
        throw new OperationRefused(
          `no client has the id ${JSON.stringify(clientId)}; see: grantlog client list`,
          'unknown',
        );
      for (const logout of logouts.pending())
        if (clientId === null || logout.clientId === clientId) yield pendingRow(logout);
      for (const client of clients.all()) {
        if (clientId !== null && client.clientId !== clientId) continue;
        for (const outcome of logouts.outcomesOf(client.clientId)) yield outcomeRow(client.clientId, outcome);
      }
    },
  ),
};

function pendingRow({ clientId, sessionHash, endedAt, position }: PendingLogout): LogoutRow {
  const [sid, at] = [sessionIdFor(clientId, sessionHash), isoTime(endedAt)];
  return { client_id: clientId, sid, state: 'pending', reason: null, status: null, attempts: null, at, position };
}

function outcomeRow(clientId: ClientId, outcome: LogoutOutcome): LogoutRow {
  const { sessionHash, reason, status, attempts, at, position } = outcome;
  const [sid, state] = [sessionIdFor(clientId, sessionHash), reason === null ? 'delivered' : 'failed'] as const;
  return { client_id: clientId, sid, state, reason, status, attempts, at: isoTime(at), position };
}
