import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'node:https';
import { expect } from 'chai';
import { freePort } from '../support/free-port.ts';
import { exitStatusOf, startScript } from '../support/running-script.ts';

const SCRIPT = 'scripts/conformance/main.ts';
const SUITE = 'https://suite.example:8443';

interface PlanConfiguration {
  readonly server: { readonly discoveryUrl: string };
  readonly client: { readonly client_id: string; readonly client_secret: string };
  readonly client2: { readonly client_id: string };
}

describe('npm run conformance', function () {
  this.timeout(180_000);

  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'conformance-test-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  it('serves over https, with two clients, and ends without a trace at Ctrl-C', async () => {
    const file = join(directory, 'plan.json');
    const port = String(await freePort());
    const script = startScript(SCRIPT, ['--port', port, '--suite', SUITE, '--configuration', file], {
      TMPDIR: directory,
    });
    try {
      const issuer = await script.printed(/^serving (https:\S+); the configuration/m);
      expect(issuer).to.equal(`https://localhost:${port}`);
      const { server, client, client2 } = JSON.parse(readFileSync(file, 'utf8')) as PlanConfiguration;
      expect(server.discoveryUrl).to.equal(`${issuer}/.well-known/openid-configuration`);
      expect(client.client_id).to.not.equal(client2.client_id);
      const credentials = `${client.client_id}:${client.client_secret}`;
      expect(await postForm(`${issuer}/o/token/`, credentials, 'grant_type=authorization_code&code=x')).to.include(
        'invalid_grant',
      );
      script.child.kill('SIGINT');
      expect(await exitStatusOf(script), script.output()).to.equal(0);
      const left = readdirSync(directory).filter((name) => name.startsWith('grantlog'));
      expect(left, 'left in the temporary directory').to.deep.equal([]);
    } finally {
      script.child.kill('SIGKILL');
    }
  });

  it('describes itself, and refuses wrong arguments', async () => {
    const [help, wrong] = [startScript(SCRIPT, ['--help']), startScript(SCRIPT, ['--port', 'x'])];
    expect(await Promise.all([help, wrong].map(exitStatusOf))).to.deep.equal([0, 2]);
    expect(help.output()).to.match(/^Usage: npm run conformance/);
    expect(wrong.output()).to.include('--port must be a whole number from 1 to 65535, not x');
  });
});

/** The body of the response. The certificate of the script is its own. */
function postForm(url: string, credentials: string, body: string): Promise<string> {
  const agent = new Agent({ rejectUnauthorized: false });
  const headers = {
    authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('end', () => resolve(text));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
