import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { effectiveDefault } from '../src/config/effective-defaults.ts';
import { SETTING_NAMES, settings } from '../src/config/settings.ts';
import { browserSession } from './support/browser-session.ts';
import { cleanCheckout, freePort, startUntil, stop } from './support/checkout.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const REDIRECT_URI = 'https://app.example/callback';

/** The code block behind `<!-- run: name -->`. */
function block(name: string): string {
  const code = new RegExp(`<!-- run: ${name} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(README)?.[1];
  if (code === undefined) throw new Error(`the README has no block named ${name}`);
  return code;
}

function inTable(value: unknown): string {
  if (value === null) return 'none';
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

describe('The README', () => {
  it('names each setting with its default and its description', () => {
    for (const name of SETTING_NAMES) {
      const presets = (['sample', 'file'] as const).map((basis) => effectiveDefault(name, basis).value);
      const [sample, configured] = presets.map(inTable);
      const shown = sample === configured ? sample : `${sample}; ${configured} once a configuration is named`;
      expect(README).to.include(`| \`${name}\` | ${shown} | ${settings[name].description} |`);
    }
  });

  it('names only tests that there are', () => {
    const table = README.slice(README.indexOf('## Where the specification is silent'));
    const tests = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' });
    const named = [...table.matchAll(/`((?:rfc|model|http|policy|clients)\/[\w.-]*)`/g)].map(([, name = '']) => name);
    expect(named).to.have.length.above(20);
    for (const name of named)
      expect(
        tests.some((file) => file.startsWith(name)),
        name,
      ).to.equal(true);
  });

  it('has a map of files that exist', () => {
    const map = /```text\n(src\/main[\s\S]*?)```/.exec(README)?.[1] ?? '';
    const named = [...map.matchAll(/^([\w/.-]+(?: [\w/.-]+\/)*)/gm)].flatMap(([, names = '']) =>
      names.trim().split(' '),
    );
    expect(named).to.have.length.above(10);
    for (const name of named) expect(existsSync(new URL(`../${name}`, import.meta.url)), name).to.equal(true);
  });

  it('is true: its commands, run as written on a clean checkout, do what it says', async function () {
    this.timeout(300_000);
    const checkout = cleanCheckout();
    const port = await freePort();
    const env = { ...process.env, PORT: String(port) };
    const run = async (name: string, before = ''): Promise<string> => {
      const script = `set -euo pipefail; touch variables; . ./variables; ${before}\n${block(name)}\ndeclare -p CLIENT_ID CLIENT_SECRET ACCESS_TOKEN > variables 2>/dev/null || declare -p CLIENT_ID CLIENT_SECRET > variables`;
      const { stdout } = await promisify(execFile)(
        'bash',
        ['-c', script.replaceAll('localhost:8000', `localhost:${port}`)],
        { cwd: checkout.path, env },
      );
      return stdout;
    };
    try {
      expect(README).to.include('npm ci && npm start');
      const server = await startUntil('serving', 'npm', ['start'], { cwd: checkout.path, env });
      try {
        const token = JSON.parse((await run('first-token')).split('\n').at(-1) ?? '') as Record<string, unknown>;
        expect(token).to.have.all.keys('access_token', 'expires_in', 'token_type', 'scope');
        expect(token).to.include({ expires_in: 36_000, token_type: 'Bearer', scope: 'read write' });

        const answers = await run('password');
        expect(answers).to.match(/^\[\{"username":"alice",.*\}\]\{"username":"alice",.*\}\[\]\{"username":"foo",.*\}$/);

        expect(JSON.parse(await run('fewer-scopes'))).to.deep.equal({
          detail: 'You do not have permission to perform this action.',
          required_scopes: ['groups'],
        });

        expect(JSON.parse(await run('refresh'))).to.include({ scope: 'read write groups', expires_in: 36_000 });

        const code = await authorize(port, join(checkout.path, 'demo.json'));
        expect(JSON.parse(await run('code', `CODE=${code}`))).to.include({ scope: 'read write', token_type: 'Bearer' });

        expect(await run('why', `CODE=${code}`)).to.match(
          /^error: invalid_grant\n[^]*^rule: code-redeemed\n[^]*^seen: already redeemed \d+ seconds? ago \(position \d+ of the log\)\n/m,
        );

        await tryResourceServer(checkout.path, { ...env, SERVER_PORT: String(port) });

        expect(JSON.parse(await run('revoke'))).to.include({ active: true, username: 'alice' });

        const lines = (await run('events'))
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as { position: number });
        expect(lines.map(({ position }) => position)).to.deep.equal([1, 2, 3]);

        copyFileSync(
          new URL('./operations/import/django-oauth-toolkit-3.4.1.json', import.meta.url),
          join(checkout.path, 'dot.json'),
        );
        const moved = await run('moving-in');
        expect(moved)
          .to.match(/^application +nightly .* taken$/m)
          .and.to.match(/^application +page .* refused +the implicit grant/m);
        expect(JSON.parse(moved.split('\n').at(-1) ?? '')).to.include({ scope: 'read write' });

        expect(await run('log')).to.match(/the same at position \d+/);
        expect(readFileSync(join(checkout.path, 'events.jsonl'), 'utf8').trim().split('\n').length).to.be.above(10);

        const foretold = await run('what-if').then(
          () => '',
          ({ stdout }: { readonly stdout: string }) => stdout,
        );
        expect(foretold).to.match(/^refused +Demo +\S+ +1 +1 .*code-challenge-missing/m);
        expect(foretold).to.match(
          /^answered otherwise +Demo .*the access token would have lived 600 s instead of 36000 s/m,
        );

        expect(await run('metrics')).to.match(/^grantlog_tokens_issued_total\{grant_type="password"\} \d/m);

        const audited = await run('audit');
        expect(audited).to.match(/held against \d+ rules: 0 findings/);
        expect(audited).to.match(/^verified: root \S+ over \d+ records/m);
        expect(audited).to.match(/"type":"AccessTokenIssued"/);
      } finally {
        expect(await stop(server)).to.equal(0);
      }

      const both = block('library').replace('const server', `${block('from-openapi')}const server`);
      const example = `${both.replaceAll('8000', String(port))}\nconsole.log('listening');\n`;
      writeFileSync(join(checkout.path, 'example.mjs'), example);
      const embedded = await startUntil('listening', process.execPath, ['example.mjs'], { cwd: checkout.path, env });
      try {
        const { client_id: id, client_secret: secret } = JSON.parse(
          readFileSync(join(checkout.path, 'demo.json'), 'utf8'),
        ) as Record<string, string>;
        const answer = await fetch(`http://localhost:${port}/o/token/`, {
          method: 'POST',
          body: new URLSearchParams({
            grant_type: 'client_credentials',
            client_id: id ?? '',
            client_secret: secret ?? '',
          }),
        });
        const { access_token: token } = (await answer.json()) as Record<string, string>;
        const statusOf = async (path: string, init: RequestInit = {}): Promise<number> =>
          (await fetch(`http://localhost:${port}${path}`, init)).status;
        const headers = { authorization: `Bearer ${token}` };
        expect(await (await fetch(`http://localhost:${port}/widgets`, { headers })).json()).to.deep.equal([
          { name: 'sprocket' },
        ]);
        expect(await statusOf('/widgets')).to.equal(401);
        expect(
          await Promise.all([
            statusOf('/gadgets/1', { headers }),
            statusOf('/gadgets/1'),
            statusOf('/gadgets/1', { method: 'PUT', headers }),
            statusOf('/prices'),
          ]),
        ).to.deep.equal([200, 401, 403, 200]);
        expect(await run('log')).to.match(/the same at position \d+/);
      } finally {
        expect(await stop(embedded)).to.equal(0);
      }
    } finally {
      checkout.remove();
    }
  });
});

