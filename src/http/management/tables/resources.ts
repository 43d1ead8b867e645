import { observedResource } from '../../../domain/streams.ts';
import { arrayOf, object, STRING } from '../../openapi/shared-responses.ts';
import type { ManagementRow } from '../row.ts';
import { ANY_OBJECT, fields, INTEGER_OR_NULL, namedObject, STRING_OR_NULL, TIME_OR_NULL } from '../schemas.ts';

const RESOURCE = namedObject('ManagedResourceServer', {
  uri: STRING,
  source: { type: 'string', enum: ['log', 'settings'] },
  ...fields(
    ['name', 'owner', 'access_token_format', 'access_token_algorithm', 'metadata_url', 'introspection_client'],
    STRING_OR_NULL,
  ),
  scopes: arrayOf(object({ name: STRING, description: STRING })),
  access_token_lifetime: INTEGER_OR_NULL,
  detail_types: arrayOf(object({ type: STRING, schema: ANY_OBJECT, sentence: STRING })),
  registered_at: TIME_OR_NULL,
});
const BY_URI = {
  fromPath: { uri: 'uri' },
  revision: ({ uri }, { projections }) => {
    const resource = projections.resources.find(String(uri));
    return resource && observedResource(resource);
  },
} as const satisfies Partial<ManagementRow>;

const DETAIL_TYPES = {
  detailTypes: arrayOf({
    ...ANY_OBJECT,
    description: 'A type of authorization details (RFC 9396), with the members `type`, `schema` and `sentence`.',
  }),
};

export const RESOURCE_ROWS: readonly ManagementRow[] = [
  {
    operation: 'resource list',
    method: 'GET',
    path: '/resource-servers',
    id: 'listResourceServers',
    summary: 'List the resource servers',
    response: { kind: 'list', item: RESOURCE, key: ['uri'] },
  },
  {
    operation: 'resource add',
    method: 'POST',
    path: '/resource-servers',
    id: 'addResourceServer',
    summary: 'Register a resource server',
    body: {
      defaults: {
        owner: null,
        scopes: [],
        accessTokenFormat: null,
        accessTokenAlgorithm: null,
        accessTokenLifetimeSeconds: null,
        publishesMetadata: false,
        detailTypes: '',
      },
      json: DETAIL_TYPES,
    },
    response: { kind: 'one', schema: RESOURCE, status: 201 },
    example: {
      uri: 'https://api.example.org',
      name: 'Reports',
      scopes: [{ name: 'read', description: 'Read reports' }],
    },
  },
  {
    ...BY_URI,
    operation: 'resource show',
    method: 'GET',
    path: '/resource-servers/{uri}',
    id: 'showResourceServer',
    summary: 'Read a resource server',
    response: { kind: 'one', schema: RESOURCE },
  },
  {
    ...BY_URI,
    operation: 'resource update',
    method: 'PATCH',
    path: '/resource-servers/{uri}',
    id: 'updateResourceServer',
    summary: 'Update a resource server',
    body: { container: 'changes', json: DETAIL_TYPES },
    response: { kind: 'one', schema: RESOURCE },
    example: { name: 'Annual reports' },
  },
  {
    ...BY_URI,
    operation: 'resource remove',
    method: 'DELETE',
    path: '/resource-servers/{uri}',
    id: 'removeResourceServer',
    summary: 'Remove a resource server. Tokens that are restricted to it alone become invalid',
    response: { kind: 'none' },
  },
];
