import type { AccountErrors } from '../../accounts/account-problems.ts';
import { ownersOf } from '../../domain/members.ts';
import type { RateLimits } from '../../platform/limits/rate-limits.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { unreachable } from '../../domain/values.ts';
import type { Freshness } from '../../event-store/freshness.ts';
import type { Actor } from '../../event-store/event-log.ts';
import { english } from '../../language/english.ts';
import { callerFromActor } from '../../platform/hashing/hash-caller.ts';
import type { PasswordHashing } from '../../platform/hashing/password-hashing.ts';
import { declareForRoute } from '../../policy/declaration.ts';
import { readWrite } from '../../policy/policies.ts';
import type { Policy, Principal } from '../../policy/policy.ts';
import type { PasswordHasher } from '../../platform/ports.ts';
import type { Clients } from '../../projections/clients.ts';
import type { User, Users } from '../../projections/users.ts';
import { FORM } from '../media-types.ts';
import { CREATE_USER, LIST_USERS, READ_USER } from '../openapi/sample-api.ts';
import { byMethod } from '../pipeline/by-method.ts';
import { bearerToken, recheckToken } from '../pipeline/bearer-token.ts';
import type { LocalTokenLookup } from '../protocol/access-token-lookup.ts';
import { formOf, readForm } from '../pipeline/page-form.ts';
import type { SendJson } from '../pipeline/response-headers.ts';
import { requirePolicy } from '../pipeline/require-policy.ts';
import { respondWithList } from './list-response.ts';
import { pathParameter } from '../pipeline/path-parameter.ts';
import { header } from '../pipeline/request-head.ts';
import { compose } from '../pipeline/compose.ts';
import type { ProofVerifier } from '../pipeline/sender-check.ts';
import { retryWhenOutdated } from '../pipeline/retry-when-outdated.ts';
import type { Handler, RequestContext } from '../pipeline/state.ts';
import type { Route } from '../route.ts';
import { SAMPLE_API } from './sample-api.ts';

export interface UserRoutesDeps {
  readonly accounts: Pick<Accounts, 'register'>;
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly hashing: Pick<PasswordHashing, 'hasherFor'>;
  readonly addressOf: (ctx: RequestContext) => string;
  readonly clients: Pick<Clients, 'find'>;
  readonly users: Users;
  /** Present only if other nodes append to the same log. */
  readonly freshness?: Pick<Freshness, 'catchUp'> | undefined;
  readonly tokens: LocalTokenLookup;
  readonly proofs?: ProofVerifier | undefined;
  readonly sendJson: SendJson;
  /** The URL of the API's metadata. */
  readonly resourceMetadata: string;
  readonly settings: {
    readonly readScope: string;
    readonly writeScope: string;
    readonly bodyLimitBytes: number;
    readonly signup: 'closed' | 'open';
  };
}

/** Returns the sample API's routes for users, which the read-write policy guards. */
export function userRoutes(deps: UserRoutesDeps): readonly Route[] {
  const { users, tokens, proofs, resourceMetadata, settings } = deps;
  const guard = () => requirePolicy(readWrite(settings), { resourceMetadata });
  const guardUsers = declareForRoute('/users/', guard);
  return [
    {
      ...SAMPLE_API,
      path: '/users',
      openApi: [LIST_USERS, CREATE_USER],
      pipeline: [
        guardUsers,
        byMethod({
          GET: (ctx) => respondWithList(ctx, users.page, toUserResource),
          POST: compose([
            readForm(settings.bodyLimitBytes),
            retryWhenOutdated,
            // The token may have been revoked while the body was being read, or before a retry of the request.
            bearerToken(tokens, { proofs }),
            guardUsers,
            createUser(deps, guardUsers.policy),
          ]),
        }),
      ],
    },
    {
      ...SAMPLE_API,
      path: '/users/:pk',
      openApi: [READ_USER],
      pipeline: [
        declareForRoute('/users/<pk>/', guard),
        byMethod({
          GET: (ctx) => respondWithUser(ctx, deps),
        }),
      ],
    },
  ];
}