/** The example in a process of its own, with the client and the token of the blocks before it. */
async function tryResourceServer(path: string, env: NodeJS.ProcessEnv): Promise<void> {
  const port = await freePort();
  const client = JSON.parse(readFileSync(join(path, 'demo.json'), 'utf8')) as Record<string, string>;
  const { access_token: token } = JSON.parse(readFileSync(join(path, 'token.json'), 'utf8')) as Record<string, string>;
  const example = block('resource-server')
    .replaceAll('8000', env['SERVER_PORT'] ?? '')
    .replaceAll('8001', String(port));
  writeFileSync(join(path, 'resource-server.mjs'), `${example}\nconsole.log('listening');\n`);
  const child = await startUntil('listening', process.execPath, ['resource-server.mjs'], {
    cwd: path,
    env: { ...env, CLIENT_ID: client['client_id'], CLIENT_SECRET: client['client_secret'] },
  });
  try {
    const gadgets = (authorization?: string): Promise<Response> =>
      fetch(`http://localhost:${port}/`, { headers: authorization === undefined ? {} : { authorization } });
    expect(await (await gadgets(`Bearer ${token}`)).json()).to.deep.equal([{ name: 'gadget' }]);
    expect((await gadgets('Bearer unknown')).status).to.equal(401);
    expect((await gadgets()).status).to.equal(401);
  } finally {
    await stop(child);
  }
}

async function authorize(port: number, registered: string): Promise<string> {
  const { client_id: clientId = '' } = JSON.parse(readFileSync(registered, 'utf8')) as Record<string, string>;
  const browser = browserSession(() => `http://localhost:${port}`);
  await browser.logIn('alice', 'correct horse battery');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    state: 'xyz',
  });
  const { location } = await browser.submit(await browser.get(`/o/authorize/?${query.toString()}`), {
    allow: 'Authorize',
  });
  return new URL(location ?? '').searchParams.get('code') ?? '';
}
