import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommandOn } from '../support/run-command.ts';

describe('grantlog domain', () => {
  let directory: string;
  let env: Record<string, string>;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    env = { DATA_DIR: join(directory, 'data') };
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const run = (...args: readonly string[]) => runCommandOn(env, args, 'correct horse\n');

  const listDomains = async () => {
    const { out } = await run('domain', 'list', '--json');
    return JSON.parse(out) as readonly { readonly domain: string; readonly rule: string }[];
  };

  it('normalizes a domain, and allows, blocks, lists and removes domains', async () => {
    expect((await run('domain', 'allow', 'Example.COM.')).out).to.equal('example.com is allowed\n');
    expect((await run('domain', 'allow', 'example.com')).out).to.equal(
      'example.com was already allowed; nothing changed\n',
    );
    expect((await run('domain', 'block', 'evil.example.com')).out).to.equal('evil.example.com is blocked\n');
    expect((await listDomains()).map(({ domain, rule }) => [domain, rule])).to.deep.equal([
      ['evil.example.com', 'blocked'],
      ['example.com', 'allowed'],
    ]);
    expect((await run('domain', 'remove', 'example.com')).out).to.equal('example.com was removed\n');
    expect((await listDomains()).map(({ domain }) => domain)).to.deep.equal(['evil.example.com']);
  });

  it('shows the entry that covers a subdomain', async () => {
    await run('domain', 'allow', 'example.com');
    await run('domain', 'block', 'evil.example.com');
    const show = async (domain: string) => (await run('domain', 'show', domain)).out;
    expect(await show('App.Example.com')).to.equal('app.example.com: allowed by the entry example.com\n');
    expect(await show('a.evil.example.com')).to.equal('a.evil.example.com: blocked by the entry evil.example.com\n');
    expect(await show('evil.example.com')).to.match(/^domain: evil\.example\.com\nrule: blocked\n/);
    const { out } = await run('domain', 'show', 'app.example.com', '--json');
    expect(JSON.parse(out)).to.include({ domain: 'app.example.com', rule: 'allowed', entry: 'example.com' });
    expect(await run('domain', 'show', 'badexample.com')).to.include({ status: 1, out: '' });
  });

  it('prints a note if a rule has no effect, or affects a whole top-level domain', async () => {
    const offNote = 'note: the rule has no effect while clientDocuments is off';
    expect((await run('domain', 'allow', 'example.com')).err).to.include(offNote);
    env['GRANTLOG_CLIENT_DOCUMENTS'] = 'list';
    expect((await run('domain', 'block', 'example.com')).err).to.equal('');
    expect((await run('domain', 'allow', 'com')).err).to.match(/^note: com is a top-level domain: .*\n$/);
    env['GRANTLOG_CLIENT_DOCUMENTS'] = 'any';
    expect((await run('domain', 'allow', 'example.com')).err).to.match(/^note: clientDocuments is any, .*\n$/);
    expect((await run('domain', 'remove', 'example.com')).err).to.equal('');
  });

  it('refuses to remove a domain that is not in the list', async () => {
    await run('domain', 'allow', 'example.com');
    expect(await run('domain', 'remove', 'nope.example')).to.deep.equal({
      status: 1,
      out: '',
      err: 'grantlog: nope.example is not in the list; see: grantlog domain list\n',
    });
  });

  it('refuses values that are not domains, and shows an example', async () => {
    for (const value of ['https://example.com/x', 'https://a b/c', 'nope!', 'a_b.example'])
      for (const command of ['allow', 'block'])
        expect(await run('domain', command, value)).to.deep.equal({
          status: 2,
          out: '',
          err: `grantlog: domain: "${value}" is not a domain name (example: app.example.com)\n`,
        });
    expect(await run('domain', 'show', 'a b')).to.deep.equal({
      status: 2,
      out: '',
      err: 'grantlog: domain: "a b" is not a domain name (example: app.example.com)\n',
    });
    expect(await listDomains()).to.deep.equal([]);
  });
});
