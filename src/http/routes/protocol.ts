import { Router } from '@koa/router';
import type { EpochSeconds } from '../../domain/values.ts';
import type { IntrospectionEndpoint } from '../../oauth/introspection.ts';
import { authorizationServerMetadata } from '../../oauth/metadata.ts';
import type { RevocationEndpoint } from '../../oauth/revocation.ts';
import type { ClientRequest, TokenEndpoint } from '../../oauth/token-endpoint.ts';
import { readParameters, type BodySettings } from '../middleware/request-body.ts';
import type { RequestContext, RequestState } from '../state.ts';

const METADATA_PATH = '/.well-known/oauth-authorization-server';

export interface ProtocolParts {
  readonly token: TokenEndpoint;
  readonly revocation: RevocationEndpoint;
  readonly introspection: IntrospectionEndpoint;
  readonly grantTypes: readonly string[];
  readonly issuer: () => string;
  readonly now: () => EpochSeconds;
  readonly settings: BodySettings & { readonly scopes: Readonly<Record<string, string>>; readonly pkceMethods: readonly string[] };
}

/** The endpoints that clients call without a browser: transport only. Each answers with and without its last slash. */
export function protocolRoutes(parts: ProtocolParts): Router<RequestState> {
  const { token, revocation, introspection, grantTypes, issuer, now, settings } = parts;
  const router = new Router<RequestState>({ sensitive: true });

  async function clientRequest(ctx: RequestContext): Promise<ClientRequest> {
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Pragma', 'no-cache');
    const parameters = await readParameters(ctx, settings);
    return { parameters, authorization: ctx.headers.authorization, requestId: ctx.state.requestId, now: now() };
  }

  router.post('/o/token', async (ctx) => {
    ctx.body = await token(await clientRequest(ctx));
  });

  router.post('/o/revoke_token', async (ctx) => {
    await revocation(await clientRequest(ctx));
    ctx.status = 200;
    ctx.body = '';
  });

  router.post('/o/introspect', async (ctx) => {
    ctx.body = await introspection(await clientRequest(ctx));
  });

  router.get(`${METADATA_PATH}{/*issuerPath}`, async (ctx, next) => {
    if (!isMetadataOf(issuer(), ctx.path)) return next();
    ctx.body = authorizationServerMetadata(issuer(), grantTypes, settings);
  });

  return router;
}

/** RFC 8414 §3.1: clients put an issuer's own path behind the well-known one; a proxy may have taken it away again. */
function isMetadataOf(issuer: string, path: string): boolean {
  const below = path.slice(METADATA_PATH.length).replace(/\/$/, '');
  return below === '' || below === new URL(issuer).pathname.replace(/\/$/, '');
}
