import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Level } from 'level';
import { startServer, type ServerProcess } from '../support/server-process.ts';

const ADMIN = { GRANTLOG_ADMIN_USERNAME: 'ada', GRANTLOG_ADMIN_PASSWORD: 'difference engine' };

const DIFFERENCE = 'the first \\d+ records of the log differ from those that were signed in a checkpoint';

describe('a server whose log was changed while it was stopped', function () {
  this.timeout(180_000);

  let dataDir: string;
  let server: ServerProcess | undefined;

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'grantlog-changed-'));
    server = await startServer(dataDir, { env: ADMIN });
    server.kill('SIGTERM');
    expect(await server.exitStatus).to.equal(0);
    server = undefined;
  });
  afterEach(async () => {
    await server?.destroy();
    rmSync(dataDir, { recursive: true });
  });

  async function startAndGetRefusal(): Promise<string> {
    try {
      server = await startServer(dataDir);
    } catch (error) {
      return String(error);
    }
    throw new Error('the server started');
  }

  async function changeLog(edit: (db: Level) => Promise<void>): Promise<void> {
    const db = new Level(join(dataDir, 'log'));
    await edit(db);
    await db.close();
  }

  it('does not serve changed records, and prints the reason', async () => {
    await changeLog(async (db) => {
      const [[key, group] = ['', '']] = await db.iterator({ gte: 'e', lt: 'f', limit: 1 }).all();
      await db.put(key, group.replace('"administrator"', '"auditor"'));
    });
    expect(await startAndGetRefusal()).to.match(
      new RegExp(`exited with [12] .*${DIFFERENCE}: records were changed or removed`, 's'),
    );
  });

  it('does not serve a truncated log', async () => {
    await changeLog((db) => db.clear());
    expect(await startAndGetRefusal()).to.match(/exited with [12] .*restore the newest backup/s);
  });
});
