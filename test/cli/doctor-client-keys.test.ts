import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkClientKeys } from '../../src/cli/doctor-client-keys.ts';
import type { RegisteredClient } from '../../src/cli/doctor-redirect-uris.ts';
import { controlSocketPath } from '../../src/cli/operation-target.ts';
import { serveControl } from '../../src/operations/control/server.ts';
import { operate } from '../../src/operations/operations.ts';
import { keyPairFor, registerKeysUri } from '../support/assertions.ts';
import { startHostileServer, type HostileServer } from '../support/hostile-server.ts';
import { runningService, type RunningService, type TestClient } from '../support/running-service.ts';

/** The maximum number of key sets that doctor reads. */
const MAX_CHECKED = 20;
const KEY_SET = JSON.stringify({ keys: [keyPairFor('ES256').jwk] });

function formatResponse(status: string, body: string): string {
  const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`, 'Connection: close'];
  return [`HTTP/1.1 ${status}`, ...headers, '', body].join('\r\n');
}

describe('The client-keys check of grantlog doctor', () => {
  let dataDir: string;
  let running: RunningService;
  let control: { readonly close: () => Promise<unknown> };
  let publisher: HostileServer;
  let reply: string;
  let requestCount: number;

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'grantlog-'));
    running = await runningService({ settings: { outgoingHttp: true, outgoingNetworks: ['127.0.0.0/8'] } });
    control = await serveControl(controlSocketPath(dataDir), operate(running.service()));
    [reply, requestCount] = [formatResponse('200 OK', KEY_SET), 0];
    publisher = await startHostileServer((socket) => {
      requestCount += 1;
      socket.end(reply);
    });
  });
  afterEach(async () => {
    await publisher.close();
    await control.close();
    await running.close();
    rmSync(dataDir, { recursive: true });
  });

  async function addPublishingClient(name: string): Promise<TestClient> {
    const client = await running.addClient({ name });
    await registerKeysUri(running, client, `http://127.0.0.1:${publisher.port}/${client.id}`);
    return client;
  }

  const registeredClients = (): readonly RegisteredClient[] =>
    running
      .service()
      .projections.clients.all()
      .map(({ clientId, name, clientType, authentication }) => ({
        client_id: clientId,
        name,
        client_type: clientType,
        redirect_uris: [],
        post_logout_redirect_uris: [],
        jwks_uri: authentication.keysUri,
      }));

  const check = () => checkClientKeys({ dataDir }, registeredClients());

  it('does nothing without a server, or if no application publishes keys', async () => {
    await running.addClient();
    expect(await checkClientKeys({ dataDir }, null)).to.deep.equal([]);
    expect(await check()).to.deep.equal([]);
  });

  it('reports the number of applications with readable keys', async () => {
    await addPublishingClient('Calendar');
    await addPublishingClient('Notes');
    const [finding, ...otherFindings] = await check();
    expect(otherFindings).to.deep.equal([]);
    expect(finding).to.include({ ok: true, says: 'the keys published by 2 applications can be read' });
    expect(requestCount).to.equal(2);
  });

  for (const [problem, body] of [
    ['an error', formatResponse('500 Internal Server Error', '')],
    ['no key set', formatResponse('200 OK', '"nothing"')],
    ['a private key', formatResponse('200 OK', JSON.stringify({ keys: [{ ...keyPairFor('ES256').jwk, d: 'AAAA' }] }))],
  ] as const) {
    it(`reports only the application whose URL returns ${problem}, with advice`, async () => {
      await running.addClient({ name: 'Without keys' });
      const { id } = await addPublishingClient('Calendar');
      reply = body;
      const [finding, ...otherFindings] = await check();
      expect(otherFindings).to.deep.equal([]);
      expect(finding).to.include({
        check: 'client-keys',
        ok: false,
        todo: `correct the published key set, or register a different URL: grantlog client update ${id} --jwks-uri URL`,
      });
      expect(finding?.says.startsWith(`${id} (Calendar): `), finding?.says).to.equal(true);
      expect(finding?.says).to.not.include('AAAA');
    });
  }

  it('reads the keys of at most 20 applications', async () => {
    for (let number = 0; number <= MAX_CHECKED; number += 1) await addPublishingClient(`App ${number}`);
    const [finding] = await check();
    expect(finding?.says).to.equal(
      `the keys published by ${MAX_CHECKED} of ${MAX_CHECKED + 1} applications can be read`,
    );
    expect(requestCount).to.equal(MAX_CHECKED);
  });
});
