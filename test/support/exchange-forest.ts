import fc from 'fast-check';
import { encodeEvent, type DomainEvent, type EventOf, type Login } from '../../src/domain/events.ts';
import {
  MAX_EXCHANGE_DEPTH,
  type ClientId,
  type GrantId,
  type PasskeyId,
  type UserId,
} from '../../src/domain/values.ts';
import { createMemoryLog } from '../../src/event-store/engines/memory.ts';
import {
  START,
  type EventLog,
  type RecordedEvent,
  type Revision,
  type StreamName,
} from '../../src/event-store/event-log.ts';
import { orderedProjections, createProjections, type Projections } from '../../src/projections/projections.ts';
import { CLIENT_SETTINGS } from './client-settings.ts';
import { clientId, grantId, hashOf, passkeyId, seconds, userId } from './domain-values.ts';

const CLIENTS = ['A', 'B', 'C', 'D', 'E'] as const;
const USERS = ['ada', 'bert'] as const;
const HOUR = 3_600;

/** One step in the life of a small server. Numbers select a client, a user, a session or a grant. */
export type ForestStep =
  | { readonly kind: 'log-in'; readonly user: number; readonly passkey: boolean; readonly continuesSession: boolean }
  | { readonly kind: 'grant'; readonly client: number; readonly user: number; readonly openid: boolean }
  | {
      readonly kind: 'exchange';
      readonly target: number;
      readonly client: number;
      readonly actor: number;
      readonly lifetime: number;
    }
  | { readonly kind: 'revoke' | 'log-out'; readonly target: number }
  | { readonly kind: 'remove' | 'disable' | 'enable'; readonly client: number }
  | { readonly kind: 'account'; readonly user: number; readonly type: (typeof ACCOUNT_CHANGES)[number] }
  | { readonly kind: 'set-back' }
  | { readonly kind: 'wait'; readonly seconds: number };

const ACCOUNT_CHANGES = [
  'UserDisabled',
  'AllSessionsEnded',
  'PasswordChanged',
  'PasskeyRemoved',
  'UserErased',
] as const;

const number = fc.nat({ max: 100 });
const kind = <Name extends ForestStep['kind']>(name: Name): fc.Arbitrary<Name> => fc.constant(name);

export const forestStep: fc.Arbitrary<ForestStep> = fc.oneof(
  {
    arbitrary: fc.record({ kind: kind('log-in'), user: number, passkey: fc.boolean(), continuesSession: fc.boolean() }),
    weight: 2,
  },
  { arbitrary: fc.record({ kind: kind('grant'), client: number, user: number, openid: fc.boolean() }), weight: 4 },
  {
    arbitrary: fc.record({
      kind: kind('exchange'),
      target: number,
      client: number,
      actor: number,
      lifetime: fc.integer({ min: 60, max: 5 * HOUR }),
    }),
    weight: 12,
  },
  { arbitrary: fc.record({ kind: kind('revoke'), target: number }), weight: 2 },
  { arbitrary: fc.record({ kind: kind('log-out'), target: number }), weight: 1 },
  { arbitrary: fc.record({ kind: kind('remove'), client: number }), weight: 1 },
  {
    arbitrary: fc.record({ kind: kind('account'), user: number, type: fc.constantFrom(...ACCOUNT_CHANGES) }),
    weight: 1,
  },
  { arbitrary: kind('set-back').map((name) => ({ kind: name })), weight: 1 },
  { arbitrary: fc.record({ kind: kind('wait'), seconds: fc.nat({ max: HOUR }) }), weight: 3 },
);

/** The steps of `forestStep`, and steps that pause and resume grants. */
export const forestStepWithPauses: fc.Arbitrary<ForestStep> = fc.oneof(
  { arbitrary: forestStep, weight: 13 },
  { arbitrary: fc.record({ kind: fc.constantFrom('disable' as const, 'enable' as const), client: number }), weight: 1 },
);

interface Grant {
  readonly id: GrantId;
  readonly clientId: ClientId;
  readonly userId: UserId | null;
  readonly exchange: EventOf<'TokenExchanged'>['data'] | undefined;
  readonly expiresAt: number;
}

interface Session {
  readonly hash: string;
  readonly userId: UserId;
}

/** A log of random authorizations, token exchanges and revocations, and the projections that follow it. */
export interface Forest {
  readonly log: EventLog;
  readonly projections: Projections;
  readonly now: number;
  readonly grants: readonly Grant[];
  /** The position of the first event of each grant. */
  readonly positions: readonly number[];
}

