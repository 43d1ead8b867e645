import { LOGOUT_FAILURES } from '../../../audit/queries/logout-failure.ts';
import type { LogoutFailureReason } from '../../../domain/events.ts';
import { message, type Text } from '../../../language/message.ts';
import { sessionIdFor } from '../../../oauth/openid/session-id.ts';
import type { Client } from '../../../projections/clients.ts';
import type { Logouts } from '../../../projections/logouts.ts';
import type { ApplicationRefusalsLocals } from './locals.ts';

/**
 * Returns the locals for an application's logout tokens, or null if the application has no back-channel logout URI and
 * no pending or past deliveries.
 */
export function logoutLocals(
  { clientId, openid }: Pick<Client, 'clientId' | 'openid'>,
  logouts: Pick<Logouts, 'pendingOf' | 'outcomesOf'>,
): ApplicationRefusalsLocals['logouts'] {
  const pendingCount = logouts.pendingOf(clientId).length;
  const outcomes = logouts.outcomesOf(clientId);
  if (openid.backchannelLogoutUri === null && pendingCount === 0 && outcomes.length === 0) return null;
  return {
    pending: pendingCount,
    outcomes: outcomes.map(({ sessionHash, reason, status, attempts, at }) => ({
      sid: sessionIdFor(clientId, sessionHash),
      at,
      attempts,
      failure: reason === null ? null : formatFailure(reason, status ?? null),
    })),
  };
}

function formatFailure(failure: LogoutFailureReason, status: number | null): Text {
  const reason = message(LOGOUT_FAILURES[failure]);
  return status === null
    ? message('logouts.failed', { reason })
    : message('logouts.failed-with-status', { reason, status: String(status) });
}
