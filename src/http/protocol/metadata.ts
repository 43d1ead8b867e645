import type { EpochSeconds } from '../../domain/values.ts';
import type { SigningKeys } from '../../oauth/signing/signing-keys.ts';
import { authorizationServerMetadata, JWKS_PATH } from '../../oauth/endpoints/metadata.ts';
import type { Endpoint } from '../endpoint.ts';
import { READ_KEY_SET, READ_SERVER_METADATA } from '../openapi/metadata-api.ts';
import { PUBLIC_DOCUMENT_CACHING } from '../pipeline/response-headers.ts';
import { isWellKnownOf } from '../pipeline/well-known.ts';
import type { Route } from '../route.ts';

export interface MetadataRoutesParts {
  readonly issuer: () => string;
  readonly grantTypes: readonly string[];
  readonly knownResources: () => readonly string[];
  readonly signingKeys: Pick<SigningKeys, 'published'>;
  readonly now: () => EpochSeconds;
  readonly settings: {
    readonly scopes: Readonly<Record<string, string>>;
    readonly pkceMethods: readonly string[];
  };
}

/** Common to the routes of all public documents, which scripts of every origin may read. */
export const PUBLIC_DOCUMENT = {
  method: 'GET',
  kind: 'document',
  authentication: 'none',
  cors: { origins: 'any', methods: 'GET, HEAD' },
} as const satisfies Omit<Endpoint, 'path'>;

const METADATA_PATH = '/.well-known/oauth-authorization-server';

/** The server's metadata (RFC 8414) and its public keys (RFC 7517). */
export function metadataRoutes(parts: MetadataRoutesParts): readonly Route[] {
  const { issuer, grantTypes, knownResources, signingKeys, now, settings } = parts;
  return [
    {
      ...PUBLIC_DOCUMENT,
      path: `${METADATA_PATH}{/*issuerPath}`,
      openApi: [READ_SERVER_METADATA],
      pipeline: [
        async (ctx, next) => {
          if (!isWellKnownOf(issuer(), METADATA_PATH, ctx.path)) return next();
          ctx.set('Cache-Control', PUBLIC_DOCUMENT_CACHING);
          ctx.body = authorizationServerMetadata(issuer(), grantTypes, knownResources(), settings);
        },
      ],
    },
    {
      ...PUBLIC_DOCUMENT,
      path: JWKS_PATH,
      openApi: [READ_KEY_SET],
      pipeline: [
        (ctx) => {
          ctx.set('Cache-Control', PUBLIC_DOCUMENT_CACHING);
          ctx.body = { keys: signingKeys.published(now()) };
          ctx.type = 'application/jwk-set+json';
        },
      ],
    },
  ];
}
