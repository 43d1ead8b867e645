import type { ResourceServer } from '../../src/projections/resources.ts';
import type { ResourceFields } from '../../src/oauth/resources/resource-rules.ts';
import type { RunningService } from './running-service.ts';

export const FILES = 'https://files.example/mcp';

/** Registers a resource server, by default one whose metadata this server publishes. */
export async function registerResource(
  running: Pick<RunningService, 'service'>,
  { uri = FILES, ...fields }: Partial<ResourceFields> & { readonly uri?: string } = {},
): Promise<ResourceServer> {
  const { projections, resourceRegistry } = running.service();
  const result = await resourceRegistry.register(
    uri,
    {
      name: 'Files',
      ownerId: null,
      scopes: [{ name: 'files:read', description: 'Read your files' }],
      accessTokenFormat: null,
      accessTokenAlgorithm: null,
      accessTokenLifetimeSeconds: null,
      publishesMetadata: true,
      detailTypes: '',
      ...fields,
    },
    { actor: { kind: 'operator' }, requestId: null },
  );
  const resource = projections.resources.find(uri);
  if (resource === undefined) throw new Error(JSON.stringify(result));
  return resource;
}
