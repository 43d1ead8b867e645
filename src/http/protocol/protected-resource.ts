import { protectedResourceMetadata } from '../../oauth/endpoints/protected-resource.ts';
import { READ_RESOURCE_METADATA } from '../openapi/metadata-api.ts';
import { PUBLIC_DOCUMENT_CACHING } from '../pipeline/response-headers.ts';
import type { Route } from '../route.ts';
import { isWellKnownOf } from '../pipeline/well-known.ts';
import { PUBLIC_DOCUMENT } from './metadata.ts';
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

/** The metadata of the sample API (RFC 9728). */
export function protectedResourceRoute({ issuer, settings }: ProtectedResourceParts): Route {
  const scopes = [...new Set([settings.readScope, settings.writeScope, GROUPS_SCOPE])].filter((name) =>
    Object.hasOwn(settings.scopes, name),
  );
  return {
    ...PUBLIC_DOCUMENT,
    path: `${METADATA_PATH}{/*issuerPath}`,
    openApi: [READ_RESOURCE_METADATA],
    pipeline: [
      async (ctx, next) => {
        if (!isWellKnownOf(issuer(), METADATA_PATH, ctx.path)) return next();
        ctx.set('Cache-Control', PUBLIC_DOCUMENT_CACHING);
        ctx.body = protectedResourceMetadata(issuer(), scopes);
      },
    ],
  };
}
