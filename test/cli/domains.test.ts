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

  const listed = async () => {
    const { out } = await run('domain', 'list', '--json');
    return JSON.parse(out) as readonly { readonly domain: string; readonly rule: string }[];
  };

  it('allows, blocks, lists and removes domains, in normal form', async () => {
    expect((await run('domain', 'allow', 'Example.COM.')).out).to.equal('example.com is allowed\n');
    expect((await run('domain', 'allow', 'example.com')).out).to.equal(
      'example.com was already allowed; nothing changed\n',
    );
    expect((await run('domain', 'block', 'evil.example.com')).out).to.equal('evil.example.com is blocked\n');
    expect((await listed()).map(({ domain, rule }) => [domain, rule])).to.deep.equal([
      ['evil.example.com', 'blocked'],
      ['example.com', 'allowed'],
    ]);
    expect((await run('domain', 'remove', 'example.com')).out).to.equal('example.com is removed\n');
    expect((await listed()).map(({ domain }) => domain)).to.deep.equal(['evil.example.com']);
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
    for (const entered of ['https://example.com/x', 'https://a b/c', 'nope!', 'a_b.example'])
      for (const command of ['allow', 'block'])
        expect(await run('domain', command, entered)).to.deep.equal({
          status: 1,
          out: '',
          err: `grantlog: "${entered}" is not a domain such as app.example.com\n`,
        });
    expect(await listed()).to.deep.equal([]);
  });
});
