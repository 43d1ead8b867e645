import {
  resourceMetadataUrl,
  protectedResourceMetadata,
  publishedResourceMetadata,
  RESOURCE_METADATA_PATH,
} from '../../oauth/endpoints/protected-resource.ts';
import type { ResourceServer, ResourceServers } from '../../projections/resources.ts';
import { READ_PUBLISHED_METADATA, resourceMetadataOperation } from '../openapi/metadata-api.ts';
import { notFound } from '../pipeline/page-error.ts';
import { pathParameter } from '../pipeline/path-parameter.ts';
import { PUBLIC_DOCUMENT_CACHING } from '../pipeline/response-headers.ts';
import type { Route } from '../route.ts';
import { isWellKnownPath } from '../pipeline/well-known.ts';
import { PUBLIC_DOCUMENT } from './metadata.ts';
import { GROUPS_SCOPE } from '../../domain/scope.ts';

export interface ProtectedResourceDeps {
  readonly issuer: () => string;
  readonly projections: { readonly resources: Pick<ResourceServers, 'all' | 'findById'> };
  readonly settings: {
    readonly scopes: Readonly<Record<string, string>>;
    readonly readScope: string;
    readonly writeScope: string;
    readonly sampleApi: boolean;
  };
}

const METADATA_PATH = '/.well-known/oauth-protected-resource';

/**
 * Returns the routes for the metadata of the sample API, and of the resource servers whose metadata this server
 * publishes (RFC 9728).
 */
export function protectedResourceRoutes(deps: ProtectedResourceDeps): readonly Route[] {
  const { issuer, projections, settings } = deps;
  const scopes = (): readonly string[] =>
    [...new Set([settings.readScope, settings.writeScope, GROUPS_SCOPE])].filter((name) =>
      Object.hasOwn(settings.scopes, name),
    );

  function metadataDocument(resource: ResourceServer | undefined): object {
    if (resource?.publishesMetadata !== true) throw notFound();
    return publishedResourceMetadata(resource, issuer());
  }

  /** Finds the resource server on the issuer's host whose metadata clients look for at this path. */
  function findByMetadataPath(path: string): ResourceServer | undefined {
    const { origin } = new URL(issuer());
    return projections.resources
      .all()
      .find((resource) => resource.publishesMetadata && resourceMetadataUrl(resource, issuer()) === `${origin}${path}`);
  }

  return [
    {
      ...PUBLIC_DOCUMENT,
      path: `${METADATA_PATH}{/*resourcePath}`,
      openApi: [resourceMetadataOperation(settings.sampleApi)],
      pipeline: [
        async (ctx, next) => {
          const resource = findByMetadataPath(ctx.path);
          const isSampleApi = settings.sampleApi && isWellKnownPath(issuer(), METADATA_PATH, ctx.path);
          if (resource === undefined && !isSampleApi) return next();
          ctx.set('Cache-Control', PUBLIC_DOCUMENT_CACHING);
          ctx.body =
            resource === undefined ? protectedResourceMetadata(issuer(), scopes()) : metadataDocument(resource);
        },
      ],
    },
    {
      ...PUBLIC_DOCUMENT,
      path: `${RESOURCE_METADATA_PATH}:id`,
      openApi: [READ_PUBLISHED_METADATA],
      pipeline: [
        (ctx) => {
          ctx.body = metadataDocument(projections.resources.findById(pathParameter(ctx, 'id')));
          ctx.set('Cache-Control', PUBLIC_DOCUMENT_CACHING);
        },
      ],
    },
  ];
}