/** Plays the steps. Records only events that a server would record: a token is not exchanged once it is invalid. */
export async function growForest(steps: readonly ForestStep[]): Promise<Forest> {
  const log = createMemoryLog();
  const projections = emptyProjections();
  const revisions = new Map<StreamName, Revision>();
  const grants: Grant[] = [];
  const positions: number[] = [];
  const sessions: Session[] = [];
  const removedClients = new Set<ClientId>();
  let now = 0;

  async function record(stream: StreamName, ...events: readonly DomainEvent[]): Promise<void> {
    const envelopes = events.map((event) => ({
      ...encodeEvent(event),
      recordedAt: now * 1000,
      actor: { kind: 'operator' } as const,
      requestId: null,
    }));
    const headBefore = log.head();
    const { revision } = await log.append(stream, revisions.get(stream) ?? 'no-stream', envelopes);
    revisions.set(stream, revision);
    for await (const batch of log.readAll(headBefore))
      for (const event of batch) orderedProjections(projections).forEach((projection) => projection.apply(event));
  }

  const isLive = ({ id, clientId: client, userId: user, exchange, expiresAt }: Grant): boolean => {
    if (now >= expiresAt || removedClients.has(client)) return false;
    const token = isDisabled(client) ? undefined : projections.accessTokens.find(hashOf(id), now);
    return token !== undefined && (exchange !== undefined || user === null || projections.grants.isLive(id));
  };
  const isDisabled = (client: ClientId): boolean => projections.clients.find(client)?.disabledAt !== undefined;
  const pick = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % items.length];

  async function start(grant: Grant, firstEvent: DomainEvent | undefined): Promise<void> {
    const { id, clientId: client, userId: user, exchange, expiresAt } = grant;
    grants.push(grant);
    positions.push(log.head() + 1);
    const data = { tokenHash: hashOf(id), grantId: id, clientId: client, userId: user, scope: ['read'] };
    const tokenEvent: DomainEvent = {
      type: 'AccessTokenIssued',
      data: { ...data, ...(exchange && ({ exchanged: true } as const)), expiresAt: seconds(expiresAt) },
    };
    await record(`grant-${id}`, ...(firstEvent === undefined ? [] : [firstEvent]), tokenEvent);
  }

  async function play(step: ForestStep): Promise<void> {
    const id = grantId(String(grants.length));
    switch (step.kind) {
      case 'log-in': {
        const user = userId(pick(USERS, step.user) ?? 'ada');
        const session = { hash: hashOf(`session ${log.head()}`) as string, userId: user };
        const openSession = sessions.findLast(
          ({ hash, userId: owner }) => owner === user && projections.sessions.find(hash, now),
        );
        const common = { authenticatedAt: seconds(now), checkedAsOf: log.head() };
        const authentication = step.passkey
          ? { method: 'passkey' as const, passkeyId: passkeyOf(user), ...common }
          : { method: 'password' as const, ...common };
        const data = { userId: user, expiresAt: seconds(now + 100 * HOUR), authentication };
        await record(`session-${session.hash}`, { type: 'SessionStarted', data });
        if (projections.sessions.find(session.hash, now) === undefined) return;
        sessions.push(session);
        if (step.continuesSession && openSession !== undefined)
          await record(`session-${openSession.hash}`, {
            type: 'SessionEnded',
            data: { userId: user, reason: 'logged-in-again', continuedBy: session.hash },
          });
        return;
      }
      case 'grant': {
        const client = clientId(pick(CLIENTS, step.client) ?? 'A');
        const user = pick([...USERS, null], step.user) ?? null;
        if (removedClients.has(client) || isDisabled(client)) return;
        const grant = { id, clientId: client, exchange: undefined, expiresAt: now + 4 * HOUR };
        if (user === null) return start({ ...grant, userId: null }, undefined);
        const openSession = sessions.findLast(
          ({ hash, userId: owner }) => owner === userId(user) && projections.sessions.find(hash, now),
        );
        if (openSession === undefined) return;
        const login: Login = { sessionHash: openSession.hash, authTime: seconds(now), amr: ['pwd'], acr: 'pwd' };
        const scope = step.openid ? ['openid', 'read'] : ['read'];
        const data = { grantId: id, clientId: client, userId: userId(user), scope, basis: 'asked' as const, login };
        return start({ ...grant, userId: userId(user) }, { type: 'ConsentGiven', data });
      }
      case 'exchange': {
        const client = clientId(pick(CLIENTS, step.client) ?? 'A');
        const parent = pick(grants.filter(isLive), step.target);
        if (parent === undefined || parent.exchange?.depth === MAX_EXCHANGE_DEPTH) return;
        if (removedClients.has(client) || isDisabled(client)) return;
        const actors = grants.filter((candidate) => candidate.exchange === undefined && isLive(candidate));
        const actor = step.actor % 2 === 0 ? undefined : pick(actors, step.actor);
        const expiresAt = Math.min(now + step.lifetime, parent.expiresAt, actor?.expiresAt ?? Infinity);
        const exchange = createExchange(
          { id, clientId: client, userId: parent.userId, exchange: undefined, expiresAt },
          parent,
          actor,
        );
        return start(
          { id, clientId: client, userId: parent.userId, exchange, expiresAt },
          { type: 'TokenExchanged', data: exchange },
        );
      }
      case 'revoke': {
        const grant = pick(grants.filter(isLive), step.target);
        if (grant !== undefined)
          await record(`grant-${grant.id}`, { type: 'GrantRevoked', data: { reason: 'revoked-by-client' } });
        return;
      }
      case 'log-out': {
        const session = pick(
          sessions.filter(({ hash }) => projections.sessions.find(hash, now) !== undefined),
          step.target,
        );
        if (session === undefined) return;
        const { hash, userId: user } = session;
        await record(`session-${hash}`, { type: 'SessionEnded', data: { userId: user, reason: 'logged-out' } });
        await record(`session-${hash}`, {
          type: 'LogoutDelivered',
          data: { clientId: clientId('A'), userId: user, attempts: 1 },
        });
        return;
      }
      case 'remove': {
        const client = clientId(pick(CLIENTS, step.client) ?? 'A');
        if (removedClients.has(client)) return;
        removedClients.add(client);
        return record(`client-${client}`, { type: 'ClientRemoved', data: {} });
      }
      case 'disable':
      case 'enable': {
        const client = clientId(pick(CLIENTS, step.client) ?? 'A');
        if (removedClients.has(client) || isDisabled(client) === (step.kind === 'disable')) return;
        return record(`client-${client}`, {
          type: step.kind === 'disable' ? 'ClientDisabled' : 'ClientEnabled',
          data: {},
        });
      }
      case 'account':
        return record(
          `user-${pick(USERS, step.user) ?? 'ada'}`,
          accountChange(step, userId(pick(USERS, step.user) ?? 'ada'), log.head()),
        );
      case 'set-back': {
        const issuedAfter = seconds(Math.max(0, now - HOUR));
        return record('clock', {
          type: 'ClockSetBack',
          data: { setBackTo: issuedAfter, newestAt: seconds(now), issuedAfter },
        });
      }
      case 'wait':
        now += step.seconds;
    }
  }

  for (const name of CLIENTS) {
    const data = { clientId: clientId(name), ownerId: null, secret: null, ...CLIENT_SETTINGS, name, grantTypes: [] };
    await record(`client-${clientId(name)}`, { type: 'ClientRegistered', data });
  }
  for (const name of USERS)
    await record(`user-${name}`, { type: 'UserRegistered', data: { userId: userId(name), sealed: 'x', roles: [] } });
  for (const step of steps) await play(step);
  return { log, projections, now, grants, positions };
}

