import {
  authorizationGrant,
  type Grant,
  type GrantCommand,
  type GrantEvent,
  type GrantRefusal,
} from '../../domain/authorization-grant.ts';
import { decodeEvent, encodeEvent } from '../../domain/events.ts';
import type { Resources } from '../../domain/resource.ts';
import type { EpochSeconds } from '../../domain/values.ts';
import type { EventLog, RecordedEvent, StreamName } from '../../event-store/event-log.ts';
import type { Grants } from '../../projections/grants.ts';
import type { Difference } from './outcome.ts';

/** One grant as it was and as it would have been. */
export interface SimulatedGrant {
  /** As it would have been; only its newest refresh token is kept. */
  readonly state: Grant;
  /** The refusal that ended it, or kept it from coming to be; undefined while it goes on as it did. */
  readonly refusedBy: Difference | undefined;
  /** The resource servers that it was for. */
  readonly resource: Resources;
  /** When its code ended as recorded. */
  readonly codeExpiresAt: EpochSeconds | null;
  /** When its newest access token ended, and when it would have. */
  readonly accessToken: { readonly end: EpochSeconds; readonly wouldBe: EpochSeconds } | null;
  /** When all that was issued of it had ended as recorded; null while a refresh token without an end was out. */
  readonly expiresAt: number | null;
}

/** The grants of resource owners that are in use within the window, each until it ended or ran out. */
export interface SimulatedGrants {
  /** Before `event` of its stream; one from before the window is looked up in the log. */
  find(event: RecordedEvent): Promise<SimulatedGrant>;
  decide(
    command: GrantCommand,
    grant: SimulatedGrant,
  ): { readonly refusal: GrantRefusal | undefined; readonly events: readonly GrantEvent[] };
  /** Goes on with what would have happened in place of `recorded`. */
  advance(grant: SimulatedGrant, recorded: readonly RecordedEvent[], wouldBe: readonly GrantEvent[]): void;
  /** Goes on without what was recorded: it would have been refused. */
  reject(grant: SimulatedGrant, recorded: readonly RecordedEvent[], by: Difference): void;
  /** Whatever else happened, would have happened. */
  apply(event: RecordedEvent): void;
}

/** Nothing can be done with what ran out so long ago. */
const MARGIN_SECONDS = 300;
const EVENTS_BETWEEN_SWEEPS = 100_000;

/** Before anything came of it. */
export const EMPTY_GRANT: SimulatedGrant = {
  state: authorizationGrant.initial,
  refusedBy: undefined,
  resource: [],
  codeExpiresAt: null,
  accessToken: null,
  expiresAt: 0,
};

export function createSimulatedGrants(
  log: Pick<EventLog, 'readStreamBackwards'>,
  live: Pick<Grants, 'apply'>,
): SimulatedGrants {
  const grants = new Map<StreamName, SimulatedGrant>();
  let swept = 0;

  function keep(stream: StreamName, grant: SimulatedGrant, { recordedAt, position }: RecordedEvent): void {
    grants.set(stream, grant);
    if (position - swept < EVENTS_BETWEEN_SWEEPS) return;
    swept = position;
    for (const [name, { expiresAt: end }] of grants)
      if (end !== null && end + MARGIN_SECONDS < recordedAt / 1000) grants.delete(name);
  }

  /** From the newest summary before `event` on, or from the grant's first event. */
  async function lookUp(event: RecordedEvent): Promise<SimulatedGrant> {
    const newestFirst: GrantEvent[] = [];
    reading: for await (const page of log.readStreamBackwards(event.stream, event)) {
      for (const recorded of page) {
        if (recorded.position === event.position) continue;
        const earlier = decodeEvent(recorded) as GrantEvent;
        newestFirst.push(earlier);
        if (authorizationGrant.isSummary?.(earlier) === true) break reading;
      }
    }
    return newestFirst.reduceRight((grant, earlier) => advanceGrant(grant, earlier, earlier), EMPTY_GRANT);
  }

  return {
    find: async (event) => grants.get(event.stream) ?? (await lookUp(event)),

    decide(command, { state }) {
      const { events, refusal } = authorizationGrant.decide(command, state);
      return { events, refusal };
    },

    advance(before, recorded, wouldBe) {
      let grant = before;
      for (const event of recorded) {
        const was = decodeEvent(event) as GrantEvent;
        const said = wouldBe.find(({ type }) => type === was.type) ?? was;
        grant = advanceGrant(grant, was, said);
        live.apply(isSameEvent(was, said) ? event : { ...event, ...encodeEvent(said) });
      }
      const [first] = recorded;
      if (first !== undefined) keep(first.stream, grant, first);
    },

    reject(before, recorded, by) {
      const [first] = recorded;
      if (first === undefined) return;
      const grant = recorded
        .map((event) => decodeEvent(event) as GrantEvent)
        .reduce((so, was) => ({ ...so, expiresAt: laterExpiry(so.expiresAt, was) }), before);
      keep(first.stream, { ...grant, refusedBy: before.refusedBy ?? by }, first);
    },

    apply(event) {
      if (event.type === 'GrantRevoked') grants.delete(event.stream);
      live.apply(event);
    },
  };
}

function advanceGrant(grant: SimulatedGrant, was: GrantEvent, said: GrantEvent): SimulatedGrant {
  const state = withoutHistory(authorizationGrant.evolve(grant.state, said));
  const end = laterExpiry(grant.expiresAt, was);
  switch (was.type) {
    case 'AuthorizationCodeIssued':
      return { ...grant, state, expiresAt: end, resource: was.data.resource ?? [], codeExpiresAt: was.data.expiresAt };
    case 'RefreshTokenIssued':
      return { ...grant, state, expiresAt: end, resource: was.data.resource ?? [] };
    case 'AccessTokenIssued': {
      const wouldBe = said.type === 'AccessTokenIssued' ? said.data.expiresAt : was.data.expiresAt;
      return { ...grant, state, expiresAt: end, accessToken: { end: was.data.expiresAt, wouldBe } };
    }
    case 'GrantSummarized': {
      const {
        resource = [],
        refreshToken: { expiresAt },
        accessToken: { expiresAt: wouldBe },
      } = was.data;
      const usableUntil = expiresAt === null ? null : Math.max(expiresAt, wouldBe);
      return { ...grant, state, expiresAt: usableUntil, resource, accessToken: { end: wouldBe, wouldBe } };
    }
    case 'ConsentGiven':
    case 'AuthorizationCodeRedeemed':
    case 'RefreshTokenRotated':
    case 'GrantRevoked':
    default:
      return { ...grant, state, expiresAt: end };
  }
}

/** A spent refresh token gets nothing, a lost answer given again leaves no event, and a summary says nothing new. */
function withoutHistory(state: Grant): Grant {
  return state.refresh === null
    ? state
    : { ...state, refresh: { ...state.refresh, rotation: null, rotationsSinceSummary: 0 } };
}

function laterExpiry(end: number | null, { data }: GrantEvent): number | null {
  if (end === null || !('expiresAt' in data)) return end;
  return data.expiresAt === null ? null : Math.max(end, data.expiresAt);
}

function isSameEvent(was: GrantEvent, said: GrantEvent): boolean {
  return was === said || JSON.stringify(was.data) === JSON.stringify(said.data);
}
