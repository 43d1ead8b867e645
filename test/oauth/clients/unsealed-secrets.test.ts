import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { operate } from '../../../src/operations/operations.ts';
import type { CheckResult } from '../../../src/cli/doctor-checks.ts';
import { checkServerState } from '../../../src/cli/doctor-server.ts';
import { controlSocketPath } from '../../../src/cli/operation-target.ts';
import { serveControl } from '../../../src/operations/control/server.ts';
import type { ClientId } from '../../../src/domain/values.ts';
import { listCorpora, readEvents, readKeys, thaw } from '../../corpus/frozen.ts';
import { importClient, requestToken, IMPORT_FORMATS } from '../../support/chosen-secrets.ts';
import { runningService, type RunningService } from '../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
/** The log of the last release that recorded hashes of user-chosen secrets without encryption. */
const CORPUS = listCorpora().find((directory) => directory.endsWith(join('corpus', 'v4'))) ?? '';
const OVERLAP = 3_600;

describe('a client secret whose hash is recorded without encryption', () => {
  let running: RunningService;
  afterEach(() => running.close());

  const rotate = (clientId: string, overlapSeconds: number) =>
    running.service().registration.rotateSecret(clientId as ClientId, OPERATOR, overlapSeconds);

  async function runDoctor(): Promise<CheckResult> {
    const directory = mkdtempSync(join(tmpdir(), 'grantlog-unsealed-'));
    const control = await serveControl(controlSocketPath(directory), operate(running.service()));
    try {
      const results = await checkServerState({ dataDir: directory });
      return (
        results.find(({ check }) => check === 'client secrets') ?? expect.fail('doctor does not check client secrets')
      );
    } finally {
      await control.close();
      rmSync(directory, { recursive: true });
    }
  }

  /** Returns the ids of clients whose secret is recorded unencrypted, as `grantlog client list --json` reports them. */
  async function listUnsealedClients(): Promise<readonly string[]> {
    const ids: string[] = [];
    for await (const row of operate(running.service())('client list', {}, new AbortController().signal)) {
      const { client_id: clientId, secret_unsealed: isUnsealed } = row as Record<string, unknown>;
      if (isUnsealed === true) ids.push(String(clientId));
    }
    return ids.toSorted();
  }

  it('is reported by doctor with the client ids and the required command', async () => {
    running = await thaw(readEvents(CORPUS), readKeys(CORPUS));
    const { ok, says, todo } = await runDoctor();
    expect([ok, says.split(':')[1]]).to.deep.equal([false, ' brought-along, used, unused']);
    expect(says).to.match(/^3 clients have a secret whose hash an earlier release recorded without encryption/);
    expect(todo).to.include('grantlog client rotate-secret ID');
    expect(await listUnsealedClients()).to.deep.equal(['brought-along', 'unused', 'used']);
  });

  it('is no longer reported once the overlap after its replacement ends, or its client is removed', async () => {
    running = await thaw(readEvents(CORPUS), readKeys(CORPUS));
    await rotate('used', OVERLAP);
    await rotate('unused', 0);
    await running.service().registration.remove('brought-along' as ClientId, OPERATOR);
    expect(await listUnsealedClients()).to.deep.equal(['used']);
    expect((await runDoctor()).says).to.match(/^1 client has .*: used$/);
    running.clock.advance(OVERLAP);
    expect(await listUnsealedClients()).to.deep.equal([]);
    expect((await runDoctor()).ok).to.equal(true);
  });

  it('does not occur in this release, for any import format', async () => {
    running = await runningService();
    for (const format of IMPORT_FORMATS) await requestToken(running, await importClient(running.service(), format));
    await running.addClient();
    expect((await running.events()).map(({ type }) => type)).to.include('ClientSecretRehashed');
    expect(await listUnsealedClients()).to.deep.equal([]);
    expect((await runDoctor()).ok).to.equal(true);
  });
});
