import { clientKeys, keyPairFor } from '../assertions.ts';
import { hiddenFields } from '../browser-session.ts';
import { png } from '../images.ts';
import type { TestClient } from '../running-service.ts';
import { findClient, OPERATOR, type Scenario, type SuccessfulForms } from './scenario.ts';

/**
 * Returns the forms for an application's logo, keys and authentication, for owners or for administrators.
 * @param prefix the path before the client ID
 */
export function logoAndKeyForms(
  prefix: '/o/applications' | '/admin/applications',
  applicationOf: (scenario: Scenario) => TestClient,
): SuccessfulForms {
  const pathOf = (scenario: Scenario): string => `${prefix}/${applicationOf(scenario).id}/`;
  return {
    [`${prefix}/:id/logo`]: async (scenario) => {
      const path = pathOf(scenario);
      const form = new FormData();
      form.append('csrf_token', hiddenFields((await scenario.browser.get(`${path}update/`)).html)['csrf_token'] ?? '');
      form.append('logo', new Blob([new Uint8Array(png())]), 'logo.png');
      return scenario.browser.upload(`${path}logo/`, form);
    },
    [`${prefix}/:id/logo/remove`]: (scenario) =>
      scenario.send(`${pathOf(scenario)}update/`, {}, `${pathOf(scenario)}logo/remove/`),
    [`${prefix}/:id/keys`]: (scenario) =>
      scenario.send(`${pathOf(scenario)}keys/`, { client_keys: JSON.stringify(keyPairFor('ES256').jwk) }),
    [`${prefix}/:id/jwks_uri`]: (scenario) => {
      const path = pathOf(scenario);
      return scenario.send(`${path}keys/`, { jwks_uri: 'https://app.example/jwks.json' }, `${path}jwks_uri/`);
    },
    [`${prefix}/:id/keys/:key/remove`]: async (scenario) => {
      const [client, keys] = [findClient(scenario, applicationOf(scenario)), await clientKeys(keyPairFor('ES256'))];
      const authentication = { ...client.authentication, keys };
      await scenario.running.service().registration.update(client.clientId, { ...client, authentication }, OPERATOR);
      return scenario.send(`${pathOf(scenario)}keys/${keys[0]?.keyId}/remove/`);
    },
    [`${prefix}/:id/authentication`]: (scenario) => {
      const path = pathOf(scenario);
      return scenario.send(`${path}keys/`, { auth_method: 'client_secret_post' }, `${path}authentication/`);
    },
  };
}
