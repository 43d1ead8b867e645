import type { UserId } from '../../src/domain/values.ts';
import type { RunningService } from '../../test/support/running-service.ts';
import { expectTokens } from './expect-tokens.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const FILES = 'https://files.example/mcp';
const GONE = 'https://gone.example/';

/** Registers two resource servers, issues a token for the first one, changes it twice, and removes the second one. */
export async function recordResourceRegistrations(running: RunningService, ownerId: UserId): Promise<void> {
  const { resourceRegistry } = running.service();
  const fields = {
    name: 'Files',
    ownerId,
    scopes: [
      { name: 'files:read', description: 'Read your files' },
      { name: 'files:write', description: 'Change your files' },
    ],
    accessTokenFormat: 'jwt',
    accessTokenAlgorithm: 'ES256',
    accessTokenLifetimeSeconds: 600,
    publishesMetadata: true,
    detailTypes: '',
  } as const;
  await resourceRegistry.register(FILES, fields, OPERATOR);
  await resourceRegistry.register(GONE, { ...fields, name: 'Gone', ownerId: null }, OPERATOR);
  const client = await running.addClient({ name: 'Reads files', grantTypes: ['client-credentials'] });
  await expectTokens(running.token(client, { grant_type: 'client_credentials', scope: 'files:read', resource: FILES }));
  await resourceRegistry.update(FILES, { ...fields, name: 'Your files' }, OPERATOR);
  const server = await running.addClient({
    name: 'Files',
    grantTypes: ['client-credentials'],
    restrictedScopes: ['introspection'],
  });
  await resourceRegistry.update(FILES, { ...fields, name: 'Your files', introspectionClient: server.id }, OPERATOR);
  await resourceRegistry.remove(GONE, OPERATOR);
}
