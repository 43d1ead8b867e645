import type { EpochSeconds } from '../../domain/values.ts';
import type { CommandContext } from '../../event-store/command-handler.ts';
import type { DynamicRegistration, RegistrationResponse } from '../../oauth/clients/dynamic/dynamic-registration.ts';
import type { RateLimits } from '../../platform/limits/rate-limits.ts';
import { allScopes } from '../../policy/policies.ts';
import type { Endpoint } from '../endpoint.ts';
import {
  READ_REGISTRATION,
  registrationOperation,
  REMOVE_REGISTRATION,
  UPDATE_REGISTRATION,
} from '../openapi/registration-api.ts';
import { identifyCaller, presentedToken, type RemoteAccessTokenLookup } from '../pipeline/bearer-token.ts';
import { byMethod } from '../pipeline/by-method.ts';
import { pathParameter } from '../pipeline/path-parameter.ts';
import { readJsonObject } from '../pipeline/read-json.ts';
import { header } from '../pipeline/request-head.ts';
import { requirePolicy } from '../pipeline/require-policy.ts';
import { retryWhenOutdated } from '../pipeline/retry-when-outdated.ts';
import type { ProofVerifier } from '../pipeline/sender-check.ts';
import type { Handler, RequestContext } from '../pipeline/state.ts';
import type { Route } from '../route.ts';

export interface RegistrationRoutesDeps {
  readonly dynamicRegistration: DynamicRegistration;
  readonly tokens: RemoteAccessTokenLookup;
  readonly proofs: ProofVerifier;
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly addressOf: (ctx: RequestContext) => string;
  readonly now: () => EpochSeconds;
  readonly settings: { readonly dynamicRegistration: 'off' | 'token' | 'open' };
}

/** Leaves room for keys, a software statement, and members that this server ignores. */
const MAX_METADATA_BYTES = 32_768;

const REGISTRATION = {
  kind: 'protocol',
  authentication: 'client',
} as const satisfies Partial<Endpoint>;

/** Returns the routes for clients to register themselves (RFC 7591) and to manage their registrations (RFC 7592). */
export function registrationRoutes(deps: RegistrationRoutesDeps): readonly Route[] {
  const { dynamicRegistration, limits, addressOf, now, settings } = deps;
  if (settings.dynamicRegistration === 'off') return [];
  return [
    {
      ...REGISTRATION,
      method: 'POST',
      path: '/o/register',
      cors: { origins: 'any', methods: 'POST' }, // a new client in a browser has no allowed origins yet
      openApi: [registrationOperation(settings.dynamicRegistration)],
      pipeline: [retryWhenOutdated, admit(deps), register(deps)],
    },
    {
      ...REGISTRATION,
      method: 'ANY',
      path: '/o/register/:id',
      cors: { origins: 'any', methods: 'GET, HEAD, PUT, DELETE' },
      openApi: [READ_REGISTRATION, UPDATE_REGISTRATION, REMOVE_REGISTRATION],
      pipeline: [
        retryWhenOutdated,
        byMethod({
          GET: (ctx) => send(ctx, dynamicRegistration.read(clientIdOf(ctx), readRegistrationToken(ctx), now()), 200),
          PUT: async (ctx) => {
            limits.spend('registrations-by-address', addressOf(ctx), ctx.state.once); // each update records an event
            const metadata = await readClientMetadata(ctx);
            const { metadata: requestMetadata } = ctx.state;
            const response = await dynamicRegistration.update(
              clientIdOf(ctx),
              readRegistrationToken(ctx),
              metadata,
              requestMetadata,
              now(),
            );
            send(ctx, response, 200);
          },
          DELETE: async (ctx) => {
            await dynamicRegistration.remove(clientIdOf(ctx), readRegistrationToken(ctx), ctx.state.metadata, now());
            ctx.status = 204;
          },
        }),
      ],
    },
  ];
}

/**
 * Returns a step that checks whether the caller may register a client. An initial access token is an access token from
 * this server. A caller with an invalid token is refused, even if callers without a token may register.
 */
function admit({ tokens, proofs, limits, addressOf, settings }: RegistrationRoutesDeps): Handler {
  const guard = requirePolicy<RequestContext>(allScopes(['clients:register']));
  return async (ctx, next) => {
    limits.spend('registrations-by-address', addressOf(ctx), ctx.state.once);
    const authorization = header(ctx, 'authorization');
    if (settings.dynamicRegistration === 'open' && authorization === undefined) return next();
    Object.assign(ctx.state, await identifyCaller(ctx, authorization, tokens, proofs));
    return guard(ctx, next);
  };
}

function register({ dynamicRegistration, now }: RegistrationRoutesDeps): Handler {
  return async (ctx) => {
    const metadata = await readClientMetadata(ctx);
    const actor = callingClient(ctx);
    const response =
      actor === undefined
        ? await dynamicRegistration.register(metadata, now())
        : await dynamicRegistration.registerRecorded(metadata, { actor, ...ctx.state.metadata }, now());
    send(ctx, response, 201);
  };
}

/** Reads the body once and keeps its contents, because the request may be processed more than once. */
async function readClientMetadata(ctx: RequestContext): Promise<Readonly<Record<string, unknown>>> {
  return (ctx.state.clientMetadata ??= await readJsonObject(ctx, MAX_METADATA_BYTES));
}

/** Returns the calling client as an actor, or undefined for a caller without an initial access token. */
function callingClient({ state }: RequestContext): CommandContext['actor'] | undefined {
  const { principal } = state;
  if (principal === undefined || principal.kind !== 'bearer') return undefined;
  return { kind: 'client', id: principal.clientId };
}

const clientIdOf = (ctx: RequestContext): string => pathParameter(ctx, 'id');

/** Returns the registration access token in the request (RFC 7592 §2), or undefined if the request has none. */
function readRegistrationToken(ctx: RequestContext): string | undefined {
  const credential = presentedToken(header(ctx, 'authorization') ?? '');
  return credential?.scheme === 'Bearer' ? credential.token : undefined;
}

function send(ctx: RequestContext, response: RegistrationResponse, status: number): void {
  ctx.status = status;
  ctx.set('Pragma', 'no-cache');
  ctx.body = response;
}
