import { expect } from 'chai';
import { SignJWT } from 'jose';
import { importKey, keyPairFor } from '../support/assertions.ts';
import { openSession } from '../support/authorize-requests.ts';
import { startHostileServer, type HostileServer } from '../support/hostile-server.ts';
import { expectRefusal } from '../support/protocol-responses.ts';
import {
  obtainCode,
  EDITOR,
  register,
  registerSuccessfully,
  type RegistrationResponse,
} from '../support/registrations.ts';
import { runningService, type TestResponse, type RunningService } from '../support/running-service.ts';

const ISSUER = 'https://trust.example';
const KEY = keyPairFor('ES256');
const OTHER_KEY = { ...keyPairFor('ES256', 'stranger'), jwk: KEY.jwk };

describe('RFC 7591 §2.3: a software statement', () => {
  let server: HostileServer;
  let running: RunningService;

  before(async () => {
    const body = JSON.stringify({ keys: [KEY.jwk] });
    server = await startHostileServer((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
    );
    running = await runningService({
      settings: {
        dynamicRegistration: 'open',
        softwareStatementIssuers: { [ISSUER]: `http://trust.example:${server.port}/jwks.json` },
        outgoingHttp: true,
        outgoingNetworks: ['127.0.0.0/8'],
      },
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    });
  });
  after(async () => {
    await running.close();
    await server.close();
  });

  const now = (): number => Math.floor(running.clock.now() / 1000);

  async function sign(claims: Record<string, unknown>, key = KEY): Promise<string> {
    const header = { alg: 'ES256', kid: String(key.jwk['kid']) };
    return new SignJWT({ iss: ISSUER, ...claims }).setProtectedHeader(header).sign(await importKey(key));
  }

  async function present(claims: Record<string, unknown>, key = KEY): Promise<TestResponse> {
    return register(running, { ...EDITOR, software_statement: await sign(claims, key) });
  }

  it("from a trusted issuer overrides the client's own metadata", async () => {
    const claims = { client_name: 'Editor of Example', software_id: 'editor', client_secret: 'x', client_id: 'x' };
    const response = await present({ ...claims, exp: now() + 60 });
    expect(response.status, response.text).to.equal(201);
    expect(response.json).to.include({ client_name: claims.client_name, software_id: 'editor' });
    expect(response.json?.['client_id']).to.match(/^glp_/);
    expect(response.json).not.to.have.property('client_secret');
  });

  it('is refused if it is signed with a different key, has expired, or is not yet valid', async () => {
    expectRefusal(await present({}, OTHER_KEY), 'invalid_software_statement');
    expectRefusal(await present({ exp: now() }), 'invalid_software_statement');
    expectRefusal(await present({ nbf: now() + 3_600 }), 'invalid_software_statement');
    for (const claims of [{ exp: 'never' }, { nbf: 'now' }])
      expectRefusal(await present(claims), 'invalid_software_statement');
  });

  it('from an untrusted issuer is refused without a request to that issuer', async () => {
    const requestCount = server.requests.length;
    expectRefusal(await present({ iss: 'https://evil.example' }), 'unapproved_software_statement');
    expectRefusal(await present({ iss: '__proto__' }), 'unapproved_software_statement');
    expectRefusal(await present({ iss: 1 }), 'unapproved_software_statement');
    expect(server.requests).to.have.length(requestCount);
  });

  it('cannot give a client redirect URIs or grant types that the server does not allow', async () => {
    expectRefusal(await present({ redirect_uris: ['http://127.0.0.1@evil/'] }), 'invalid_redirect_uri');
    expectRefusal(await present({ grant_types: ['client_credentials'] }), 'invalid_client_metadata');
  });

  it("overrides the client's own metadata again when the client changes its registration", async () => {
    const claims = { client_name: 'Editor of Example' };
    const statement = await sign(claims);
    const signedClient = await registerSuccessfully(running, { ...EDITOR, software_statement: statement });
    const unsignedClient = await registerSuccessfully(running);
    const browser = await openSession(running, await running.addUser());
    for (const { client_id } of [signedClient, unsignedClient]) await obtainCode(browser, client_id);
    const change = (
      { client_id, registration_access_token, registration_client_uri }: RegistrationResponse,
      changes: object,
    ) =>
      running.send(new URL(registration_client_uri).pathname, {
        method: 'PUT',
        headers: { authorization: `Bearer ${registration_access_token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...EDITOR, client_name: 'Your Bank', client_id, ...changes }),
      });
    expectRefusal(await change(signedClient, {}), 'invalid_client_metadata');
    expectRefusal(await change(unsignedClient, { software_statement: statement }), 'invalid_client_metadata');
    const forgedStatement = await sign(claims, OTHER_KEY);
    expectRefusal(await change(signedClient, { software_statement: forgedStatement }), 'invalid_software_statement');
    const response = await change(signedClient, {
      software_statement: statement,
      client_uri: 'https://editor.example/',
    });
    expect(response.status, response.text).to.equal(200);
    expect(response.json).to.include({ ...claims, client_uri: 'https://editor.example/' });
  });
});
