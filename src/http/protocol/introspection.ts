import { oauthError } from '../../oauth/endpoints/errors.ts';
import type { IntrospectionEndpoint } from '../../oauth/endpoints/introspection.ts';
import { introspectionOperation } from '../openapi/oauth-api.ts';
import { authenticateClient, type AuthenticateClientParts } from '../pipeline/authenticate-client.ts';
import { readParameters, type BodySettings } from '../pipeline/read-parameters.ts';
import { nameRefusalSubject, type RefusalSubjectParts } from '../pipeline/refusal-subject.ts';
import { header } from '../pipeline/request-head.ts';
import type { SendJson } from '../pipeline/response-headers.ts';
import { fromState, type Handler } from '../pipeline/state.ts';
import type { Route } from '../route.ts';

export interface IntrospectionRouteParts extends AuthenticateClientParts, RefusalSubjectParts {
  readonly introspection: IntrospectionEndpoint;
  readonly sendJson: SendJson;
  readonly settings: BodySettings;
}

/** The introspection endpoint (RFC 7662). */
export function introspectionRoute(parts: IntrospectionRouteParts): Route {
  const { settings } = parts;
  return {
    method: 'POST',
    path: '/o/introspect',
    kind: 'protocol',
    authentication: 'client',
    openApi: [introspectionOperation(settings)],
    pipeline: [readParameters(settings), nameRefusalSubject(parts), authenticateCaller(parts), introspectToken(parts)],
  };
}

const BEARER = /^bearer +(\S+) *$/i;

/** Authenticates a client, or the bearer of an access token with the scope `introspection` (RFC 7662 §2.1). */
function authenticateCaller(parts: IntrospectionRouteParts): Handler {
  const authenticate = authenticateClient(parts);
  return (ctx, next) => {
    const token = BEARER.exec(header(ctx, 'authorization') ?? '')?.[1];
    return token === undefined ? authenticate(ctx, next) : checkBearer(token)(ctx, next);
  };

  function checkBearer(token: string): Handler {
    return async (ctx, next) => {
      const { refusal, ...bearer } = await parts.introspection.checkBearer(token, parts.now());
      if (refusal === undefined) return next();
      ctx.state.refusedBearer = bearer;
      throw oauthError(refusal);
    };
  }
}

function introspectToken({ introspection, sendJson, now }: IntrospectionRouteParts): Handler {
  return async (ctx) => {
    const request = { parameters: fromState(ctx, 'parameters'), client: ctx.state.client ?? null, now: now() };
    sendJson(ctx, await introspection.introspect(request));
  };
}
