import type { Clock } from '../ports.ts';
import type { EventLog } from '../eventsourcing/event-log.ts';
import { decodeEvent, type EventOf } from '../domain/events.ts';
import { grantStream } from '../domain/streams.ts';
import type { CredentialHash, GrantId } from '../domain/values.ts';
import type { Happened } from '../refusals/refusal.ts';

/** What the log has of a grant that something was refused under. */
export interface GrantHistory {
  readonly code: EventOf<'AuthorizationCodeIssued'>['data'] | null;
  readonly redeemed: Happened | null;
  readonly firstRefresh: EventOf<'RefreshTokenIssued'>['data'] | null;
  readonly rotations: readonly (Happened & EventOf<'RefreshTokenRotated'>['data'])[];
  readonly revoked: (Happened & EventOf<'GrantRevoked'>['data']) | null;
}

/** The grant's history; null where it is not looked up, because too much was refused in this second. */
export type ReadGrantHistory = (grantId: GrantId, isProven: boolean) => Promise<GrantHistory | null>;

/** Explaining must not cost more than refusing did: so many look-ups a second, and what strangers send does not use up the others'. */
const LOOK_UPS_A_SECOND = 50;

export function createGrantHistory({ log, clock }: { readonly log: Pick<EventLog, 'readStream'>; readonly clock: Clock }): ReadGrantHistory {
  const budgets = { proven: createBudget(), others: createBudget() };

  return async (grantId, isProven) => {
    const now = Math.floor(clock.now() / 1000);
    if (!budgets[isProven ? 'proven' : 'others'](now)) return null;
    const { events } = await log.readStream(grantStream(grantId));
    const told = events.map((recorded) => ({
      ...decodeEvent(recorded),
      happened: { position: recorded.position, secondsAgo: now - Math.floor(recorded.recordedAt / 1000) },
    }));
    const revoked = told.find((event) => event.type === 'GrantRevoked');
    return {
      code: told.find((event) => event.type === 'AuthorizationCodeIssued')?.data ?? null,
      redeemed: told.find((event) => event.type === 'AuthorizationCodeRedeemed')?.happened ?? null,
      firstRefresh: told.find((event) => event.type === 'RefreshTokenIssued')?.data ?? null,
      rotations: told.flatMap((event) => (event.type === 'RefreshTokenRotated' ? [{ ...event.happened, ...event.data }] : [])),
      revoked: revoked === undefined ? null : { ...revoked.happened, ...revoked.data },
    };
  };
}

function createBudget(): (second: number) => boolean {
  let [at, left] = [0, 0];
  return (second) => {
    if (second !== at) [at, left] = [second, LOOK_UPS_A_SECOND];
    left -= 1;
    return left >= 0;
  };
}

/** When a refresh token of the grant ends; undefined when it never was one of its. */
export function expiryOfRefreshToken({ firstRefresh, rotations }: GrantHistory, hash: CredentialHash): { readonly expiresAt: number | null } | undefined {
  return [...(firstRefresh === null ? [] : [firstRefresh]), ...rotations].find(({ tokenHash }) => tokenHash === hash);
}