/** Returns the projections of the log up to a position, or to the end of the append that contains it. */
export async function projectionsAt(
  position: number,
  log: EventLog,
): Promise<Projections & { readonly last: RecordedEvent }> {
  const projections = emptyProjections();
  let lastEvent: RecordedEvent | undefined;
  for await (const events of log.readAll(START)) {
    for (const event of events) {
      if (event.position > position && event.type !== 'AccessTokenIssued')
        return { ...projections, last: lastEvent ?? event };
      orderedProjections(projections).forEach((projection) => projection.apply(event));
      lastEvent = event;
    }
  }
  if (lastEvent === undefined) throw new Error(`no event up to position ${position}`);
  return { ...projections, last: lastEvent };
}

function emptyProjections(): Projections {
  return createProjections({ users: () => ({ username: 'x' }), clients: () => undefined });
}

const passkeyOf = (user: UserId): PasskeyId => passkeyId(user);

function accountChange({ type }: Extract<ForestStep, { kind: 'account' }>, user: UserId, head: number): DomainEvent {
  if (type === 'PasskeyRemoved') return { type, data: { userId: user, passkeyId: passkeyOf(user) } };
  if (type === 'PasswordChanged') return { type, data: { userId: user, sealed: `password ${head}` } };
  return { type, data: { userId: user } };
}

function createExchange(
  { id, clientId: client, userId: user, expiresAt }: Grant,
  parent: Grant,
  actor: Grant | undefined,
): EventOf<'TokenExchanged'>['data'] {
  const actingParty = actor && { clientId: actor.clientId, userId: actor.userId };
  return {
    grantId: id,
    clientId: client,
    userId: user,
    mode: actor === undefined ? 'impersonation' : 'delegation',
    scope: ['read'],
    parent: { grantId: parent.id, clientId: parent.clientId, tokenHash: hashOf(parent.id), tokenType: 'access_token' },
    ...(actor && actingParty && { actor: { ...actingParty, grantId: actor.id, tokenHash: hashOf(actor.id) } }),
    chain: [...(actingParty === undefined ? [] : [actingParty]), ...(parent.exchange?.chain ?? [])],
    depth: (parent.exchange?.depth ?? 0) + 1,
    root: parent.exchange?.root ?? { grantId: parent.id, clientId: parent.clientId },
    requested: { scope: [] },
    expiresAt: seconds(expiresAt),
  };
}
