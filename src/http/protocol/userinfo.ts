import type { EpochSeconds } from '../../domain/values.ts';
import type { PresentedTokens } from '../../oauth/credentials/presented-tokens.ts';
import type { CatchUpIfGenuine } from '../../oauth/credentials/unknown-credentials.ts';
import { oauthError } from '../../oauth/endpoints/errors.ts';
import type { ReadUserinfo } from '../../oauth/openid/userinfo.ts';
import { allScopes } from '../../policy/policies.ts';
import type { Endpoint } from '../endpoint.ts';
import { READ_USERINFO, READ_USERINFO_BY_POST } from '../openapi/openid-api.ts';
import { identifyCaller, presentedToken, type RemoteAccessTokenLookup } from '../pipeline/bearer-token.ts';
import { readAccessToken } from '../pipeline/read-access-token.ts';
import { restrictToCaller, type ClientOrigins } from '../pipeline/cross-origin.ts';
import { challenge } from '../pipeline/challenge.ts';
import { readParameters, type BodySettings } from '../pipeline/read-parameters.ts';
import { header } from '../pipeline/request-head.ts';
import { requirePolicy } from '../pipeline/require-policy.ts';
import type { SendJson } from '../pipeline/response-headers.ts';
import { fromState, type Handler, type RequestContext } from '../pipeline/state.ts';
import type { Route } from '../route.ts';

export interface UserinfoRouteDeps {
  readonly readUserinfo: ReadUserinfo;
  readonly tokens: RemoteAccessTokenLookup;
  readonly presentedTokens: Pick<PresentedTokens, 'findVerified'>;
  readonly catchUpIfGenuine?: CatchUpIfGenuine | undefined;
  readonly clients: Pick<ClientOrigins, 'find'>;
  readonly sendJson: SendJson;
  readonly now: () => EpochSeconds;
  readonly settings: Pick<BodySettings, 'bodyLimitBytes'>;
}

/** Returns the routes for the userinfo endpoint (OpenID Connect Core §5.3). */
export function userinfoRoutes(deps: UserinfoRouteDeps): readonly Route[] {
  const { clients, settings } = deps;
  const guard = requirePolicy(allScopes(['openid']));
  return [
    { ...USERINFO, method: 'GET', openApi: [READ_USERINFO], pipeline: [guard, sendUserinfo(deps)] },
    {
      ...USERINFO,
      method: 'POST',
      openApi: [READ_USERINFO_BY_POST],
      pipeline: [
        readParameters({ bodyLimitBytes: settings.bodyLimitBytes, jsonTokenRequests: false }),
        identifyCallerByTokenInBody(deps),
        restrictToCaller(clients),
        guard,
        sendUserinfo(deps),
      ],
    },
  ];
}

const USERINFO = {
  path: '/o/userinfo',
  kind: 'protocol',
  authentication: 'bearer',
  cors: { origins: 'clients', methods: 'GET, POST' },
} as const satisfies Omit<Endpoint, 'method'>;

/**
 * Returns a step that identifies the caller by the access token in the body, if the body contains one (RFC 6750 §2.2).
 * @throws OAuthError 400 if the request also has an `Authorization` header (§2)
 */
function identifyCallerByTokenInBody({ tokens, catchUpIfGenuine }: UserinfoRouteDeps): Handler {
  return async (ctx, next) => {
    const token = fromState(ctx, 'parameters').get('access_token');
    if (token !== undefined) {
      if (header(ctx, 'authorization') !== undefined) throw oauthError({ rule: 'token-sent-twice' });
      const identify = () => identifyCaller(ctx, `Bearer ${token}`, tokens, undefined);
      const caller = await identify();
      const shouldRetry = caller.principal.kind !== 'bearer' && (await catchUpIfGenuine?.(token)) === true;
      Object.assign(ctx.state, shouldRetry ? await identify() : caller);
    }
    await next();
  };
}

function sendUserinfo({ readUserinfo, presentedTokens, sendJson, now }: UserinfoRouteDeps): Handler {
  return async (ctx) => {
    const token = presentedTokens.findVerified(readAccessToken(ctx), now());
    const userinfo = token && (await readUserinfo(token, now()));
    if (userinfo === undefined) return respondToInvalidToken(ctx);
    if ('claims' in userinfo) return sendJson(ctx, userinfo.claims);
    ctx.type = 'application/jwt';
    ctx.body = userinfo.jwt;
  };
}

/**
 * Responds to a request whose token has no user, or has become invalid since the policy allowed the request, for
 * example because the user was disabled.
 */
async function respondToInvalidToken(ctx: RequestContext): Promise<void> {
  await ctx.state.recordDenial?.('invalid-token');
  ctx.status = 401;
  const { scheme = 'Bearer' } = presentedToken(header(ctx, 'authorization') ?? '') ?? {};
  ctx.set('WWW-Authenticate', challenge(scheme, { realm: 'api', error: 'invalid_token' }));
  ctx.body = { detail: 'The access token is invalid or expired.' };
}
