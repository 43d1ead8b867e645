import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RegisteredClient } from '../../src/cli/doctor-redirect-uris.ts';
import { checkTrustedIssuers } from '../../src/cli/doctor-trusted-issuers.ts';
import { controlSocketPath } from '../../src/cli/operation-target.ts';
import type { ClientId } from '../../src/domain/values.ts';
import { serveControl } from '../../src/operations/control/server.ts';
import { operate } from '../../src/operations/operations.ts';
import { startHostileServer, type HostileServer } from '../support/hostile-server.ts';
import { runningService, type RunningService, type TestClient } from '../support/running-service.ts';
import { issuerKeys, OTHER_ISSUER, trustIssuer } from '../support/trusted-issuers.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('The trusted-issuers check of grantlog doctor', () => {
  let dataDir: string;
  let running: RunningService;
  let control: { readonly close: () => Promise<unknown> };
  let publisher: HostileServer;
  let body: string;
  let app: TestClient;

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'grantlog-'));
    running = await runningService({ settings: { outgoingHttp: true, outgoingNetworks: ['127.0.0.0/8'] } });
    control = await serveControl(controlSocketPath(dataDir), operate(running.service()));
    body = JSON.stringify({ keys: [issuerKeys().jwk] });
    publisher = await startHostileServer((socket) => {
      socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    });
    app = await running.addClient({ grantTypes: ['jwt-bearer'], redirectUris: [] });
  });
  afterEach(async () => {
    await publisher.close();
    await control.close();
    await running.close();
    rmSync(dataDir, { recursive: true });
  });

  const registeredClients = (): readonly RegisteredClient[] =>
    running
      .service()
      .projections.clients.all()
      .map(({ clientId, name, clientType, grantTypes }) => ({
        client_id: clientId,
        name,
        client_type: clientType,
        redirect_uris: [],
        post_logout_redirect_uris: [],
        grant_types: [...grantTypes],
      }));
  const check = () => checkTrustedIssuers({ dataDir }, registeredClients());
  const keysUri = () => `http://127.0.0.1:${publisher.port}/keys`;

  it('does nothing without a server, or without any issuer', async () => {
    expect(await check()).to.deep.equal([]);
    await trustIssuer(running, app);
    expect(await checkTrustedIssuers({ dataDir }, null)).to.deep.equal([]);
  });

  it('reports the number of issuers whose records and keys are usable', async () => {
    await trustIssuer(running, app, { keysUri: keysUri(), clients: [`${app.id} repository=acme/api`] });
    const [finding, ...otherFindings] = await check();
    expect(otherFindings).to.deep.equal([]);
    expect(finding).to.include({ ok: true, says: '1 trusted issuer; all records and keys are usable' });
    expect(publisher.requests).to.have.length(1);
  });

  for (const [problem, document] of [
    ['no key set', '"nothing"'],
    ['an empty key set', '{"keys":[]}'],
  ] as const)
    it(`reports an issuer whose key URL returns ${problem}`, async () => {
      body = document;
      await trustIssuer(running, app, { keysUri: keysUri() });
      const [finding, ...otherFindings] = await check();
      expect(otherFindings).to.deep.equal([]);
      expect(finding).to.include({ check: 'trusted-issuers', ok: false });
      expect(finding?.says.startsWith(`${OTHER_ISSUER}: ${keysUri()} `), finding?.says).to.equal(true);
    });

  it('reports an issuer that cannot be reached', async () => {
    await trustIssuer(running, app, { keysUri: keysUri() });
    await publisher.close();
    expect((await check())[0]).to.include({ check: 'trusted-issuers', ok: false });
  });

  it('reports a record whose applications have been removed, or lack the grant type for its use', async () => {
    await trustIssuer(running, app, { uses: ['assertion', 'actor-token'] });
    const [finding, ...otherFindings] = await check();
    expect(otherFindings).to.deep.equal([]);
    expect(finding?.says).to.equal(
      `${OTHER_ISSUER} is trusted for the use actor-token, but none of its applications is registered for ` +
        'token-exchange',
    );
    await running.service().registration.remove(app.id as ClientId, OPERATOR);
    const [clientFinding] = await check();
    expect(clientFinding?.says).to.include('contains no registered application');
  });
});
