import { hash } from 'node:crypto';
import { OPERATOR, type Scenario, type SuccessfulForms } from './scenario.ts';

const URI = 'https://files.example/mcp';

/** Registers a resource server, and returns the path of its page. */
async function registered({ running }: Scenario): Promise<string> {
  const fields = {
    name: 'Files',
    ownerId: null,
    scopes: [{ name: 'files:read', description: 'Read your files' }],
    accessTokenFormat: null,
    accessTokenAlgorithm: null,
    accessTokenLifetimeSeconds: null,
    publishesMetadata: true,
  };
  await running.service().resourceRegistry.register(URI, fields, OPERATOR);
  return `/o/resources/${hash('sha256', URI, 'base64url')}/`;
}

export const FORMS_OF_RESOURCES: SuccessfulForms = {
  '/o/resources/register': ({ send }) =>
    send('/o/resources/register/', { resource_uri: 'https://api.example/', name: 'API' }),
  '/o/resources/:id': async (scenario) => scenario.send(await registered(scenario), { name: 'All files' }),
  '/o/resources/:id/delete': async (scenario) => scenario.send(`${await registered(scenario)}delete/`),
};
