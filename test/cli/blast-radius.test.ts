import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openServiceOf, runCommandOn } from '../support/run-command.ts';

describe('grantlog log blast-radius', () => {
  let directory: string;
  let env: Record<string, string>;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    env = { DATA_DIR: join(directory, 'data') };
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('repeats each time of its JSON in ISO 8601', async () => {
    await runCommandOn(env, ['client', 'add', '--name', 'App', '--type', 'confidential', '--grant', 'password']);
    const service = await openServiceOf(env);
    const [{ clientId } = expect.fail()] = service.projections.clients.all();
    await service.close();
    const { out } = await runCommandOn(env, ['log', 'blast-radius', '--client', clientId, '--json']);
    const { at, at_iso: iso } = JSON.parse(out) as { readonly at: number; readonly at_iso: string };
    expect(iso).to.equal(new Date(at * 1000).toISOString());
  });
});
