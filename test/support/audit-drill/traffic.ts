import { createHash } from 'node:crypto';
import { encodeEvent, type DomainEvent, type EventOf } from '../../../src/domain/events.ts';
import { grantStream } from '../../../src/domain/streams.ts';
import {
  decideExchange,
  tokenExchanged,
  type ActorToken,
  type ExchangeRequest,
  type SubjectToken,
} from '../../../src/domain/token-exchange.ts';
import {
  MAX_EXCHANGE_DEPTH,
  type ClientId,
  type CredentialHash,
  type EpochSeconds,
  type GrantId,
  type UserId,
} from '../../../src/domain/values.ts';
import type { Position, RecordedEvent, Revision, StreamName } from '../../../src/event-store/event-log.ts';
import { CLIENT_SETTINGS } from '../client-settings.ts';
import { clientId, grantId, hashOf, seconds, userId } from '../domain-values.ts';
import { seededChoice, type Choice } from '../seeded-choice.ts';
import { recordKey, logIn, type LoginToken } from './logins.ts';

/** The beginning of the log, in seconds since the epoch. */
const BEGINNING = 1_767_225_600;
const HOUR = 3_600;
const DAY = 24 * HOUR;
const REUSE_WINDOW = 30;
const SCOPE = ['read', 'write', 'publish'];
export const RESOURCES = ['https://one.example', 'https://two.example'];
/** The client that the users authorize. */
const WEB = clientId('Web');
/** The clients of a chain. The first exchanges the token of `WEB`; each of the others, its predecessor's token. */
export const CHAIN_CLIENTS: readonly ClientId[] = ['One', 'Two', 'Three', 'Four'].map(clientId);
const ISSUER = 'https://issuer.example';
export const STRANGER = clientId('Stranger');
const USERS: readonly UserId[] = ['ada', 'bert', 'carl'].map(userId);

const RESOURCE_SETTINGS: EventOf<'ResourceRegistered'>['data']['settings'] = {
  name: 'API',
  ownerId: null,
  scopes: SCOPE.map((name) => ({ name, description: name })),
  accessTokenFormat: null,
  accessTokenAlgorithm: null,
  accessTokenLifetimeSeconds: null,
  publishesMetadata: false,
};

type ExchangeData = EventOf<'TokenExchanged'>['data'];
type TokenData = EventOf<'AccessTokenIssued'>['data'];
type RedeemedData = EventOf<'AssertionRedeemed'>['data'];
type ConsentData = EventOf<'ConsentGiven'>['data'];

/** Writes events of a log in order, each with the stream and the time that a server would give it. */
export interface Traffic {
  readonly choice: Choice;
  now(): EpochSeconds;
  record(stream: StreamName, event: DomainEvent): void;
  /**
   * Records a new grant of a user, or of a client for itself, with a token. `consent` replaces parts of the event, so
   * that it violates a rule.
   */
  authorize(
    client?: ClientId,
    user?: UserId | null,
    limits?: Partial<Pick<SubjectToken, 'scope' | 'resource'>>,
    consent?: Partial<ConsentData>,
  ): SubjectToken;
  /** Records a login and a new grant with an ID token. The scope of the access token lacks `openid`. */
  logIn(user?: UserId): LoginToken;
  /** Records a refresh, and returns the new token. The previous token expires soon, unless `retires` is false. */
  refresh(
    token: SubjectToken,
    options?: { readonly scope?: readonly string[]; readonly retires?: boolean },
  ): SubjectToken;
  /** Records a token for an assertion from the trusted issuer. Changes make the events violate a rule. */
  redeem(changes?: Partial<RedeemedData>, token?: Partial<TokenData>): SubjectToken;
  /** Records a token that the client gets for itself. */
  recordActor(client: ClientId, limits?: Partial<Pick<ActorToken, 'scope' | 'expiresAt'>>): ActorToken;
  /** Lets the next client in the chain exchange the token. Changes make the events violate a rule. */
  exchange(subject: SubjectToken, changes?: ExchangeChanges): SubjectToken;
  /** Records a grant of a user and `length` exchanges, each of the previous token. Returns all tokens. */
  chain(length: number): readonly [SubjectToken, ...SubjectToken[]];
  revoke(token: Pick<SubjectToken, 'grantId'>): void;
  logOut(token: LoginToken): void;
  wait(seconds: number): void;
  /**
   * Records tokens as clients get them: a chain of random length, with and without actors, and often a revocation.
   */
  recordFamily(): void;
  /** Returns the events since the last call. */
  takeEvents(): readonly RecordedEvent[];
  /** Returns the position of the newest event. */
  head(): number;
}

