import { oauthError } from '../../oauth/endpoints/errors.ts';
import type { IntrospectionEndpoint } from '../../oauth/endpoints/introspection.ts';
import { SIGNED_INTROSPECTION_TYPE, type SignIntrospection } from '../../oauth/endpoints/signed-introspection.ts';
import { introspectionOperation } from '../openapi/oauth-api.ts';
import { authenticateClient, type AuthenticateClientDeps } from '../pipeline/authenticate-client.ts';
import { presentedToken, type PresentedToken } from '../pipeline/bearer-token.ts';
import { checkSender, type ProofVerifier } from '../pipeline/sender-check.ts';
import { readParameters, type BodySettings } from '../pipeline/read-parameters.ts';
import { attributeRefusals, type RefusalSubjectDeps } from '../pipeline/refusal-subject.ts';
import { retryWhenOutdated } from '../pipeline/retry-when-outdated.ts';
import { header } from '../pipeline/request-head.ts';
import type { SendJson } from '../pipeline/response-headers.ts';
import { fromState, type Handler, type RequestContext } from '../pipeline/state.ts';
import type { Route } from '../route.ts';

export interface IntrospectionRouteDeps extends AuthenticateClientDeps, RefusalSubjectDeps {
  readonly introspection: IntrospectionEndpoint;
  readonly signIntrospection: SignIntrospection;
  readonly sendJson: SendJson;
  readonly proofs?: ProofVerifier | undefined;
  readonly settings: BodySettings;
}

/** Returns the route for the introspection endpoint (RFC 7662). */
export function introspectionRoute(deps: IntrospectionRouteDeps): Route {
  const { settings } = deps;
  return {
    method: 'POST',
    path: '/o/introspect',
    kind: 'protocol',
    authentication: 'client',
    openApi: [introspectionOperation(settings)],
    pipeline: [
      attributeRefusals(deps),
      readParameters(settings),
      retryWhenOutdated,
      authenticateCaller(deps),
      introspectToken(deps),
    ],
  };
}

/** Returns a step that authenticates a client or the bearer of a token for introspection (RFC 7662 §2.1). */
function authenticateCaller(deps: IntrospectionRouteDeps): Handler {
  const authenticate = authenticateClient(deps);
  return (ctx, next) => {
    const credential = presentedToken(header(ctx, 'authorization') ?? '');
    const isSchemeAccepted = credential?.scheme === 'Bearer' || deps.proofs !== undefined;
    return credential !== undefined && credential.token !== '' && isSchemeAccepted
      ? bearerHandler(credential)(ctx, next)
      : authenticate(ctx, next);
  };

  function bearerHandler(credential: PresentedToken): Handler {
    return async (ctx, next) => {
      const result = await deps.introspection.checkBearer(credential.token, deps.now());
      const { clientId, isLive, confirmation } = result;
      const sender = { clientId: clientId ?? '', confirmation };
      const refusal = result.refusal ?? (await checkSender(ctx, credential, sender, deps.proofs))?.refusal;
      if (refusal === undefined) {
        if (clientId !== null) ctx.state.bearerClientId = clientId;
        return next();
      }
      ctx.state.refusedBearer = { clientId, isLive: isLive && result.refusal !== undefined };
      throw oauthError(refusal);
    };
  }
}

function introspectToken({ introspection, signIntrospection, sendJson, now }: IntrospectionRouteDeps): Handler {
  return async (ctx) => {
    const { client = null, bearerClientId = null } = ctx.state;
    const request = { parameters: fromState(ctx, 'parameters'), client, bearerClientId, now: now() };
    const response = await introspection.introspect(request);
    if (!prefersSigned(ctx)) return sendJson(ctx, response);
    const callerId = request.client?.clientId ?? fromState(ctx, 'bearerClientId');
    ctx.body = await signIntrospection(response, callerId, request.now);
    ctx.type = SIGNED_INTROSPECTION_TYPE;
    ctx.vary('Accept');
  };
}

/**
 * Reports whether the caller prefers a signed response (RFC 9701 §4). Few callers accept this media type, so the header
 * is parsed only if it contains the name of the type. If both types are equally acceptable, the response is JSON.
 */
function prefersSigned(ctx: RequestContext): boolean {
  return (
    /token-introspection\+jwt/i.test(header(ctx, 'accept') ?? '') &&
    ctx.accepts('application/json', SIGNED_INTROSPECTION_TYPE) === SIGNED_INTROSPECTION_TYPE
  );
}
