import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'node:https';
import { expect } from 'chai';
import { findFreePort } from '../support/free-port.ts';
import { waitForExit, startScript } from '../support/running-script.ts';

const SCRIPT = 'scripts/conformance/main.ts';
const SUITE = 'https://suite.example:8443';

const FAPI_PLAN = 'fapi2-security-profile-final-test-plan[client_auth_type=mtls][sender_constrain=mtls]';

interface PlanConfiguration {
  readonly server: { readonly discoveryUrl: string };
  readonly client: { readonly client_id: string; readonly client_secret: string };
  readonly client2: { readonly client_id: string };
  readonly mtls: { readonly cert: string; readonly key: string };
}

describe('npm run conformance', function () {
  this.timeout(180_000);

  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'conformance-test-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  it('serves over HTTPS, with two clients, and leaves no files behind after Ctrl-C', async () => {
    const file = join(directory, 'plan.json');
    const port = String(await findFreePort());
    const script = startScript(SCRIPT, ['--port', port, '--suite', SUITE, '--configuration', file], {
      TMPDIR: directory,
    });
    try {
      const issuer = await script.waitForOutput(/^serving (https:\S+); the configuration/m);
      expect(issuer).to.equal(`https://localhost:${port}`);
      const { server, client, client2 } = JSON.parse(readFileSync(file, 'utf8')) as PlanConfiguration;
      expect(server.discoveryUrl).to.equal(`${issuer}/.well-known/openid-configuration`);
      expect(client.client_id).to.not.equal(client2.client_id);
      const credentials = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64');
      const headers = { authorization: `Basic ${credentials}` };
      expect(await postForm(`${issuer}/o/token/`, 'grant_type=authorization_code&code=x', { headers })).to.include(
        'invalid_grant',
      );
      script.child.kill('SIGINT');
      expect(await waitForExit(script), script.output()).to.equal(0);
      const remainingFiles = readdirSync(directory).filter((name) => name.startsWith('grantlog'));
      expect(remainingFiles, 'files in the temporary directory').to.deep.equal([]);
    } finally {
      script.child.kill('SIGKILL');
    }
  });

  it('serves a FAPI plan with clients that have certificates, and with a port for mutual TLS', async () => {
    const file = join(directory, 'plan.json');
    const [port, mtlsPort] = [String(await findFreePort()), String(await findFreePort())];
    const ports = ['--port', port, '--mtls-port', mtlsPort];
    const script = startScript(SCRIPT, ['--plan', FAPI_PLAN, ...ports, '--configuration', file], { TMPDIR: directory });
    try {
      await script.waitForOutput(/^serving (https:\S+); the configuration/m);
      const { server, client, mtls } = JSON.parse(readFileSync(file, 'utf8')) as PlanConfiguration;
      expect(server.discoveryUrl).to.include('/.well-known/oauth-authorization-server');
      const form = `grant_type=client_credentials&client_id=${client.client_id}`;
      const tokenUrl = `https://localhost:${mtlsPort}/o/token/`;
      expect(await postForm(tokenUrl, form, { tls: mtls })).to.include('access_token');
      expect(await postForm(tokenUrl, form)).to.include('invalid_client');
      expect(statSync(file).mode & 0o077, "other users' permissions for the private keys").to.equal(0);
    } finally {
      script.child.kill('SIGKILL');
    }
  });

  it('prints its usage, and refuses invalid arguments', async () => {
    const argumentLists = [['--help'], ['--port', 'x'], ['--plan', 'x y'], ['--plan', 'fapi2-x[openid=maybe]']];
    const scripts = argumentLists.map((args) => startScript(SCRIPT, args));
    expect(await Promise.all(scripts.map(waitForExit))).to.deep.equal([0, 2, 2, 2]);
    const [help, ...refusals] = scripts.map((script) => script.output());
    expect(help).to.match(/^Usage: npm run conformance/);
    expect(refusals[0]).to.include('--port must be a whole number from 1 to 65535, not x');
    expect(refusals[1]).to.include('--plan must be NAME[CHOICE=VALUE]…, not x y');
    expect(refusals[2]).to.include('openid must be plain_oauth or openid_connect, not maybe');
  });
});

interface Sender {
  readonly headers?: Readonly<Record<string, string>>;
  /** The client's certificate. */
  readonly tls?: PlanConfiguration['mtls'];
}

/** Resolves with the body of the response. Accepts the script's self-signed certificate. */
function postForm(url: string, body: string, { headers, tls }: Sender = {}): Promise<string> {
  const agent = new Agent({ rejectUnauthorized: false, ...tls });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  return new Promise((resolve, reject) => {
    const postRequest = request(url, { method: 'POST', agent, headers: { ...form, ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('end', () => resolve(text));
    });
    postRequest.once('error', reject);
    postRequest.end(body);
  });
}
