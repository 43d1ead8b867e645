import { registerResource } from '../resource-servers.ts';
import type { Scenario, SuccessfulForms } from './scenario.ts';

/** Registers a resource server and returns the path of its page. */
async function createResource({ running }: Scenario): Promise<string> {
  return `/o/resources/${(await registerResource(running)).resourceId}/`;
}

export const RESOURCE_FORMS: SuccessfulForms = {
  '/o/resources/register': ({ send }) =>
    send('/o/resources/register/', { resource_uri: 'https://api.example/', name: 'API' }),
  '/o/resources/:id': async (scenario) => scenario.send(await createResource(scenario), { name: 'All files' }),
  '/o/resources/:id/delete': async (scenario) => scenario.send(`${await createResource(scenario)}delete/`),
};
