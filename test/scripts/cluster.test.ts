import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { isRunning } from '../../scripts/postgres/process-tree.ts';
import { waitForExit, startScript, type RunningScript } from '../support/running-script.ts';

const SCRIPT = 'scripts/cluster/main.ts';

describe('npm run cluster', function () {
  this.timeout(300_000);

  let script: RunningScript;
  let origin: string;
  let environment: Readonly<Record<string, string>>;
  const pids: number[] = [];

  before(async () => {
    script = startScript(SCRIPT, ['--nodes', '2', '--port', '0']);
    origin = await script.waitForOutput(/The proxy serves (\S+)/);
    const variables = await script.waitForOutput(/Commands: (.+) npm run/);
    environment = Object.fromEntries(
      [...variables.matchAll(/(\w+)='([^']*)'/g)].map(([, name, value]) => [name, value]),
    );
    for (const name of ['node-1', 'node-2'])
      pids.push(Number(await script.waitForOutput(new RegExp(`${name} is process (\\d+)`))));
  });
  after(() => script.child.kill('SIGKILL'));

  const runOn = async (node: string, ...args: readonly string[]): Promise<string> =>
    (
      await promisify(execFile)(process.execPath, ['dist/main.js', ...args], {
        env: { ...environment, PATH: process.env['PATH'], DATA_DIR: environment['DATA_DIR']?.replace('node-1', node) },
      })
    ).stdout;

  it('serves a single origin, and prints the requests that each node receives', async () => {
    for (let request = 0; request < 4; request++) expect((await fetch(`${origin}/readyz`)).status).to.equal(200);
    const metadata = `${origin}/.well-known/oauth-authorization-server`;
    expect(((await (await fetch(metadata)).json()) as { issuer: string }).issuer).to.equal(origin);
    expect((await fetch(metadata)).status).to.equal(200);
    for (const node of ['node-1', 'node-2'])
      await script.waitForOutput(new RegExp(`${node}  GET /\\.well-known/\\S+ 200`));
  });

  it('prints a set-up link that can be opened', async () => {
    const link = await script.waitForOutput(/Create the first administrator at (\S+)/);
    for (let request = 0; request < 2; request++) expect((await fetch(link)).status).to.equal(200);
  });

  it('has one log for all nodes', async () => {
    await runOn('node-1', 'group', 'add', 'editors');
    expect(await runOn('node-2', 'group', 'list')).to.include('editors');
    expect(JSON.parse(await runOn('node-1', 'nodes', '--json'))).to.have.lengthOf(2);
  });

  it('keeps serving after a node is killed', async () => {
    process.kill(pids[1] ?? 0, 'SIGKILL');
    await script.waitForOutput(/node-2 exited with SIGKILL/);
    for (let request = 0; request < 4; request++) expect((await fetch(`${origin}/readyz`)).status).to.equal(200);
  });

  it('stops all its processes on Ctrl-C, and removes the data', async () => {
    script.child.kill('SIGINT');
    expect(await waitForExit(script), script.output()).to.equal(0);
    expect(pids.filter(isRunning)).to.deep.equal([]);
    expect(existsSync(dirname(environment['DATA_DIR'] ?? ''))).to.equal(false);
  });

  it('stops all its processes, and exits with status 1, when no node is left', async () => {
    const singleNodeScript = startScript(SCRIPT, ['--nodes', '1', '--port', '0']);
    const pid = Number(await singleNodeScript.waitForOutput(/node-1 is process (\d+)/));
    const directory = dirname(await singleNodeScript.waitForOutput(/DATA_DIR=(\S+)/));
    process.kill(pid, 'SIGKILL');
    expect(await waitForExit(singleNodeScript)).to.equal(1);
    expect(singleNodeScript.output()).to.include('stopping, because no node is left');
    expect(existsSync(directory)).to.equal(false);
  });

  it('says which package to install if PostgreSQL is missing', async () => {
    const failedScript = startScript(SCRIPT, [], { PG_BIN: '/nonexistent' });
    expect(await waitForExit(failedScript)).to.equal(2);
    expect(failedScript.output()).to.match(/cannot start: PostgreSQL 15 or newer .*apt-get install postgresql/);
  });

  it('prints its usage, and refuses invalid arguments', async () => {
    const [helpScript, refusedScript] = [startScript(SCRIPT, ['--help']), startScript(SCRIPT, ['--nodes', '0'])];
    expect(await Promise.all([helpScript, refusedScript].map(waitForExit))).to.deep.equal([0, 2]);
    expect(helpScript.output()).to.match(/^Usage: npm run cluster/);
    expect(refusedScript.output()).to.match(/^--nodes must be a whole number from 1 to 9, not 0/);
  });
});
