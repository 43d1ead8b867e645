import type { RecordedDetail, RequestedDetail } from './authorization-details.ts';
import type { Confirmation } from './confirmation.ts';
import type { EventOf, Login } from './events.ts';
import type { ExchangePolicySettings } from './exchange-settings.ts';
import type { Mutable } from './mutable.ts';
import { narrowResources, resourceMember, type Resources } from './resource.ts';
import { isOpenIdScope, isRestricted, isWithin, narrowScope, type Scope } from './scope.ts';
import {
  MAX_EXCHANGE_DEPTH,
  type ClientId,
  type CredentialHash,
  type EpochSeconds,
  type ExchangeMode,
  type GrantId,
  type UserId,
} from './values.ts';

/** A client that acts for a user or, if `userId` is null, for itself. */
export interface Party {
  readonly clientId: ClientId;
  readonly userId: UserId | null;
}

/** The exchange that issued a subject token. */
export interface EarlierExchange {
  readonly depth: number;
  /** The actors of this exchange and of earlier ones, newest first. */
  readonly chain: readonly Party[];
  /** The grant at the start of the chain, and its client. */
  readonly root: { readonly grantId: GrantId; readonly clientId: ClientId };
  /** The clients that made the exchanges, newest first. */
  readonly clients: readonly ClientId[];
}

type RecordedExchange = EventOf<'TokenExchanged'>['data'];

/** A JWT from another issuer, as recorded in an exchange. */
export type ForeignOrigin = Extract<RecordedExchange['parent'], { readonly issuer: string }>;

interface PresentedToken extends Party {
  /** The token's grant; for a JWT from another issuer, the grant that the exchange creates. */
  readonly grantId: GrantId;
  readonly tokenHash: CredentialHash;
  /** Undefined for a token from this server. */
  readonly foreign?: ForeignOrigin | undefined;
  readonly scope: Scope;
  readonly expiresAt: EpochSeconds;
}

/** RFC 8693 §2.1: the token of the party on whose behalf the request is made. */
export interface SubjectToken extends PresentedToken {
  readonly tokenType: Exclude<RecordedExchange['parent'], ForeignOrigin>['tokenType'];
  readonly resource: Resources;
  /** Its authorization details, with their encrypted contents; undefined if it has none. */
  readonly details?: readonly RecordedDetail[] | undefined;
  readonly login: Login | undefined;
  /** The key or certificate that the token is bound to; undefined for a bearer token. */
  readonly confirmation?: Confirmation | undefined;
  /** Undefined if the token did not come from an exchange. */
  readonly exchange: EarlierExchange | undefined;
}

/** RFC 8693 §2.1: the token of the acting party. */
export interface ActorToken extends PresentedToken {
  readonly isExchanged: boolean;
  /** Its authorization details, with their encrypted contents; undefined if it has none. */
  readonly details?: readonly RecordedDetail[] | undefined;
}

export interface ExchangeRequest {
  readonly clientId: ClientId;
  readonly subject: SubjectToken;
  /** Undefined for impersonation. */
  readonly actor: ActorToken | undefined;
  /** The key or certificate whose possession the request proved; undefined if it proved none. */
  readonly confirmation?: Confirmation | undefined;
  /** Undefined if the client has no policy for tokens issued to the subject token's client. */
  readonly policy: ExchangePolicySettings | undefined;
  /** Empty lists request everything that the limits allow. */
  readonly requested: {
    readonly scope: Scope;
    readonly resource: Resources;
    readonly details?: readonly RequestedDetail[] | undefined;
  };
}

/** The limit that a request exceeds: `exchange` if no token from an exchange may have the requested scopes. */
export type ExchangeLimit = 'subject' | 'actor' | 'policy' | 'exchange';

export type ExchangeProblem =
  | { readonly problem: 'policy-missing' }
  | { readonly problem: 'mode-not-allowed'; readonly mode: ExchangeMode; readonly allowed: readonly ExchangeMode[] }
  | { readonly problem: 'actor-of-another-client' }
  | { readonly problem: 'actor-exchanged' }
  | { readonly problem: 'actor-is-subject' }
  | { readonly problem: 'actor-repeated' }
  | { readonly problem: 'client-repeated' }
  | { readonly problem: 'chain-too-deep' }
  | { readonly problem: 'not-bound' }
  | {
      readonly problem: 'scope-beyond';
      readonly limit: ExchangeLimit;
      /** The requested scopes that are missing from the limit. */
      readonly missing: readonly string[];
      readonly allowed: readonly string[];
    }
  | {
      readonly problem: 'resource-beyond';
      readonly limit: ExchangeLimit;
      /** The requested resource servers that are missing from the limit. */
      readonly missing: readonly string[];
      readonly allowed: readonly string[];
    }
  | { readonly problem: 'no-scope-left' }
  | { readonly problem: 'no-resource-left' };

