import { Router } from '@koa/router';
import type { EpochSeconds } from '../../domain/values.ts';
import type { ClientLookup } from '../../oauth/clients/client-authentication.ts';
import { claimedClientId, headerSecrets } from '../../oauth/clients/presented-credentials.ts';
import type { IntrospectionEndpoint } from '../../oauth/endpoints/introspection.ts';
import { authorizationServerMetadata, JWKS_PATH } from '../../oauth/endpoints/metadata.ts';
import { requireParameter, secretParameters } from '../../oauth/endpoints/parameters.ts';
import type { RevocationEndpoint } from '../../oauth/endpoints/revocation.ts';
import type { SigningKeys } from '../../oauth/credentials/signing-keys.ts';
import type { ClientRequest, TokenEndpoint } from '../../oauth/endpoints/token-endpoint.ts';
import type { Client } from '../../projections/clients.ts';
import { READ_KEY_SET, READ_SERVER_METADATA } from '../openapi/metadata-api.ts';
import { protocolOperations } from '../openapi/oauth-api.ts';
import { described } from '../openapi/operation.ts';
import { restrictToOriginsOf } from '../pipeline/cross-origin.ts';
import { readParameters, type BodySettings } from '../pipeline/request-body.ts';
import { header } from '../pipeline/request-head.ts';
import { PUBLIC_DOCUMENT_CACHING, type SendJson } from '../pipeline/response-headers.ts';
import type { RequestContext, RequestState } from '../pipeline/state.ts';
import { isWellKnownOf } from '../pipeline/well-known.ts';

const METADATA_PATH = '/.well-known/oauth-authorization-server';

export interface ProtocolParts {
  readonly token: TokenEndpoint;
  readonly revocation: RevocationEndpoint;
  readonly introspection: IntrospectionEndpoint;
  readonly grantTypes: readonly string[];
  readonly knownResources: () => readonly string[];
  readonly signingKeys: Pick<SigningKeys, 'published'>;
  readonly issuer: () => string;
  readonly now: () => EpochSeconds;
  readonly addressOf: (ctx: RequestContext) => string;
  readonly clients: ClientLookup;
  readonly answerJson: SendJson;
  readonly settings: BodySettings & {
    readonly scopes: Readonly<Record<string, string>>;
    readonly pkceMethods: readonly string[];
  };
}

/** The endpoints that clients call without a browser: transport only. Each answers with and without its last slash. */
export function protocolRoutes(parts: ProtocolParts): Router<RequestState> {
  const {
    token,
    revocation,
    introspection,
    grantTypes,
    signingKeys,
    knownResources,
    issuer,
    now,
    addressOf,
    clients,
    answerJson,
    settings,
  } = parts;
  const router = new Router<RequestState>({ sensitive: true });
  const operations = protocolOperations({ grantTypes, ...settings });

  async function clientRequest(ctx: RequestContext): Promise<ClientRequest> {
    const parameters = await readParameters(ctx, settings);
    const authorization = header(ctx, 'authorization');
    const secrets = (): readonly string[] => [...secretParameters(parameters), ...headerSecrets(authorization)];
    ctx.state.refusalSubject = () => ({
      clientId: clients.find(claimedClientId(authorization, parameters) ?? '')?.clientId ?? null,
      isProven: false,
      secrets: secrets(),
    });
    const onAuthenticated = (client: Client): void => {
      ctx.state.clientId = client.clientId;
      restrictToOriginsOf(ctx, client);
      const isProven = client.clientType === 'confidential'; // anybody can say that they are a public one
      ctx.state.refusalSubject = () => ({ clientId: client.clientId, isProven, secrets: secrets() });
    };
    const onBearerOf = (clientId: string | null, isLive: boolean): void => {
      ctx.state.refusalSubject = () => ({ clientId, isProven: isLive, secrets: secrets() });
    };
    return {
      parameters,
      authorization,
      address: addressOf(ctx),
      requestMetadata: ctx.state.metadata,
      now,
      onAuthenticated,
      onBearerOf,
    };
  }

  router.post(
    '/o/token',
    described([operations.token], async (ctx) => {
      const request = await clientRequest(ctx);
      answerJson(ctx, await token(request));
      ctx.state.grantType = requireParameter(request.parameters, 'grant_type');
    }),
  );

  router.post(
    '/o/revoke_token',
    described([operations.revoke], async (ctx) => {
      await revocation(await clientRequest(ctx));
      ctx.status = 200;
      ctx.set('Pragma', 'no-cache');
      ctx.body = '';
    }),
  );

  router.post(
    '/o/introspect',
    described([operations.introspect], async (ctx) => {
      answerJson(ctx, await introspection(await clientRequest(ctx)));
    }),
  );

  router.get(
    `${METADATA_PATH}{/*issuerPath}`,
    described([READ_SERVER_METADATA], async (ctx, next) => {
      if (!isWellKnownOf(issuer(), METADATA_PATH, ctx.path)) return next();
      ctx.set('Cache-Control', PUBLIC_DOCUMENT_CACHING);
      ctx.body = authorizationServerMetadata(issuer(), grantTypes, knownResources(), settings);
    }),
  );

  router.get(
    JWKS_PATH,
    described([READ_KEY_SET], (ctx) => {
      ctx.set('Cache-Control', PUBLIC_DOCUMENT_CACHING);
      ctx.body = { keys: signingKeys.published(now()) };
      ctx.type = 'application/jwk-set+json';
    }),
  );

  return router;
}
