import { Router } from '@koa/router';
import { protectedResourceMetadata } from '../../oauth/endpoints/protected-resource.ts';
import { READ_RESOURCE_METADATA } from '../openapi/metadata-api.ts';
import { described } from '../openapi/operation.ts';
import { PUBLIC_DOCUMENT_CACHING } from '../pipeline/response-headers.ts';
import type { RequestState } from '../pipeline/state.ts';
import { isWellKnownOf } from '../pipeline/well-known.ts';
import { GROUPS_SCOPE } from '../api/groups.ts';

export interface ProtectedResourceParts {
  readonly issuer: () => string;
  readonly settings: {
    readonly scopes: Readonly<Record<string, string>>;
    readonly readScope: string;
    readonly writeScope: string;
  };
}

const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** What the sample API says of itself (RFC 9728). */
export function protectedResourceRoutes({ issuer, settings }: ProtectedResourceParts): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true });
  const scopes = [...new Set([settings.readScope, settings.writeScope, GROUPS_SCOPE])].filter((name) =>
    Object.hasOwn(settings.scopes, name),
  );

  router.get(
    `${METADATA_PATH}{/*issuerPath}`,
    described([READ_RESOURCE_METADATA], async (ctx, next) => {
      if (!isWellKnownOf(issuer(), METADATA_PATH, ctx.path)) return next();
      ctx.set('Cache-Control', PUBLIC_DOCUMENT_CACHING);
      ctx.body = protectedResourceMetadata(issuer(), scopes);
    }),
  );
  return router;
}