export interface ExchangeChanges {
  readonly client?: ClientId;
  readonly actor?: ActorToken;
  readonly data?: Partial<ExchangeData>;
  readonly token?: Partial<TokenData>;
}

export function createTraffic(seed: string): Traffic {
  const choice = seededChoice(seed);
  const revisions = new Map<StreamName, number>();
  let events: RecordedEvent[] = [];
  let [time, head, grantCount] = [BEGINNING, 0, 0];
  const actors = new Map<ClientId, ActorToken>();
  const refreshTokens = new Map<GrantId, CredentialHash>();

  const now = (): EpochSeconds => seconds(time);

  function record(stream: StreamName, event: DomainEvent): void {
    const revision = (revisions.get(stream) ?? 0) + 1;
    revisions.set(stream, revision);
    events.push({
      ...encodeEvent(event),
      stream,
      revision: revision as Revision,
      position: (head += 1) as Position,
      recordedAt: time * 1000,
      actor: { kind: 'operator' },
      requestId: null,
      record: '',
    });
  }

  function issue(token: Omit<TokenData, 'expiresAt'> & { readonly expiresAt: number }): void {
    record(grantStream(token.grantId), {
      type: 'AccessTokenIssued',
      data: { ...token, expiresAt: seconds(token.expiresAt) },
    });
  }

  function mintIds() {
    const label = `${seed} ${(grantCount += 1)}`;
    return { grantId: grantId(label), tokenHash: hashOf(label) };
  }

  const authorize: Traffic['authorize'] = (client = WEB, user = USERS[0] ?? null, limits = {}, consent = {}) => {
    const ids = mintIds();
    const common = { ...ids, clientId: client, userId: user, scope: limits.scope ?? SCOPE };
    const resource = limits.resource ?? [];
    const resourceData = resource.length > 0 ? { resource } : {};
    const { tokenHash: _, ...granted } = common;
    if (user !== null)
      record(grantStream(ids.grantId), {
        type: 'ConsentGiven',
        data: { ...granted, userId: user, basis: 'password', ...consent },
      });
    const expiresAt = seconds(time + 10 * HOUR);
    issue({ ...common, ...resourceData, expiresAt });
    if (user !== null)
      record(grantStream(ids.grantId), {
        type: 'RefreshTokenIssued',
        data: {
          ...resourceData,
          tokenHash: hashOf(`refresh ${ids.grantId}`),
          clientId: client,
          userId: user,
          scope: common.scope,
          expiresAt: null,
        },
      });
    return { ...common, resource, tokenType: 'access_token', login: undefined, exchange: undefined, expiresAt };
  };

  const authorizeLogin: Traffic['logIn'] = (user = USERS[0] ?? userId('ada')) =>
    logIn({ now, head: () => head, record }, { ids: mintIds(), client: WEB, user, scope: SCOPE, resource: RESOURCES });

  /** Returns the token with its expiry after a refresh: it stays valid while a lost response can be repeated. */
  const retire = (token: SubjectToken): SubjectToken => ({ ...token, expiresAt: seconds(time + REUSE_WINDOW) });

  const refresh: Traffic['refresh'] = (token, { scope = token.scope, retires = true } = {}) => {
    const { grantId: id, clientId: client, userId: user, tokenHash, resource, login } = token;
    const spentHash = refreshTokens.get(id) ?? hashOf(`refresh ${id}`);
    const ids = { grantId: id, tokenHash: mintIds().tokenHash };
    const newest = hashOf(`refresh ${ids.tokenHash}`);
    refreshTokens.set(id, newest);
    record(grantStream(id), {
      type: 'RefreshTokenRotated',
      data: {
        spentHash,
        tokenHash: newest,
        scope,
        rotatedAt: now(),
        expiresAt: null,
        ...(retires && { retired: { tokenHash, endsAt: retire(token).expiresAt } }),
      },
    });
    const expiresAt = seconds(time + 10 * HOUR);
    const common = { ...ids, clientId: client, userId: user, scope, ...(resource.length > 0 && { resource }) };
    issue({ ...common, ...(login !== undefined && { login }), expiresAt });
    return { ...token, ...ids, scope, expiresAt };
  };

  const redeem: Traffic['redeem'] = (changes = {}, token = {}) => {
    const ids = mintIds();
    const data: RedeemedData = {
      grantId: ids.grantId,
      clientId: WEB,
      userId: null,
      use: 'assertion',
      issuer: ISSUER,
      assertionHash: hashOf(`assertion ${ids.grantId}`),
      subjectHash: hashOf('subject'),
      mapping: 'client',
      keyId: hashOf('key of the issuer') as string as RedeemedData['keyId'],
      algorithm: 'ES256',
      scope: SCOPE,
      requested: { scope: [] },
      assertionExpiresAt: seconds(time + 60),
      expiresAt: seconds(time + HOUR),
      ...changes,
    };
    record(grantStream(ids.grantId), { type: 'AssertionRedeemed', data });
    const { clientId: client, userId: user, scope, expiresAt } = data;
    issue({ ...ids, clientId: client, userId: user, scope, asserted: true, expiresAt, ...token });
    const common = { ...ids, clientId: client, userId: user, scope, expiresAt, resource: [] };
    return { ...common, tokenType: 'access_token', login: undefined, exchange: undefined };
  };

  const recordActor: Traffic['recordActor'] = (client, limits = {}) => {
    const { scope = SCOPE, expiresAt = seconds(time + DAY) } = limits;
    const ids = mintIds();
    issue({ ...ids, clientId: client, userId: null, scope, expiresAt });
    return { ...ids, clientId: client, userId: null, scope, expiresAt, isExchanged: false };
  };

  /** Returns the client's own token, which is replaced before it expires. */
  function currentActor(client: ClientId): ActorToken {
    const existingActor = actors.get(client);
    if (existingActor !== undefined && existingActor.expiresAt > time + 11 * HOUR) return existingActor;
    const actor = recordActor(client);
    actors.set(client, actor);
    return actor;
  }

  const exchange: Traffic['exchange'] = (subject, changes = {}) => {
    const depth = (subject.exchange?.depth ?? 0) + 1;
    const { client = CHAIN_CLIENTS[depth - 1] ?? STRANGER, actor } = changes;
    const ids = mintIds();
    const request: ExchangeRequest = {
      clientId: client,
      subject,
      actor,
      policy: { modes: ['impersonation', 'delegation'], scope: null, resources: null },
      requested: { scope: [], resource: [] },
    };
    const allowed = decideExchange(request);
    if ('problem' in allowed) throw new Error(allowed.problem);
    const expiresAt = seconds(Math.min(time + 5 * HOUR, allowed.latestExpiry));
    const exchangeData = tokenExchanged({ ...request, grantId: ids.grantId }, allowed, { accessExpiresAt: expiresAt });
    const data = { ...exchangeData, ...changes.data };
    record(grantStream(ids.grantId), { type: 'TokenExchanged', data });
    const { scope, resource = [], userId: user, login } = data;
    const tokenData = { ...ids, clientId: data.clientId, userId: user, scope, expiresAt: data.expiresAt };
    const token = { ...tokenData, ...(login !== undefined && { login }) };
    issue({ ...token, ...(resource.length > 0 && { resource }), exchanged: true, ...changes.token });
    const clients = [client, ...(subject.exchange?.clients ?? [])];
    const history = { depth: data.depth, chain: data.chain, root: data.root, clients };
    const limits = { clientId: client, scope, resource, expiresAt, exchange: history };
    return { ...subject, ...ids, ...limits, tokenType: 'access_token' };
  };

  const chain: Traffic['chain'] = (length) => {
    const root = authorize(WEB, choice.of(USERS) ?? null);
    const links: [SubjectToken, ...SubjectToken[]] = [root];
    for (let depth = 1; depth <= length; depth += 1) links.push(exchange(links.at(-1) ?? root));
    return links;
  };

  function issueRoot(user: UserId | null, resource: readonly string[]): SubjectToken {
    if (choice.below(8) === 0) return redeem();
    if (user === null) return authorize(WEB, user, { resource });
    const login = resource.length > 0 ? authorizeLogin(user) : undefined;
    if (login !== undefined && choice.below(4) === 0) return login.idToken;
    const token = login ?? authorize(WEB, user, { resource });
    if (choice.below(2) === 0) return token;
    // The client uses the new token, or continues to use the earlier one.
    const isNarrower = choice.below(2) === 0;
    const next = refresh(token, isNarrower ? { scope: SCOPE.slice(0, 1) } : {});
    return choice.below(2) === 0 ? retire(token) : next;
  }

  function recordFamily(): void {
    const user = choice.below(4) === 0 ? null : (choice.of(USERS) ?? null);
    const resource = choice.below(3) === 0 ? RESOURCES : [];
    const links: SubjectToken[] = [issueRoot(user, resource)];
    for (let length = 1 + choice.below(MAX_EXCHANGE_DEPTH); length > 0; length -= 1) {
      const subject = links.at(-1);
      if (subject === undefined) break;
      const client = CHAIN_CLIENTS[subject.exchange?.depth ?? 0] ?? STRANGER;
      links.push(exchange(subject, choice.below(2) === 0 ? {} : { actor: currentActor(client) }));
    }
    const revokedToken = choice.below(3) === 0 ? choice.of(links) : undefined;
    if (revokedToken !== undefined) revoke(revokedToken);
    time += choice.below(3);
  }

  function revoke({ grantId: id }: Pick<SubjectToken, 'grantId'>): void {
    record(grantStream(id), { type: 'GrantRevoked', data: { reason: 'revoked-by-client' } });
  }

  const logOut: Traffic['logOut'] = ({ session, userId: user }) => {
    if (user !== null) record(session, { type: 'SessionEnded', data: { userId: user, reason: 'logged-out' } });
  };

  const settings = {
    ...CLIENT_SETTINGS,
    grantTypes: ['authorization-code', 'password', 'client-credentials', 'token-exchange', 'jwt-bearer'],
  } as const;
  recordKey({ now, head: () => head, record });
  // The resource servers define their own scopes, so the scopes of OpenID Connect are not in tokens for them.
  for (const [index, uri] of RESOURCES.entries())
    record(`resource-${index}`, { type: 'ResourceRegistered', data: { uri, settings: RESOURCE_SETTINGS } });
  for (const client of [WEB, ...CHAIN_CLIENTS, STRANGER])
    record(`client-${client}`, {
      type: 'ClientRegistered',
      data: { clientId: client, ownerId: null, secret: null, ...settings },
    });
  for (const user of USERS)
    record(`user-${user}`, { type: 'UserRegistered', data: { userId: user, sealed: 'x', roles: [] } });
  // The first client makes two exchanges, because a cycle must break only its own rule, and not one about policies.
  for (const [index, client] of [...CHAIN_CLIENTS, CHAIN_CLIENTS[0] ?? STRANGER].entries()) {
    const subject = index === 0 ? WEB : (CHAIN_CLIENTS[index === CHAIN_CLIENTS.length ? 1 : index - 1] ?? WEB);
    const pair = createHash('sha256')
      .update(JSON.stringify([client, subject]))
      .digest('base64url');
    record(`exchange-${pair}`, {
      type: 'ExchangePolicySet',
      data: {
        clientId: client,
        subjectClientId: subject,
        settings: { modes: ['impersonation', 'delegation'], scope: null, resources: null },
      },
    });
  }

  record(`issuer-${createHash('sha256').update(ISSUER).digest('base64url')}`, {
    type: 'TrustedIssuerSet',
    data: {
      issuer: ISSUER,
      settings: {
        keys: [],
        keysUri: `${ISSUER}/keys`,
        audience: null,
        uses: ['assertion'],
        requiredClaims: [],
        subject: { by: 'client' },
        clients: [{ clientId: WEB, requiredClaims: [] }],
        scope: SCOPE,
        resources: null,
        maxTokenLifetimeSeconds: HOUR,
        maxAssertionAgeSeconds: 600,
      },
    },
  });

  return {
    choice,
    now,
    record,
    authorize,
    logIn: authorizeLogin,
    refresh,
    logOut,
    wait(duration) {
      time += duration;
    },
    redeem,
    recordActor,
    exchange,
    chain,
    revoke,
    recordFamily,
    head: () => head,
    takeEvents() {
      const takenEvents = events;
      events = [];
      return takenEvents;
    },
  };
}
