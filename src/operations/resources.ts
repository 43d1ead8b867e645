import { z } from 'zod';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { ACCESS_TOKEN_FORMATS, SIGNING_ALGORITHMS } from '../domain/values.ts';
import { observedResource } from '../domain/streams.ts';
import { formatDetailTypes, withParsedSchema } from '../oauth/details/entered-types.ts';
import { resourceMetadataUrl } from '../oauth/endpoints/protected-resource.ts';
import type { ResourceFields } from '../oauth/resources/resource-rules.ts';
import type { ResourceServer } from '../projections/resources.ts';
import { isoTime } from './iso-time.ts';
import { invalidFields } from './invalid-fields.ts';
import type { OperationContext } from './operation-context.ts';
import { basedOn, operation, streamingOperation, type Operation } from './operation.ts';
import { OperationRefused } from './control/operation-refused.ts';
import { requireUser } from './users.ts';

const text = z.string().max(OPERATION_TEXTS.checkedText);
const uri = z.string().min(1).max(OPERATION_TEXTS.checkedText);
const fields = {
  name: text,
  owner: z.string().max(OPERATION_TEXTS.userName).nullable(),
  scopes: z.array(z.strictObject({ name: text, description: text })),
  accessTokenFormat: z.enum(ACCESS_TOKEN_FORMATS).nullable(),
  accessTokenAlgorithm: z.enum(SIGNING_ALGORITHMS).nullable(),
  accessTokenLifetimeSeconds: z.int().nullable(),
  publishesMetadata: z.boolean(),
  detailTypes: z.string().max(OPERATION_TEXTS.detailTypes),
  introspectionClient: z.string().max(OPERATION_TEXTS.clientId).nullable().optional(),
};

/** A resource server, as shown to operators. */
export interface ResourceRow {
  readonly uri: string;
  readonly name: string | null;
  /** `settings` if it is in the `resources` setting and can be changed only there. */
  readonly source: 'log' | 'settings';
  /** Null if only administrators manage it. */
  readonly owner: string | null;
  /** Empty if it accepts all of the server's scopes. */
  readonly scopes: readonly { readonly name: string; readonly description: string }[];
  /** Null if the client's format or algorithm applies. */
  readonly access_token_format: string | null;
  readonly access_token_algorithm: string | null;
  /** Null if the server's lifetime applies. */
  readonly access_token_lifetime: number | null;
  /** The URL of its metadata (RFC 9728); null if it publishes none, or the server's issuer identifier is unknown. */
  readonly metadata_url: string | null;
  readonly detail_types: readonly ReturnType<typeof withParsedSchema>[];
  /** The id of the client that it uses for introspection; null if it uses none. */
  readonly introspection_client: string | null;
  readonly registered_at: string | null;
}

function toRow(resource: ResourceServer, { projections, issuer }: OperationContext): ResourceRow {
  const base = issuer();
  return {
    uri: resource.uri,
    name: resource.name,
    source: 'log',
    owner: resource.ownerId === null ? null : (projections.users.find(resource.ownerId)?.username ?? null),
    scopes: resource.scopes,
    access_token_format: resource.accessTokenFormat,
    access_token_algorithm: resource.accessTokenAlgorithm,
    access_token_lifetime: resource.accessTokenLifetimeSeconds,
    metadata_url: resource.publishesMetadata && base !== null ? resourceMetadataUrl(resource, base) : null,
    detail_types: (resource.detailTypes ?? []).map(withParsedSchema),
    introspection_client: resource.introspectionClient ?? null,
    registered_at: isoTime(resource.registeredAt),
  };
}

const SETTING_FIELDS = {
  name: null,
  source: 'settings',
  owner: null,
  scopes: [],
  access_token_format: null,
  access_token_algorithm: null,
  access_token_lifetime: null,
  metadata_url: null,
  detail_types: [],
  introspection_client: null,
  registered_at: null,
} as const;

/**
 * Finds a resource server in the log by its URI.
 * @throws OperationRefused if no resource server in the log has the URI
 */
export function requireResource(resourceUri: string, { projections, resources }: OperationContext): ResourceServer {
  const resource = projections.resources.find(resourceUri);
  if (resource !== undefined) return resource;
  const isFixed = resources.uris().includes(resourceUri);
  throw new OperationRefused(
    isFixed
      ? `${JSON.stringify(resourceUri)} is not registered in the log: it is this server, or is in the resources setting`
      : `no resource server has the URI ${JSON.stringify(resourceUri)}; see: grantlog resource list`,
    'unknown',
  );
}

function requireOwnerId(name: string | null, context: OperationContext): ResourceFields['ownerId'] {
  return name === null ? null : requireUser(name, context).userId;
}

export const resourceOperations: Readonly<Record<string, Operation>> = {
  'resource add': operation(z.strictObject({ uri, ...fields }), async (input, context) => {
    const { uri: resourceUri, owner, introspectionClient, ...enteredFields } = input;
    const result = await context.resourceRegistry.register(
      resourceUri,
      { ...enteredFields, ownerId: requireOwnerId(owner, context), introspectionClient: introspectionClient ?? '' },
      context.cause,
    );
    if ('errors' in result) throw invalidFields(result.errors);
    return toRow(requireResource(resourceUri, context), context);
  }),

  'resource list': streamingOperation(z.strictObject({}), async function* (_input, context) {
    for (const resource of context.projections.resources.all()) yield toRow(resource, context);
    const serverUri = context.issuer();
    for (const settingUri of context.resources.uris())
      if (settingUri !== serverUri && context.projections.resources.find(settingUri) === undefined)
        yield { uri: settingUri, ...SETTING_FIELDS };
  }),

  'resource show': operation(z.strictObject({ uri }), ({ uri: resourceUri }, context) =>
    toRow(requireResource(resourceUri, context), context),
  ),

  'resource update': operation(
    z.strictObject({ uri, changes: z.strictObject(fields).partial() }),
    async ({ uri: resourceUri, changes: { owner, introspectionClient, ...changes } }, context) => {
      const existing = requireResource(resourceUri, context);
      const changedFields = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
      const updatedFields: ResourceFields = {
        name: existing.name,
        ownerId: owner === undefined ? existing.ownerId : requireOwnerId(owner, context),
        scopes: existing.scopes,
        accessTokenFormat: existing.accessTokenFormat,
        accessTokenAlgorithm: existing.accessTokenAlgorithm,
        accessTokenLifetimeSeconds: existing.accessTokenLifetimeSeconds,
        publishesMetadata: existing.publishesMetadata,
        detailTypes: formatDetailTypes(existing.detailTypes),
        introspectionClient:
          introspectionClient === undefined ? existing.introspectionClient : (introspectionClient ?? ''),
        ...changedFields,
      };
      const cause = basedOn(context, observedResource(existing));
      const result = await context.resourceRegistry.update(resourceUri, updatedFields, cause);
      if ('errors' in result) throw invalidFields(result.errors);
      return toRow(requireResource(resourceUri, context), context);
    },
  ),

  'resource remove': operation(z.strictObject({ uri }), async ({ uri: resourceUri }, context) => {
    requireResource(resourceUri, context);
    await context.resourceRegistry.remove(resourceUri, context.cause);
    return { uri: resourceUri };
  }),
};
