import type { Config } from '../../config/config.ts';
import type { EpochSeconds } from '../../domain/values.ts';
import type { SigningKeys } from '../../oauth/signing/signing-keys.ts';
import {
  usableMethods,
  withCertificateMetadata,
  type CertificateSupport,
} from '../../oauth/endpoints/certificate-metadata.ts';
import { authorizationServerMetadata, JWKS_PATH, type MetadataSettings } from '../../oauth/endpoints/metadata.ts';
import type { KnownResources } from '../../oauth/resources/known-resources.ts';
import type { Endpoint } from '../endpoint.ts';
import { openIdMetadata, webFinger } from '../../oauth/openid/discovery.ts';
import { queryOf } from '../pipeline/query.ts';
import { notFound, PageError } from '../pipeline/page-error.ts';
import type { Operation } from '../openapi/operation.ts';
import { READ_KEY_SET, READ_OPENID_METADATA, READ_SERVER_METADATA, READ_WEBFINGER } from '../openapi/metadata-api.ts';
import { PUBLIC_DOCUMENT_CACHING } from '../pipeline/response-headers.ts';
import { isWellKnownPath } from '../pipeline/well-known.ts';
import type { Route } from '../route.ts';

export interface MetadataRoutesDeps {
  readonly issuer: () => string;
  readonly grantTypes: readonly string[];
  readonly resources: Pick<KnownResources, 'uris' | 'scopes' | 'detailTypes'>;
  readonly signingKeys: Pick<SigningKeys, 'publishedKeys'>;
  readonly certificateSupport: CertificateSupport;
  readonly now: () => EpochSeconds;
  readonly settings: MetadataSettings & Pick<Config, 'languages'>;
}

/** The common properties of the routes for public documents, which scripts from any origin may read. */
export const PUBLIC_DOCUMENT = {
  method: 'GET',
  kind: 'document',
  authentication: 'none',
  cors: { origins: 'any', methods: 'GET, HEAD' },
} as const satisfies Omit<Endpoint, 'path'>;

const METADATA_PATH = '/.well-known/oauth-authorization-server';

const OPENID_PATH = '/.well-known/openid-configuration';

/**
 * Returns the routes for the server's metadata (RFC 8414, OpenID Connect Discovery), WebFinger (RFC 7033), and the
 * server's public keys (RFC 7517).
 */
export function metadataRoutes(deps: MetadataRoutesDeps): readonly Route[] {
  const { issuer, grantTypes, resources, signingKeys, certificateSupport, now, settings } = deps;
  const metadata = () =>
    authorizationServerMetadata(issuer(), grantTypes, resources, usableMethods(certificateSupport), settings);
  const documentRoute = (path: string, operation: Operation, createDocument: () => object): Route => ({
    ...PUBLIC_DOCUMENT,
    path: `${path}{/*issuerPath}`,
    openApi: [operation],
    pipeline: [
      async (ctx, next) => {
        if (!isWellKnownPath(issuer(), path, ctx.path)) return next();
        ctx.set('Cache-Control', PUBLIC_DOCUMENT_CACHING);
        ctx.body = createDocument();
      },
    ],
  });
  return [
    documentRoute(METADATA_PATH, READ_SERVER_METADATA, () => withCertificateMetadata(metadata(), certificateSupport)),
    documentRoute(OPENID_PATH, READ_OPENID_METADATA, () =>
      withCertificateMetadata(openIdMetadata(metadata(), settings.languages), certificateSupport),
    ),
    webFingerRoute(issuer),
    {
      ...PUBLIC_DOCUMENT,
      path: JWKS_PATH,
      openApi: [READ_KEY_SET],
      pipeline: [
        (ctx) => {
          ctx.set('Cache-Control', PUBLIC_DOCUMENT_CACHING);
          ctx.body = { keys: signingKeys.publishedKeys(now()) };
          ctx.type = 'application/jwk-set+json';
        },
      ],
    },
  ];
}

/** Returns the route for WebFinger (RFC 7033), with which clients that know only a user's address find the issuer. */
function webFingerRoute(issuer: () => string): Route {
  return {
    ...PUBLIC_DOCUMENT,
    path: '/.well-known/webfinger',
    openApi: [READ_WEBFINGER],
    pipeline: [
      (ctx) => {
        const query = queryOf(ctx);
        const resource = query.text('resource') ?? '';
        if (resource === '')
          throw new PageError(400, 'The request is incomplete', 'The resource parameter is missing.');
        const descriptor = webFinger(resource, query.list('rel'), issuer());
        if (descriptor === undefined) throw notFound();
        ctx.set('Cache-Control', PUBLIC_DOCUMENT_CACHING);
        ctx.body = descriptor;
        ctx.type = 'application/jrd+json';
      },
    ],
  };
}
