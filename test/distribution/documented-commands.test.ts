import { execFile, type ExecFileOptions } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { browserSession } from '../support/browser-session.ts';
import { copyCheckout, findFreePort, startUntil, stop } from '../support/checkout.ts';
import { readAllDocuments, codeBlocksOf, outputPattern, ROOT, type Document } from '../support/documents.ts';

const REDIRECT_URI = 'https://app.example/callback';
const IMPORT_FILE = new URL('../operations/import/django-oauth-toolkit-3.4.1.json', import.meta.url);

/** Documents whose commands this test cannot run, with the tests that check or run them. */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/deployment.md': 'test/deploy.test.ts',
  'docs/management-api.md': 'test/docs/management-api.test.ts',
  'docs/mcp.md': 'test/distribution/mcp.test.ts',
  'examples/': 'test/distribution/examples',
};
const isTestedHere = ({ path }: Document): boolean =>
  !Object.keys(TESTED_ELSEWHERE).some((prefix) => path.startsWith(prefix));

const blocks = readAllDocuments().filter(isTestedHere).flatMap(codeBlocksOf);
const documentedOutputs = blocks.filter(({ outputOf }) => outputOf !== undefined);
const runnableBlocks = blocks.filter(({ runAs }) => runAs !== undefined);

/** Returns the code of the named example, and adds the name to `usedNames`. @throws Error if no document has it */
function takeExample(name: string, usedNames: Set<string>): string {
  const example = runnableBlocks.find(({ runAs }) => runAs === name);
  if (example === undefined) throw new Error(`no document has an example named ${name}`);
  usedNames.add(name);
  return example.code;
}

describe('The examples in the documents', () => {
  it('are all run by this test or state why not', () => {
    const codeLanguage = /^(?:sh|bash|js|mjs|ts)$/;
    const unaccountedBlocks = blocks.filter(
      ({ language, runAs, notRunBecause }) =>
        codeLanguage.test(language) && runAs === undefined && notRunBecause === undefined,
    );
    expect(unaccountedBlocks.map(({ document, code }) => `${document}: ${code}`)).to.deep.equal([]);
    for (const test of Object.values(TESTED_ELSEWHERE)) expect(existsSync(join(ROOT, test)), test).to.equal(true);
    expect(new Set(runnableBlocks.map(({ runAs }) => runAs)).size, 'the names are unique').to.equal(
      runnableBlocks.length,
    );
  });

  it('run as described on a clean checkout', async function () {
    this.timeout(600_000); // Runs dozens of commands, each in its own process.
    const example = await prepareExamples();
    try {
      await runAgainstServer(example);
      await runAsProgram(example);
      expect([...example.usedNames]).to.have.members(runnableBlocks.map(({ runAs }) => runAs));
    } finally {
      example.remove();
    }
  });
});

interface ExampleRun {
  readonly path: string;
  readonly port: number;
  readonly env: NodeJS.ProcessEnv;
  readonly usedNames: Set<string>;
  /** Runs the example in a shell with the variables from the previous examples. */
  run(name: string, options?: { readonly before?: string; readonly status?: number }): Promise<string>;
  remove(): void;
}

const SAVE_VARIABLES =
  'for name in CLIENT_ID CLIENT_SECRET ACCESS_TOKEN; do [ -z "${!name+x}" ] || declare -p "$name"; done';

/** The example whose commands run unchanged. */
const UNCHANGED_EXAMPLE = 'first-token';

/** Makes the other examples run the built command without npm, which saves a second for each command. */
const BUILT_COMMAND =
  'npm() { case "$*" in "run -s grantlog -- "*) node dist/main.js "${@:5}";; *) command npm "$@";; esac; }';

async function prepareExamples(): Promise<ExampleRun> {
  const { path, remove } = copyCheckout();
  const port = await findFreePort();
  const env = { ...process.env, PORT: String(port) };
  const usedNames = new Set<string>();
  async function run(name: string, { before = '', status = 0 } = {}): Promise<string> {
    const code = takeExample(name, usedNames).replaceAll('localhost:8000', `localhost:${port}`);
    const command = name === UNCHANGED_EXAMPLE ? '' : BUILT_COMMAND;
    const setUp = 'set -euo pipefail; touch variables; . ./variables';
    const script = `${command}\n${setUp}; ${before}\n${code}\n${SAVE_VARIABLES} > variables`;
    const { stdout, status: actualStatus } = await runToEnd('bash', ['-c', script], { cwd: path, env });
    expect(actualStatus, name).to.equal(status);
    expectDocumentedOutput(name, stdout);
    return stdout;
  }
  return { path, port, env, usedNames, run, remove };
}

interface CommandResult {
  readonly stdout: string;
  readonly status: number;
}