function respondWithUser(ctx: RequestContext, { users, freshness, sendJson }: UserRoutesDeps): void | Promise<void> {
  const pk = pathParameter(ctx, 'pk');
  const find = (): User | undefined => (/^\d{1,9}$/.test(pk) ? users.findByPk(Number(pk)) : undefined);
  const respond = (user: User | undefined): void | Promise<void> => {
    if (user !== undefined) return sendJson(ctx, toUserResource(user));
    ctx.status = 404;
    ctx.body = { detail: 'Not found.' };
  };
  const user = find();
  // Another node may have just created the user.
  return user === undefined && freshness !== undefined
    ? freshness.catchUp().then(() => respond(find()))
    : respond(user);
}

function createUser(deps: UserRoutesDeps, policy: Policy): Handler {
  return (ctx) =>
    create(ctx, deps, () => {
      // The token may be revoked while the password is being hashed.
      const { principal } = recheckToken(header(ctx, 'authorization'), deps.tokens.recheckLookup);
      return policy({ method: ctx.method, principal }).allowed;
    });
}

async function create(ctx: RequestContext, deps: UserRoutesDeps, isStillAllowed: () => boolean): Promise<void> {
  if (ctx.request.length !== 0 && ctx.is(FORM) === false) {
    ctx.status = 415;
    ctx.body = { detail: 'The Content-Type must be application/x-www-form-urlencoded.' };
    return;
  }
  const actor = toActor(ctx.state.principal);
  const hasher = applyLimits(ctx, actor, deps);
  const form = formOf(ctx);
  const account = {
    username: form.input('username'),
    password: form.input('password'),
    email: form.input('email'),
    firstName: form.input('first_name'),
    lastName: form.input('last_name'),
  };
  const result = await deps.accounts.register(
    account,
    { actor, ...ctx.state.metadata, isStillValid: isStillAllowed },
    hasher,
  );
  ctx.status = 'errors' in result ? 400 : 201;
  ctx.body = 'errors' in result ? toMessages(result.errors) : toUserResource(result.user);
}

/**
 * Counts the request toward the limits on new accounts. The limit per address applies only while sign-up is open. While
 * it is closed, the caller is an application, whose address may be that of a server with many users.
 * @returns a hasher that counts the request toward the server-wide limit just before hashing the password, so that
 *   invalid requests do not use up that limit
 * @throws TooManyAttemptsError if a limit is exhausted
 */
function applyLimits(ctx: RequestContext, actor: Actor, deps: UserRoutesDeps): Pick<PasswordHasher, 'hash'> {
  const { limits, hashing, addressOf, clients, settings } = deps;
  const { once } = ctx.state;
  limits.spend('users-by-caller', limitKey(actor, clients), once);
  if (settings.signup === 'open') limits.spend('sign-up-by-address', addressOf(ctx), once);
  return hashing.hasherFor(callerFromActor(actor), () => limits.spend('sign-up', '', once));
}

/**
 * Returns the key under which `users-by-caller` counts the caller's requests. Applications with the same first owner
 * share a key, so that an owner cannot evade the limit by registering more applications.
 */
function limitKey(actor: Actor, clients: UserRoutesDeps['clients']): string {
  if (!('id' in actor)) return actor.kind;
  const client = actor.kind === 'client' ? clients.find(actor.id) : undefined;
  const owner = client && ownersOf(client)[0];
  return owner === undefined ? `${actor.kind} ${actor.id}` : `user ${owner.userId}`;
}

function toActor(principal: Principal): Actor {
  switch (principal.kind) {
    case 'bearer':
      return { kind: 'client', id: principal.clientId };
    case 'session':
      return { kind: 'user', id: principal.userId };
    case 'anonymous':
      return { kind: 'server' };
    default:
      return unreachable(principal);
  }
}

function toUserResource({ username, email, firstName, lastName }: User) {
  return { username, email, first_name: firstName, last_name: lastName };
}

/** Returns a list of messages for each field, as clients of the sample API expect. */
function toMessages(errors: AccountErrors): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(errors).map(([field, problem]) => [field, [english.text(problem)]]));
}
