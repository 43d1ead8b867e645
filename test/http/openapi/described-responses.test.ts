import { expect } from 'chai';
import type { OpenApiDocument } from '../../../src/http/openapi/document.ts';
import { expectDescribed, operationsOf } from '../../support/described-api.ts';
import { keyPairFor } from '../../support/assertions.ts';
import { NONCE_PERIOD_SECONDS, signProof, tokenWithProof } from '../../support/dpop.ts';
import { addManager, callGrant, create, MANAGEMENT_SCOPES, obtain, redeem } from '../../support/managed-grants.ts';
import { EDITOR, register } from '../../support/registrations.ts';
import { registerResource } from '../../support/resource-servers.ts';
import {
  runningService,
  type RunningOptions,
  type RunningService,
  type TestResponse,
} from '../../support/running-service.ts';

describe('The API description covers the response', () => {
  let running: RunningService;

  afterEach(() => running.close());

  const start = async (options: RunningOptions = {}): Promise<void> => {
    running = await runningService(options);
  };

  async function expectDescribedAs(operationId: string, status: number, response: TestResponse): Promise<void> {
    expect(response.status, response.text).to.equal(status);
    const document = (await running.get('/openapi.json')).json as unknown as OpenApiDocument;
    const operation = operationsOf(document).find((candidate) => candidate.operationId === operationId);
    expectDescribed(operation ?? expect.fail(`${operationId} is not described`), response);
  }

  it('to a code that was issued for an ID token', async () => {
    await start();
    const client = await running.addClient();
    const code = await running.authorize(client, await running.addUser('ada'), { scope: 'openid' });
    const response = await redeem(running, client, code);
    expect(response.json).to.include.keys('id_token');
    await expectDescribedAs('issueToken', 200, response);
  });

  it('with the metadata of a server at which clients can register', async () => {
    await start({ settings: { dynamicRegistration: 'open' } });
    for (const [operationId, path] of [
      ['readServerMetadata', '/.well-known/oauth-authorization-server'],
      ['readOpenIdMetadata', '/.well-known/openid-configuration'],
    ] as const) {
      const response = await running.get(path);
      expect(response.json).to.include.keys('registration_endpoint');
      await expectDescribedAs(operationId, 200, response);
    }
  });

  for (const sampleApi of [true, false]) {
    const condition = sampleApi ? 'with' : 'without';
    it(`with the metadata of a resource server at the root, ${condition} the sample API`, async () => {
      await start({ settings: { sampleApi, issuer: 'https://id.example/base' } });
      await registerResource(running, { uri: 'https://id.example/' });
      const response = await running.get('/.well-known/oauth-protected-resource');
      expect(response.json).to.include.keys('resource_name');
      await expectDescribedAs('readResourceMetadata', 200, response);
    });
  }

  it('to a token that cannot manage grants, because it is a user’s or lacks the scope', async () => {
    await start();
    const manager = await addManager(running, { name: 'Manager' });
    const user = await running.addUser('ada');
    const { id, access } = await obtain(running, manager, user, { scope: MANAGEMENT_SCOPES.join(' '), ...create });
    await expectDescribedAs('queryGrant', 403, await callGrant(running, 'GET', id, access));
    const { json } = await running.token(manager, { grant_type: 'client_credentials', scope: MANAGEMENT_SCOPES[1] });
    const response = await callGrant(running, 'GET', id, String(json?.['access_token']));
    expect(response.headers.get('www-authenticate')).to.include(MANAGEMENT_SCOPES[0]);
    await expectDescribedAs('queryGrant', 403, response);
  });

  it('to a bound token that lacks the scope or is presented without its proof', async () => {
    await start();
    running.clock.advance(NONCE_PERIOD_SECONDS);
    const [manager, key] = [await addManager(running, { name: 'Manager' }), keyPairFor('ES256')];
    const parameters = { grant_type: 'client_credentials', scope: MANAGEMENT_SCOPES[1] };
    const { json } = await tokenWithProof(running, manager, parameters, await signProof(running, key));
    const accessToken = String(json?.['access_token']);
    const path = `/o/grants/${'x'.repeat(22)}/`;
    const claims = { htm: 'GET', htu: `http://localhost:8000${path}` };
    const proof = await signProof(running, key, { accessToken, claims });
    const headers = { authorization: `DPoP ${accessToken}` };
    await expectDescribedAs('queryGrant', 403, await running.get(path, { ...headers, dpop: proof }));
    await expectDescribedAs('queryGrant', 401, await running.get(path, headers));
  });

  it('to the registration of a client with types of authorization details', async () => {
    await start({ settings: { dynamicRegistration: 'open' } });
    const response = await register(running, { ...EDITOR, authorization_details_types: [] });
    expect(response.json).to.include.keys('authorization_details_types');
    const document = (await running.get('/openapi.json')).json as unknown as OpenApiDocument;
    const schema = document.components.schemas['ClientInformation'] as { readonly properties: object };
    expect(schema.properties).to.include.keys(...Object.keys(response.json ?? {}));
  });
});
