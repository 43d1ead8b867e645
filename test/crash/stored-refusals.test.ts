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

  /** Kills the process during its writes, and returns the ids that it had written before. */
  async function writeAndKill(path: string, round: number): Promise<readonly string[]> {
    const child = fork(TARGET, [path, String(round)], { execArgv: [RUN_TYPESCRIPT] });
    const written: string[] = [];
    for (let batches = 0; batches < 12 + 7 * round; batches += 1) {
      const [message] = (await once(child, 'message')) as [TargetMessage];
      expect(message.notice, 'damage of the previous round').to.equal(undefined);
      written.push(...(message.written ?? []));
      child.send('confirmed');
    }
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    return written;
  }

  it('of a killed process are complete and undamaged', async () => {
    const path = join(directory, 'refusals');
    const written: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) written.push(...(await writeAndKill(path, round)));
    expect(written.length).to.be.below(STORED_REFUSALS.proven.slots);
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
    expect(store.earlier.map(({ id }) => id)).to.include.members(written);
  });

  it('are explained by the command line after a restart, and without a server', async () => {
    const dataDir = join(directory, 'data');
    let server: ServerProcess = await startServer(dataDir);
    const why = async (id: string): Promise<string> => {
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
    expect(await why(id), 'without a server').to.contain('rule: client-unknown');
    server = await startServer(dataDir);
    try {
      expect(await why(id), 'after a restart').to.contain('rule: client-unknown');
    } finally {
      await server.destroy();
    }
  });
});
