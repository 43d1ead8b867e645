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
import type { Difference } from './verdict.ts';

/** One grant as it was and as it would have been. */
export interface WouldBeGrant {
  /** As it would have been; only its newest refresh token is kept. */
  readonly state: Grant;
  /** The refusal that ended it, or kept it from coming to be; undefined while it goes on as it did. */
  readonly cut: Difference | undefined;
  /** The resource servers that it was for. */
  readonly resource: Resources;
  /** When its code ended as recorded. */
  readonly codeEnd: EpochSeconds | null;
  /** When its newest access token ended, and when it would have. */
  readonly access: { readonly end: EpochSeconds; readonly wouldBe: EpochSeconds } | null;
  /** When all that was issued of it had ended as recorded; null while a refresh token without an end was out. */
  readonly end: number | null;
}

/** The grants of resource owners that are in use within the window, each until it ended or ran out. */
export interface WouldBeGrants {
  /** Before `event` of its stream; one from before the window is looked up in the log. */
  find(event: RecordedEvent): Promise<WouldBeGrant>;
  decide(
    command: GrantCommand,
    grant: WouldBeGrant,
  ): { readonly refusal: GrantRefusal | undefined; readonly events: readonly GrantEvent[] };
  /** Goes on with what would have happened in place of `recorded`. */
  goOn(grant: WouldBeGrant, recorded: readonly RecordedEvent[], wouldBe: readonly GrantEvent[]): void;
  /** Goes on without what was recorded: it would have been refused. */
  cutOff(grant: WouldBeGrant, recorded: readonly RecordedEvent[], by: Difference): void;
  /** Whatever else happened, would have happened. */
  apply(event: RecordedEvent): void;
}

/** Nothing can be done with what ran out so long ago. */
const MARGIN_SECONDS = 300;
const EVENTS_BETWEEN_SWEEPS = 100_000;

/** Before anything came of it. */
export const NOTHING_GRANTED: WouldBeGrant = {
  state: authorizationGrant.initial,
  cut: undefined,
  resource: [],
  codeEnd: null,
  access: null,
  end: 0,
};

export function createWouldBeGrants(log: Pick<EventLog, 'readStreamBack'>, live: Pick<Grants, 'apply'>): WouldBeGrants {
  const grants = new Map<StreamName, WouldBeGrant>();
  let swept = 0;

  function keep(stream: StreamName, grant: WouldBeGrant, { recordedAt, position }: RecordedEvent): void {
    grants.set(stream, grant);
    if (position - swept < EVENTS_BETWEEN_SWEEPS) return;
    swept = position;
    for (const [name, { end }] of grants)
      if (end !== null && end + MARGIN_SECONDS < recordedAt / 1000) grants.delete(name);
  }

  /** From the newest summary before `event` on, or from the grant's first event. */
  async function lookUp(event: RecordedEvent): Promise<WouldBeGrant> {
    const newestFirst: GrantEvent[] = [];
    reading: for await (const page of log.readStreamBack(event.stream, event)) {
      for (const recorded of page) {
        if (recorded.position === event.position) continue;
        const earlier = decodeEvent(recorded) as GrantEvent;
        newestFirst.push(earlier);
        if (authorizationGrant.isSummary?.(earlier) === true) break reading;
      }
    }
    return newestFirst.reduceRight((grant, earlier) => advanced(grant, earlier, earlier), NOTHING_GRANTED);
  }

  return {
    find: async (event) => grants.get(event.stream) ?? (await lookUp(event)),

    decide(command, { state }) {
      const { events, refusal } = authorizationGrant.decide(command, state);
      return { events, refusal };
    },

    goOn(before, recorded, wouldBe) {
      let grant = before;
      for (const event of recorded) {
        const was = decodeEvent(event) as GrantEvent;
        const said = wouldBe.find(({ type }) => type === was.type) ?? was;
        grant = advanced(grant, was, said);
        live.apply(isSame(was, said) ? event : { ...event, ...encodeEvent(said) });
      }
      const [first] = recorded;
      if (first !== undefined) keep(first.stream, grant, first);
    },

    cutOff(before, recorded, by) {
      const [first] = recorded;
      if (first === undefined) return;
      const grant = recorded
        .map((event) => decodeEvent(event) as GrantEvent)
        .reduce((so, was) => ({ ...so, end: laterEnd(so.end, was) }), before);
      keep(first.stream, { ...grant, cut: before.cut ?? by }, first);
    },

    apply(event) {
      if (event.type === 'GrantRevoked') grants.delete(event.stream);
      live.apply(event);
    },
  };
}

function advanced(grant: WouldBeGrant, was: GrantEvent, said: GrantEvent): WouldBeGrant {
  const state = withoutPast(authorizationGrant.evolve(grant.state, said));
  const end = laterEnd(grant.end, was);
  switch (was.type) {
    case 'AuthorizationCodeIssued':
      return { ...grant, state, end, resource: was.data.resource ?? [], codeEnd: was.data.expiresAt };
    case 'RefreshTokenIssued':
      return { ...grant, state, end, resource: was.data.resource ?? [] };
    case 'AccessTokenIssued': {
      const wouldBe = said.type === 'AccessTokenIssued' ? said.data.expiresAt : was.data.expiresAt;
      return { ...grant, state, end, access: { end: was.data.expiresAt, wouldBe } };
    }
    case 'GrantSummarized': {
      const {
        resource = [],
        refreshToken: { expiresAt },
        accessToken: { expiresAt: wouldBe },
      } = was.data;
      const usableUntil = expiresAt === null ? null : Math.max(expiresAt, wouldBe);
      return { ...grant, state, end: usableUntil, resource, access: { end: wouldBe, wouldBe } };
    }
    case 'ConsentGiven':
    case 'AuthorizationCodeRedeemed':
    case 'RefreshTokenRotated':
    case 'GrantRevoked':
    default:
      return { ...grant, state, end };
  }
}

/** A spent refresh token gets nothing, a lost answer given again leaves no event, and a summary says nothing new. */
function withoutPast(state: Grant): Grant {
  return state.refresh === null ? state : { ...state, refresh: { ...state.refresh, rotation: null, unsummarized: 0 } };
}

function laterEnd(end: number | null, { data }: GrantEvent): number | null {
  if (end === null || !('expiresAt' in data)) return end;
  return data.expiresAt === null ? null : Math.max(end, data.expiresAt);
}

function isSame(was: GrantEvent, said: GrantEvent): boolean {
  return was === said || JSON.stringify(was.data) === JSON.stringify(said.data);
}
