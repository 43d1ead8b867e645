import {
  authorizationGrant,
  type Grant,
  type GrantCommand,
  type GrantEvent,
  type GrantRefusal,
} from '../../domain/authorization-grant.ts';
import { decodeEvent, encodeEvent } from '../../domain/events.ts';
import type { Resources } from '../../domain/resource.ts';
import { unreachable, type EpochSeconds } from '../../domain/values.ts';
import type { EventLog, RecordedEvent, StreamName } from '../../event-store/event-log.ts';
import type { Grants } from '../../projections/grants.ts';
import type { Difference } from './outcome.ts';

/** A grant as recorded and as simulated. */
export interface SimulatedGrant {
  /** The simulated state, with the latest refresh token only. */
  readonly state: Grant;
  /** The simulated refusal that ended or prevented the grant, if any. */
  readonly refusedBy: Difference | undefined;
  /** The recorded resource servers. */
  readonly resource: Resources;
  /** The recorded expiry of its code or device code. */
  readonly codeExpiresAt: EpochSeconds | null;
  /** The recorded and the simulated expiry of its latest access token. */
  readonly accessToken: { readonly expiresAt: EpochSeconds; readonly simulatedExpiresAt: EpochSeconds } | null;
  /** The recorded expiry of everything issued under the grant; null while a non-expiring refresh token exists. */
  readonly expiresAt: number | null;
}

/** The grants used within the window, each kept until it has been revoked or has expired. */
export interface SimulatedGrants {
  /** Returns the grant as it was just before `event`. Reads grants that are older than the window from the log. */
  find(event: RecordedEvent): Promise<SimulatedGrant>;
  decide(
    command: GrantCommand,
    grant: SimulatedGrant,
  ): { readonly refusal: GrantRefusal | undefined; readonly events: readonly GrantEvent[] };
  /** Applies the simulated events in place of the recorded ones. */
  advance(
    grant: SimulatedGrant,
    recordedEvents: readonly RecordedEvent[],
    simulatedEvents: readonly GrantEvent[],
  ): void;
  /** Drops the recorded events, because their request would have been refused. */
  reject(grant: SimulatedGrant, recordedEvents: readonly RecordedEvent[], refusal: Difference): void;
  /** Applies an event that the settings do not affect. */
  apply(event: RecordedEvent): void;
}

/** How long a grant is kept after its expiry. */
const MARGIN_SECONDS = 300;
const EVENTS_BETWEEN_SWEEPS = 100_000;

/** A grant without events. */
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
  projection: Pick<Grants, 'apply'>,
): SimulatedGrants {
  const grants = new Map<StreamName, SimulatedGrant>();
  let lastSweep = 0;

  function store(stream: StreamName, grant: SimulatedGrant, { recordedAt, position }: RecordedEvent): void {
    grants.set(stream, grant);
    if (position - lastSweep < EVENTS_BETWEEN_SWEEPS) return;
    lastSweep = position;
    for (const [name, { expiresAt }] of grants)
      if (expiresAt !== null && expiresAt + MARGIN_SECONDS < recordedAt / 1000) grants.delete(name);
  }

  /** Replays the grant up to `event`, from its latest summary or its first event. */
  async function readFromLog(event: RecordedEvent): Promise<SimulatedGrant> {
    const eventsNewestFirst: GrantEvent[] = [];
    reading: for await (const page of log.readStreamBackwards(event.stream, event)) {
      for (const recordedEvent of page) {
        if (recordedEvent.position === event.position) continue;
        const earlierEvent = decodeEvent(recordedEvent) as GrantEvent;
        eventsNewestFirst.push(earlierEvent);
        if (authorizationGrant.isSummary?.(earlierEvent) === true) break reading;
      }
    }
    return eventsNewestFirst.reduceRight(
      (grant, earlierEvent) => advanceGrant(grant, earlierEvent, earlierEvent),
      EMPTY_GRANT,
    );
  }

  return {
    find: async (event) => grants.get(event.stream) ?? (await readFromLog(event)),

    decide(command, { state }) {
      const { events, refusal } = authorizationGrant.decide(command, state);
      return { events, refusal };
    },

    advance(previousGrant, recordedEvents, simulatedEvents) {
      let grant = previousGrant;
      for (const event of recordedEvents) {
        const original = decodeEvent(event) as GrantEvent;
        const replacement = simulatedEvents.find(({ type }) => type === original.type) ?? original;
        grant = advanceGrant(grant, original, replacement);
        projection.apply(isSameEvent(original, replacement) ? event : { ...event, ...encodeEvent(replacement) });
      }
      const [first] = recordedEvents;
      if (first !== undefined) store(first.stream, grant, first);
    },

    reject(previousGrant, recordedEvents, refusal) {
      const [first] = recordedEvents;
      if (first === undefined) return;
      const grant = recordedEvents
        .map((event) => decodeEvent(event) as GrantEvent)
        .reduce((state, event) => ({ ...state, expiresAt: laterExpiry(state.expiresAt, event) }), previousGrant);
      store(first.stream, { ...grant, refusedBy: previousGrant.refusedBy ?? refusal }, first);
    },

    apply(event) {
      if (event.type === 'GrantRevoked') grants.delete(event.stream);
      projection.apply(event);
    },
  };
}

