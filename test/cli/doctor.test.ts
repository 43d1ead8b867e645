import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkCookies, checkDirectory, checkIssuer, checkNode, checkSettings, type Checked } from '../../src/cli/doctor-checks.ts';
import { configOf } from '../../src/config.ts';
import { settingsSchema } from '../../src/settings-schema.ts';
import { SETTING_NAMES, settings } from '../../src/settings.ts';
import { runningService } from '../support/running-service.ts';

const findings = (checked: readonly Checked[]): readonly string[] => checked.filter(({ ok }) => !ok).map(({ check }) => check);

describe('grantlog doctor', () => {
  let dataDir: string;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'grantlog-'));
    for (const name of ['keys', 'log', 'checkpoints', 'snapshots']) mkdirSync(join(dataDir, name), { mode: 0o700 });
    for (const name of ['keys/log', 'log/CURRENT', 'checkpoints/12']) writeFileSync(join(dataDir, name), '', { mode: 0o600 });
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('finds nothing in a sound data directory', () => {
    expect(findings(checkDirectory(configOf({ dataDir })).filter(({ check }) => check !== 'disk'))).to.deep.equal([]);
  });

  it('finds what others may read, and what is missing', () => {
    chmodSync(join(dataDir, 'keys/log'), 0o644);
    rmSync(join(dataDir, 'checkpoints/12'));
    const found = checkDirectory(configOf({ dataDir }));
    expect(findings(found)).to.include.members(['modes', 'checkpoints']);
    expect(found.find(({ check }) => check === 'modes')?.says).to.include('keys/log');
    expect(findings(checkDirectory(configOf({ dataDir: join(dataDir, 'nowhere') })))).to.deep.equal(['data']);
  });

  it('finds settings that somebody should have wanted, and none among the defaults', () => {
    expect(findings(checkSettings(configOf({})))).to.deep.equal([]);
    expect(findings(checkSettings(configOf({ requirePkce: 'none', pkceMethods: ['plain'], plainHttpRedirectUris: true, issuer: 'https://id.example' })))).to.have.length(4);
    expect([checkCookies(configOf({})).ok, checkCookies(configOf({ issuer: 'http://id.example' })).ok]).to.deep.equal([true, false]);
    expect([checkNode('20.19.0').ok, checkNode('18.20.1').ok, checkNode('26.0.0').ok]).to.deep.equal([true, false, true]);
  });

  it('asks the issuer for its own metadata', async () => {
    const running = await runningService({ isItsOwnIssuer: true });
    const signal = new AbortController().signal;
    expect((await checkIssuer(running.origin(), signal)).ok).to.equal(true);
    await running.close();
    expect((await checkIssuer('http://127.0.0.1:1', signal)).ok).to.equal(false);
  });

  it('says with each finding what to do', () => {
    for (const { ok, todo } of [...checkDirectory(configOf({ dataDir: '/nowhere/at/all' })), ...checkSettings(configOf({ requirePkce: 'none' }))]) expect(todo === null).to.equal(ok);
  });
});

describe('grantlog config --schema', () => {
  it('has every setting with its words and its default', () => {
    const { properties } = settingsSchema() as { readonly properties: Readonly<Record<string, { readonly description: string; readonly default: unknown }>> };
    expect(Object.keys(properties)).to.deep.equal([...SETTING_NAMES]);
    for (const name of SETTING_NAMES) {
      expect(properties[name]?.description).to.include(settings[name].description);
      expect(properties[name]?.default).to.deep.equal(settings[name].default);
    }
  });
});