/** The terms of an allowed exchange. The resource servers may narrow them further. */
export interface AllowedExchange {
  readonly mode: ExchangeMode;
  readonly scope: Scope;
  readonly resource: Resources;
  readonly depth: number;
  readonly root: EarlierExchange['root'];
  readonly chain: readonly Party[];
  /** The latest possible expiry of the new token. */
  readonly latestExpiry: EpochSeconds;
}

/**
 * Decides whether an exchange is allowed, and on what terms (RFC 8693). The new token never has more scopes, more
 * resource servers or a later expiry than the subject token. A policy and an actor narrow the terms further. A bound
 * token is never exchanged for an unbound one. The caller handles authorization details.
 */
export function decideExchange(request: ExchangeRequest): AllowedExchange | ExchangeProblem {
  const { subject, actor, policy, requested } = request;
  if (policy === undefined) return { problem: 'policy-missing' };
  const mode: ExchangeMode = actor === undefined ? 'impersonation' : 'delegation';
  if (!policy.modes.includes(mode)) return { problem: 'mode-not-allowed', mode, allowed: policy.modes };
  const problem = chainProblem(request) ?? (actor && actorProblem(actor, request));
  if (problem !== undefined) return problem;
  if (subject.confirmation !== undefined && request.confirmation === undefined) return { problem: 'not-bound' };
  const resource = exchangedResources(requested.resource, subject.resource, policy.resources);
  if ('problem' in resource) return resource;
  const scope = exchangedScope(requested.scope, subject, actor, policy);
  if ('problem' in scope) return scope;
  const { exchange } = subject;
  const chain = exchange?.chain ?? [];
  return {
    mode,
    scope,
    resource,
    depth: (exchange?.depth ?? 0) + 1,
    root: exchange?.root ?? { grantId: subject.grantId, clientId: subject.clientId },
    chain: actor === undefined ? chain : [partyOf(actor), ...chain],
    latestExpiry: Math.min(subject.expiresAt, actor?.expiresAt ?? Infinity) as EpochSeconds,
  };
}

/**
 * Returns the problem with the chain, if there is one. A chain has a maximum depth, and each client may make only one
 * exchange in it.
 */
function chainProblem({ clientId, subject: { exchange } }: ExchangeRequest): ExchangeProblem | undefined {
  if (exchange === undefined) return undefined;
  if (exchange.clients.includes(clientId)) return { problem: 'client-repeated' };
  return exchange.depth >= MAX_EXCHANGE_DEPTH ? { problem: 'chain-too-deep' } : undefined;
}

/**
 * Returns the problem with the actor, if there is one. The actor token must be the client's own and must not come from
 * an exchange: otherwise, any number of chains could depend on each other. The actor must be neither the subject nor an
 * earlier actor in the chain.
 */
function actorProblem(actor: ActorToken, { clientId, subject }: ExchangeRequest): ExchangeProblem | undefined {
  if (actor.clientId !== clientId) return { problem: 'actor-of-another-client' };
  if (actor.isExchanged) return { problem: 'actor-exchanged' };
  const subjectParty = { userId: subject.userId, clientId: subject.exchange?.root.clientId ?? subject.clientId };
  if (isSameParty(actor, subjectParty)) return { problem: 'actor-is-subject' };
  return subject.exchange?.chain.some((party) => isSameParty(actor, party)) === true
    ? { problem: 'actor-repeated' }
    : undefined;
}

/** Reports whether the parties are the same user, through any client, or the same client acting on its own behalf. */
function isSameParty(left: Party, right: Party): boolean {
  return left.userId === right.userId && (left.userId !== null || left.clientId === right.clientId);
}

const partyOf = ({ clientId, userId }: Party): Party => ({ clientId, userId });