async function runToEnd(command: string, args: readonly string[], options: ExecFileOptions): Promise<CommandResult> {
  return promisify(execFile)(command, args, { ...options, encoding: 'utf8' }).then(
    ({ stdout }) => ({ stdout, status: 0 }),
    (error: unknown) => {
      const { stdout, code, stderr } = error as { stdout: string; stderr: string; code: number };
      if (code !== 1) throw new Error(`${args.join(' ')}: ${stderr}`, { cause: error });
      return { stdout, status: code };
    },
  );
}

/** Checks that `stdout` matches the output that the documents show for the example. */
function expectDocumentedOutput(name: string, stdout: string): void {
  for (const documentedOutput of documentedOutputs.filter(({ outputOf }) => outputOf === name)) {
    expect(stdout, `${documentedOutput.document} shows output that differs from ${stdout}`).to.match(
      outputPattern(documentedOutput),
    );
  }
}

async function runAgainstServer(example: ExampleRun): Promise<void> {
  const { path, port, env, usedNames } = example;
  expect(takeExample('start', usedNames)).to.equal('npm ci && npm start\n');
  await runToEnd('npm', ['run', '-s', 'prepare'], { cwd: path, env }); // npm ci runs this script
  const server = await startUntil('serving', 'npm', ['start'], { cwd: path, env });
  try {
    await runFirstTokenExample(example);
    await runProtocolExamples(example);
    await tryResourceServer(example);
    const lastOutput = await example.run('revoke');
    expect(JSON.parse(lastOutput)).to.include({ active: true, username: 'alice' });
    await runImportExample(example);
    await runOperationsExamples(example);
    await runAuditExamples(example);
    // The running server does not read the file: the command shows the values after a restart.
    expect(await example.run('settings-file')).to.match(/^issuer +http:\/\/localhost.* https:\/\/id\.example/m);
  } finally {
    expect(await stop(server), `the server on port ${port}`).to.equal(0);
  }
}

async function runFirstTokenExample({ run }: ExampleRun): Promise<void> {
  const token = JSON.parse((await run('first-token')).split('\n').at(-1) ?? '') as Record<string, unknown>;
  expect(token).to.have.all.keys('access_token', 'expires_in', 'token_type', 'scope');
  expect(token).to.include({ expires_in: 36_000, token_type: 'Bearer', scope: 'read write' });
}

async function runProtocolExamples({ path, port, run }: ExampleRun): Promise<void> {
  const responses = await run('password');
  expect(responses).to.match(/^\[\{"username":"alice",.*\}\]\{"username":"alice",.*\}\[\]\{"username":"foo",.*\}$/);
  expect(JSON.parse(await run('fewer-scopes'))).to.deep.equal({
    detail: 'You do not have permission to perform this action.',
    required_scopes: ['groups'],
  });
  expect(JSON.parse(await run('refresh'))).to.include({ scope: 'read write groups', expires_in: 36_000 });
  expect(JSON.parse(await run('push'))).to.include({ expires_in: 60 });
  const code = await authorize(port, join(path, 'demo.json'));
  expect(JSON.parse(await run('code', { before: `CODE=${code}` }))).to.include({
    scope: 'read write',
    token_type: 'Bearer',
  });
  const explanation = await run('why', { before: `CODE=${code}` });
  expect(explanation).to.match(/^error: invalid_grant\n[^]*^rule: code-redeemed\n/m);
  expect(explanation).to.match(/^seen: already redeemed \d+ seconds? ago \(position \d+ of the log\)\n/m);
}

async function runImportExample({ path, run }: ExampleRun): Promise<void> {
  copyFileSync(IMPORT_FILE, join(path, 'dot.json'));
  const importOutput = await run('import');
  expect(importOutput).to.match(/^application +nightly .* new +-$/m);
  expect(importOutput).to.match(/^application +page .* refused +the implicit grant/m);
  expect(JSON.parse(importOutput.split('\n').at(-1) ?? '')).to.include({ scope: 'read write' });
}

async function runOperationsExamples({ path, run }: ExampleRun): Promise<void> {
  expect(await run('log')).to.match(/the same at position \d+/);
  expect(linesOf(join(path, 'events.jsonl')).length).to.be.above(10);

  expect(await run('run-time-settings')).to.include('refreshReuseWindowSeconds');
  expect(await run('brand')).to.include('Harbour & Sons');
  expect(await run('brand-texts'))
    .to.include('mail.password-changed')
    .and.include('Log in to {brand}');
  const whatIfOutput = await run('what-if', { status: 1 });
  expect(whatIfOutput).to.match(/^refused +Demo +\S+ +1 +1 .*code-challenge-missing/m);
  const shorterLifetime =
    /^answered differently +Demo .*the access token would have been valid for 600 s instead of 36000 s/m;
  expect(whatIfOutput).to.match(shorterLifetime);

  expect(await run('what-if-dpop', { status: 1 })).to.match(/^refused +Demo .*dpop-proof-missing/m);
  expect(JSON.parse(await run('require-dpop'))).to.include({ error: 'invalid_dpop_proof' });

  expect(await run('metrics')).to.match(/^grantlog_tokens_issued_total\{grant_type="password"\} \d/m);

  await run('backup');
  expect(statSync(join(path, 'grantlog.backup')).mode % 0o1000).to.equal(0o600);
  expect(statSync(join(path, 'restored-data', 'log')).isDirectory()).to.equal(true);
}

