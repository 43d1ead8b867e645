import { FILES, registerResource } from '../resource-servers.ts';
import { redeem, refresh, requestToken, type RefusalScenario, type RefusedRequest } from './scenario.ts';

const MAIL = 'https://mail.example/';
const READ_MAIL = { name: 'mail:read', description: 'Read your mail' };

/** Registers two resource servers that share a scope but need tokens of different formats. */
async function registerTwoResources({ running }: RefusalScenario): Promise<void> {
  const { name, description } = READ_MAIL;
  await registerResource(running, {
    accessTokenFormat: 'jwt',
    scopes: [{ name: 'files:read', description }, READ_MAIL],
  });
  await registerResource(running, { uri: MAIL, accessTokenFormat: 'opaque', scopes: [{ name, description }] });
}

/** Refusals because of resource servers and the scopes they define. */
export const RESOURCE_REFUSALS: readonly RefusedRequest[] = [
  {
    rule: 'scope-not-of-resource',
    name: 'a scope that another resource server defines',
    about: 'proven',
    details: { seen: ['read'], defined: ['mail:read'] },
    send: async (scenario) => {
      await registerTwoResources(scenario);
      return requestToken(scenario, { grant_type: 'client_credentials', scope: 'read', resource: MAIL });
    },
  },
  {
    rule: 'scope-not-of-resource',
    name: 'a token for a resource server that defines none of the granted scopes',
    about: 'proven',
    details: { seen: ['read'], defined: ['mail:read'] },
    send: async (scenario) => {
      await registerTwoResources(scenario);
      return redeem(scenario, await scenario.code({ scope: 'read' }), { resource: MAIL });
    },
  },
  {
    rule: 'scope-not-of-resource',
    name: 'a refreshed token for a resource server that defines none of the granted scopes',
    about: 'proven',
    details: { seen: ['read'], defined: ['mail:read'] },
    send: async (scenario) => {
      const tokens = await scenario.tokens('read');
      await registerTwoResources(scenario);
      return refresh(scenario, tokens.refresh, { resource: MAIL });
    },
  },
  {
    rule: 'scope-of-several-resources',
    name: 'a scope that two resource servers define, without a resource',
    about: 'proven',
    details: { scope: ['mail:read'] },
    send: async (scenario) => {
      await registerTwoResources(scenario);
      return requestToken(scenario, { grant_type: 'client_credentials', scope: 'mail:read' });
    },
  },
  {
    rule: 'resources-disagree',
    name: 'two resource servers that need different formats',
    about: 'proven',
    details: { seen: [FILES, MAIL] },
    send: async (scenario) => {
      await registerTwoResources(scenario);
      const { running, client } = scenario;
      const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'mail:read', resource: FILES });
      body.append('resource', MAIL);
      return running.post('/o/token/', body.toString(), { authorization: client.basic });
    },
  },
];