function exchangedResources(
  requested: Resources,
  subjectResources: Resources,
  policyResources: Resources | null,
): Resources | ExchangeProblem {
  // An empty list would mean all resource servers.
  if (policyResources?.length === 0) return { problem: 'no-resource-left' };
  const limits = [
    ['subject', subjectResources],
    ['policy', policyResources ?? []],
  ] as const;
  for (const [limit, allowed] of limits) {
    if (narrowResources(requested, allowed) !== undefined) continue;
    const missing = requested.filter((uri) => !allowed.includes(uri));
    return { problem: 'resource-beyond', limit, missing, allowed };
  }
  if (requested.length > 0) return requested;
  if (policyResources === null || subjectResources.length === 0) return policyResources ?? subjectResources;
  const commonResources = subjectResources.filter((uri) => policyResources.includes(uri));
  return commonResources.length === 0 ? { problem: 'no-resource-left' } : commonResources;
}

function exchangedScope(
  requested: Scope,
  subject: SubjectToken,
  actor: ActorToken | undefined,
  policy: ExchangePolicySettings,
): Scope | ExchangeProblem {
  const limits: readonly (readonly [ExchangeLimit, Scope | null])[] = [
    ['subject', subject.scope],
    ['actor', actor?.scope ?? null],
    ['policy', policy.scope],
    ['exchange', subject.scope.filter(isExchangeable)],
  ];
  for (const [limit, allowed] of limits) {
    if (allowed === null || isWithin(requested, allowed)) continue;
    const missing = requested.filter((name) => !allowed.includes(name));
    return { problem: 'scope-beyond', limit, missing, allowed };
  }
  if (requested.length > 0) return requested;
  const commonScope = subject.scope.filter((name) => limits.every(([, allowed]) => allowed?.includes(name) ?? true));
  return commonScope.length === 0 && subject.details === undefined ? { problem: 'no-scope-left' } : commonScope;
}

/**
 * Reports whether a token from an exchange may have the scope. OpenID Connect scopes and restricted scopes are only for
 * the client that they were granted to.
 */
function isExchangeable(name: string): boolean {
  return !isOpenIdScope(name) && !isRestricted(name);
}

function recordedActor(actor: ActorToken): NonNullable<RecordedExchange['actor']> {
  const { clientId, userId, foreign, grantId, tokenHash } = actor;
  return foreign === undefined ? { clientId, userId, grantId, tokenHash } : { clientId, userId, ...foreign };
}

/** Returns the id of a recorded token's grant, or undefined for a JWT from another issuer. */
export function grantIdOfToken(
  token: RecordedExchange['parent'] | NonNullable<RecordedExchange['actor']>,
): GrantId | undefined {
  return 'grantId' in token ? token.grantId : undefined;
}

/** Returns the issuers of an exchange's foreign JWTs. If trust in one of these issuers ends, so does the exchange. */
export function issuersOf({ parent, actor }: Pick<RecordedExchange, 'parent' | 'actor'>): readonly string[] {
  return [parent, actor].flatMap((token) => (token !== undefined && 'issuer' in token ? token.issuer : []));
}

/** Returns the data of the event that records an exchange. */
export function tokenExchanged(
  { grantId, clientId, subject, actor, requested }: ExchangeRequest & { readonly grantId: GrantId },
  { mode, scope: allowedScope, resource, depth, root, chain }: AllowedExchange,
  {
    definedScopes = null,
    accessExpiresAt: expiresAt,
    details,
  }: {
    readonly definedScopes?: ReadonlySet<string> | null | undefined;
    readonly accessExpiresAt: EpochSeconds;
    readonly details?: readonly RecordedDetail[] | undefined;
  },
): RecordedExchange {
  const data: Mutable<RecordedExchange> = {
    grantId,
    clientId,
    userId: subject.userId,
    mode,
    scope: narrowScope(allowedScope, definedScopes),
    ...resourceMember(resource),
    parent: subject.foreign ?? {
      grantId: subject.grantId,
      clientId: subject.clientId,
      tokenHash: subject.tokenHash,
      tokenType: subject.tokenType,
    },
    chain,
    depth,
    root,
    requested: { scope: requested.scope, ...resourceMember(requested.resource) },
    expiresAt,
  };
  if (actor !== undefined) data.actor = recordedActor(actor);
  if (details !== undefined) data.details = details.map(({ type, hash }) => ({ type, hash }));
  if (requested.details !== undefined) data.requested = { ...data.requested, details: requested.details };
  if (subject.login !== undefined) data.login = subject.login;
  return data;
}
