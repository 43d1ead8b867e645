import { requireRegisteredGrantType, type TokenEndpoint } from '../../oauth/endpoints/token-endpoint.ts';
import type { ServerSecurity } from '../../domain/security-profile.ts';
import type { Freshness } from '../../event-store/freshness.ts';
import type { IsGenuine } from '../../oauth/credentials/unknown-credentials.ts';
import { tokenOperation } from '../openapi/token-api.ts';
import { acceptDpopProof, type DpopProofDeps } from '../pipeline/dpop-proof.ts';
import { authenticateClient, type AuthenticateClientDeps } from '../pipeline/authenticate-client.ts';
import { bindToCertificate, type BindToCertificateDeps } from '../pipeline/bind-to-certificate.ts';
import { readParameters, type BodySettings } from '../pipeline/read-parameters.ts';
import { attributeRefusals, type RefusalSubjectDeps } from '../pipeline/refusal-subject.ts';
import type { SendJson } from '../pipeline/response-headers.ts';
import { retryWhenOutdated } from '../pipeline/retry-when-outdated.ts';
import { confirmRefusal, type ReadCredentialStatus } from '../pipeline/stay-current.ts';
import { fromState, type Handler } from '../pipeline/state.ts';
import type { Route } from '../route.ts';

export interface TokenRouteDeps
  extends AuthenticateClientDeps, RefusalSubjectDeps, DpopProofDeps, BindToCertificateDeps {
  readonly token: TokenEndpoint;
  /** Present only if other nodes append to the same log. */
  readonly freshness?: Freshness | undefined;
  readonly isGenuine: IsGenuine;
  readonly sendJson: SendJson;
  readonly settings: BodySettings & ServerSecurity;
}

/** Returns the route for the token endpoint (RFC 6749 §3.2). */
export function tokenRoute(deps: TokenRouteDeps): Route {
  const { token, freshness, settings } = deps;
  return {
    method: 'POST',
    path: '/o/token',
    kind: 'protocol',
    authentication: 'client',
    cors: { origins: 'clients', methods: 'POST' },
    openApi: [tokenOperation({ grantTypes: token.grantTypes, jsonTokenRequests: settings.jsonTokenRequests })],
    pipeline: [
      attributeRefusals(deps), // sets ctx.state.refusalSubject
      readParameters(settings), // sets ctx.state.parameters
      selectGrantType(token), // sets ctx.state.grantType
      retryWhenOutdated, // repeats the following steps if data that they read has changed
      ...(freshness === undefined ? [] : [confirmRefusal(freshness, readCredentialStatus(deps))]),
      authenticateClient(deps), // sets ctx.state.client
      requireGrantType,
      acceptDpopProof(deps), // sets ctx.state.confirmation if the request contains a proof
      bindToCertificate(deps), // sets ctx.state.confirmation if tokens are bound to the client's certificate
      issueTokens(deps), // sends the response
    ],
  };
}

function readCredentialStatus({ isGenuine }: Pick<TokenRouteDeps, 'isGenuine'>): ReadCredentialStatus {
  return (ctx) => {
    const parameters = fromState(ctx, 'parameters');
    const credential =
      parameters.get('code') ??
      parameters.get('refresh_token') ??
      parameters.get('device_code') ??
      parameters.get('subject_token');
    if (credential === undefined) return 'absent';
    return isGenuine(credential) ? 'genuine' : 'unproven';
  };
}

function selectGrantType(token: TokenEndpoint): Handler {
  return (ctx, next) => {
    ctx.state.grantType = token.selectGrantType(fromState(ctx, 'parameters'));
    return next();
  };
}

const requireGrantType: Handler = (ctx, next) => {
  requireRegisteredGrantType(fromState(ctx, 'client'), fromState(ctx, 'grantType'));
  return next();
};

function issueTokens({ token, sendJson, addressOf, now }: TokenRouteDeps): Handler {
  return async (ctx) => {
    const { previousSecretUsed = false, clientKeyId, confirmation, metadata, once } = ctx.state;
    const grantType = fromState(ctx, 'grantType');
    const tokens = await token.issue({
      grantType,
      parameters: fromState(ctx, 'parameters'),
      client: fromState(ctx, 'client'),
      previousSecretUsed,
      clientKeyId,
      confirmation,
      address: addressOf(ctx),
      now: now(),
      requestMetadata: metadata,
      once,
    });
    await sendJson(ctx, tokens);
    ctx.state.issuedGrantType = grantType.name;
    if (tokens.id_token !== undefined) ctx.state.hasIdToken = true;
  };
}