function advanceGrant(grant: SimulatedGrant, recordedEvent: GrantEvent, simulatedEvent: GrantEvent): SimulatedGrant {
  const state = dropHistory(authorizationGrant.evolve(grant.state, simulatedEvent));
  const next = { ...grant, state, expiresAt: laterExpiry(grant.expiresAt, recordedEvent) };
  switch (recordedEvent.type) {
    case 'AuthorizationCodeIssued':
    case 'DeviceAuthorized':
      return { ...next, resource: recordedEvent.data.resource ?? [], codeExpiresAt: recordedEvent.data.expiresAt };
    case 'RefreshTokenIssued':
      return { ...next, resource: recordedEvent.data.resource ?? [] };
    case 'AccessTokenIssued': {
      const { expiresAt } = recordedEvent.data;
      const simulatedExpiresAt =
        simulatedEvent.type === 'AccessTokenIssued' ? simulatedEvent.data.expiresAt : expiresAt;
      return { ...next, accessToken: { expiresAt, simulatedExpiresAt } };
    }
    case 'GrantSummarized': {
      const { resource = [], refreshToken, accessToken } = recordedEvent.data;
      const { expiresAt } = accessToken;
      return {
        ...next,
        resource,
        expiresAt: refreshToken.expiresAt === null ? null : Math.max(refreshToken.expiresAt, expiresAt),
        accessToken: { expiresAt, simulatedExpiresAt: expiresAt },
      };
    }
    case 'ConsentGiven':
    case 'AuthorizationCodeRedeemed':
    case 'DeviceDenied':
    case 'DeviceCodeRedeemed':
    case 'TokenExchanged':
    case 'AssertionRedeemed':
    case 'IdTokenIssued':
    case 'RefreshTokenRotated':
    case 'GrantRevoked':
      return next;
    default:
      return unreachable(recordedEvent);
  }
}

/**
 * Returns the state without the rotation history, which is not needed: reused refresh tokens and repeated responses
 * leave no events to simulate.
 */
function dropHistory(state: Grant): Grant {
  return state.refresh === null
    ? state
    : { ...state, refresh: { ...state.refresh, rotation: null, refreshesSinceSummary: 0 } };
}

function laterExpiry(expiresAt: number | null, { data }: GrantEvent): number | null {
  if (expiresAt === null || !('expiresAt' in data)) return expiresAt;
  return data.expiresAt === null ? null : Math.max(expiresAt, data.expiresAt);
}

function isSameEvent(recordedEvent: GrantEvent, simulatedEvent: GrantEvent): boolean {
  return recordedEvent === simulatedEvent || JSON.stringify(recordedEvent.data) === JSON.stringify(simulatedEvent.data);
}
