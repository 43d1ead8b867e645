import { execFile, fork } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { STORED_REFUSALS } from '../../src/oauth/refusals/explanations.ts';
import { openRefusalStore } from '../../src/oauth/refusals/refusal-store.ts';
import { systemEntropy } from '../../src/platform/ports.ts';
import { startServer, type ServerProcess } from '../support/server-process.ts';
import { RUN_GRANTLOG, RUN_TYPESCRIPT } from '../support/typescript.ts';

const TARGET = fileURLToPath(new URL('../support/refusal-store-target.ts', import.meta.url));
const ROUNDS = 4;

describe('Stored refusals', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-refusals-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  interface TargetMessage {
    readonly written?: readonly string[];
    readonly notice?: string;
  }

  /** Kills the process during its writes, and returns the ids that it had already written. */
  async function writeAndKill(path: string, round: number): Promise<readonly string[]> {
    const child = fork(TARGET, [path, String(round)], { execArgv: [RUN_TYPESCRIPT] });
    const writtenIds: string[] = [];
    for (let batch = 0; batch < 12 + 7 * round; batch += 1) {
      const [message] = (await once(child, 'message')) as [TargetMessage];
      expect(message.notice, 'damage from the previous round').to.equal(undefined);
      writtenIds.push(...(message.written ?? []));
      child.send('confirmed');
    }
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
    return writtenIds;
  }

  it('of a killed process are complete and intact', async () => {
    const path = join(directory, 'refusals');
    const writtenIds: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) writtenIds.push(...(await writeAndKill(path, round)));
    expect(writtenIds.length).to.be.below(STORED_REFUSALS.proven.slots);
    const notices: string[] = [];
    const store = await openRefusalStore({
      path,
      key: createSecretKey(Buffer.alloc(32, 1)),
      entropy: systemEntropy(),
      ticks: () => 0,
      notice: (line) => notices.push(line),
    });
    await store.close();
    expect(notices).to.deep.equal([]);
    expect(store.earlierRequests.map(({ id }) => id)).to.include.members(writtenIds);
  });

  it('are explained by the command line after a restart and without a running server', async () => {
    const dataDir = join(directory, 'data');
    let server: ServerProcess = await startServer(dataDir);
    const runWhy = async (id: string): Promise<string> => {
      const { PATH = '' } = process.env;
      return new Promise((resolve) => {
        execFile(
          process.execPath,
          [...RUN_GRANTLOG, 'why', id],
          { env: { PATH, DATA_DIR: dataDir } },
          (_error, stdout, stderr) => resolve(`${stdout}${stderr}`),
        );
      });
    };
    const response = await fetch(`${server.origin}/o/authorize/?response_type=code&client_id=unknown`);
    const id = response.headers.get('x-request-id') ?? '';
    server.kill('SIGTERM');
    expect(await server.exitStatus).to.equal(0);
    expect(await runWhy(id), 'without a server').to.contain('rule: client-unknown');
    server = await startServer(dataDir);
    try {
      expect(await runWhy(id), 'after a restart').to.contain('rule: client-unknown');
    } finally {
      await server.destroy();
    }
  });
});
