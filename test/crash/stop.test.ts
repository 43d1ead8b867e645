import { expect } from 'chai';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callControl } from '../../src/operations/control/client.ts';
import { isListening, startServer, type ServerProcess, type ServerProcessOptions } from '../support/server-process.ts';

const ADMIN = { GRANTLOG_ADMIN_USERNAME: 'root', GRANTLOG_ADMIN_PASSWORD: "root's password" };

describe('a server that is stopped', function () {
  this.timeout(180_000);

  let dataDir: string;
  let servers: ServerProcess[];

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'grantlog-stop-'));
    servers = [];
  });
  afterEach(async () => {
    await Promise.all(servers.map(({ destroy }) => destroy()));
    rmSync(dataDir, { recursive: true });
  });

  async function start(options: ServerProcessOptions = {}): Promise<ServerProcess> {
    const server = await startServer(dataDir, { env: ADMIN, ...options });
    servers.push(server);
    return server;
  }

  it('completes a password grant in flight, refuses connections, closes the log and exits with 0', async () => {
    const server = await start();
    const client = await addClient(dataDir);
    const response = await requestTokensDuring(server, client, () => server.kill('SIGTERM'));
    expect(response.status, response.text).to.equal(200);
    expect(await server.exitStatus).to.equal(0);
    expect(server.output()).to.contain('SIGTERM').and.to.contain('closing the log');
    expect(existsSync(join(dataDir, 'control.sock'))).to.equal(false);

    const successor = await start();
    const { access_token: token } = JSON.parse(response.text) as { access_token: string };
    expect(
      (await fetch(`${successor.origin}/users/1/`, { headers: { authorization: `Bearer ${token}` } })).status,
    ).to.equal(200);
  });

  it('stops when the npm process that started it receives a signal', async () => {
    const server = await start({ command: ['npm', 'start'], detached: true });
    const client = await addClient(dataDir);
    const response = await requestTokensDuring(server, client, () => server.kill('SIGTERM'));
    expect(response.status, response.text).to.equal(200);
    expect(await server.exitStatus).to.equal(0);
    expect(server.output()).to.contain('closing the log');
    expect(existsSync(join(dataDir, 'control.sock'))).to.equal(false);
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`treats a ${signal} to its process group, which npm also forwards, as one signal`, async () => {
      const server = await start({ command: ['npm', 'start'], detached: true });
      const client = await addClient(dataDir);
      const response = await requestTokensDuring(server, client, () => process.kill(-server.pid, signal));
      expect(response.status, response.text).to.equal(200);
      await server.exitStatus;
      expect(server.output()).to.contain('closing the log');
      expect(existsSync(join(dataDir, 'control.sock'))).to.equal(false);
    });
  }
});

/** Calls `stop` in the middle of a password grant, and returns the response to the grant. */
async function requestTokensDuring({ origin, waitForOutput }: ServerProcess, client: Client, stop: () => void) {
  const grant = await beginPasswordGrant(origin, client);
  stop();
  await waitForOutput(/completing requests in flight/);
  expect(await isListening(origin)).to.equal(false);
  return grant.finish();
}

interface Client {
  readonly client_id: string;
  readonly client_secret: string;
}

async function addClient(dataDir: string): Promise<Client> {
  const input = {
    name: 'Test',
    clientType: 'confidential',
    grantTypes: ['password'],
    redirectUris: [],
    allowedOrigins: [],
    skipAuthorization: false,
    owner: null,
    credentials: null,
  };
  for await (const result of callControl(join(dataDir, 'control.sock'), 'client add', input)) return result as Client;
  throw new Error('the server did not respond');
}

/** Starts a password grant request. `finish` sends its body and returns the response. */
async function beginPasswordGrant(origin: string, { client_id: id, client_secret: secret }: Client) {
  const body = new URLSearchParams({
    grant_type: 'password',
    username: 'root',
    password: ADMIN.GRANTLOG_ADMIN_PASSWORD,
  }).toString();
  const grant: ClientRequest = request(`${origin}/o/token/`, {
    method: 'POST',
    auth: `${id}:${secret}`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': body.length,
      expect: '100-continue',
    },
  });
  grant.flushHeaders();
  await once(grant, 'continue'); // The server has the headers, and waits for the body.
  return {
    async finish(): Promise<{ readonly status: number | undefined; readonly text: string }> {
      const firstResponse = once(grant, 'response') as Promise<[IncomingMessage]>;
      grant.end(body);
      const [response] = await firstResponse;
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
      return { status: response.statusCode, text };
    },
  };
}