async function runAuditExamples({ run }: ExampleRun): Promise<void> {
  const events = (await run('events'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { position: number });
  expect(events.map(({ position }) => position)).to.deep.equal([1, 2, 3]);
  const auditOutput = await run('audit');
  expect(auditOutput).to.match(/checked against \d+ rules: 0 findings/);
  expect(auditOutput).to.match(/^verified: root \S+ of \d+ records/m);
  expect(auditOutput).to.match(/"type":"AccessTokenIssued"/);
}

/** Runs the examples that embed the server, with the data from the previous examples. */
async function runAsProgram({ path, port, env, usedNames, run }: ExampleRun): Promise<void> {
  const program = takeExample('library', usedNames).replace(
    'const server',
    `${takeExample('step-up', usedNames)}${takeExample('from-openapi', usedNames)}const server`,
  );
  writeFileSync(join(path, 'example.mjs'), `${program.replaceAll('8000', String(port))}\nconsole.log('listening');\n`);
  const embeddingProgram = await startUntil('listening', process.execPath, ['example.mjs'], { cwd: path, env });
  try {
    const headers = { authorization: `Bearer ${await requestClientToken(path, port)}` };
    const send = (target: string, init: RequestInit = {}): Promise<Response> =>
      fetch(`http://localhost:${port}${target}`, init);
    expect(await (await send('/widgets', { headers })).json()).to.deep.equal([{ name: 'sprocket' }]);
    const requests = [
      send('/widgets'),
      send('/gadgets/1', { headers }),
      send('/gadgets/1'),
      send('/gadgets/1', { method: 'PUT', headers }),
      send('/prices'),
    ];
    expect((await Promise.all(requests)).map(({ status }) => status)).to.deep.equal([401, 200, 401, 403, 200]);
    expect(await run('log')).to.match(/the same at position \d+/);
  } finally {
    expect(await stop(embeddingProgram)).to.equal(0);
  }
}

async function requestClientToken(path: string, port: number): Promise<string> {
  const { client_id: id = '', client_secret: secret = '' } = readJson(join(path, 'demo.json'));
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
  const response = await fetch(`http://localhost:${port}/o/token/`, { method: 'POST', body });
  return ((await response.json()) as Record<string, string>)['access_token'] ?? '';
}

/** Runs the resource server in a separate process, with the client and the token from the previous examples. */
async function tryResourceServer({ path, port: serverPort, env, usedNames }: ExampleRun): Promise<void> {
  const port = await findFreePort();
  const { client_id: id, client_secret: secret } = readJson(join(path, 'demo.json'));
  const { access_token: token } = readJson(join(path, 'token.json'));
  const program = takeExample('resource-server', usedNames)
    .replaceAll('8000', String(serverPort))
    .replaceAll('8001', String(port));
  writeFileSync(join(path, 'resource-server.mjs'), `${program}\nconsole.log('listening');\n`);
  const child = await startUntil('listening', process.execPath, ['resource-server.mjs'], {
    cwd: path,
    env: { ...env, CLIENT_ID: id, CLIENT_SECRET: secret },
  });
  try {
    const getGadgets = (authorization?: string): Promise<Response> =>
      fetch(`http://localhost:${port}/`, { headers: authorization === undefined ? {} : { authorization } });
    expect(await (await getGadgets(`Bearer ${token}`)).json()).to.deep.equal([{ name: 'gadget' }]);
    expect((await getGadgets('Bearer unknown')).status).to.equal(401);
    expect((await getGadgets()).status).to.equal(401);
  } finally {
    await stop(child);
  }
}

async function authorize(port: number, clientFile: string): Promise<string> {
  const { client_id: clientId = '' } = readJson(clientFile);
  const browser = browserSession(() => `http://localhost:${port}`);
  await browser.logIn('alice', 'correct horse battery');
  const request = { response_type: 'code', client_id: clientId, redirect_uri: REDIRECT_URI, state: 'xyz' };
  const page = await browser.get(`/o/authorize/?${new URLSearchParams(request).toString()}`);
  const { location } = await browser.submit(page, { allow: 'Authorize' });
  return new URL(location ?? '').searchParams.get('code') ?? '';
}

function readJson(file: string): Record<string, string> {
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
}

function linesOf(file: string): readonly string[] {
  return readFileSync(file, 'utf8').trim().split('\n');
}
