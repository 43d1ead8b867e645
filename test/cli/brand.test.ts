import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { png } from '../support/images.ts';
import { runCommandOn } from '../support/run-command.ts';

describe('grantlog brand', () => {
  let directory: string;
  let env: Record<string, string>;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    env = { DATA_DIR: join(directory, 'data') };
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const run = (...args: readonly string[]) => runCommandOn(env, args);
  const write = (name: string, content: Buffer | string): string => {
    const file = join(directory, name);
    writeFileSync(file, content);
    return file;
  };
  const readValue = async (name: string): Promise<unknown> =>
    (JSON.parse((await run('setting', 'show', name, '--json')).out) as { value: unknown }).value;

  it('sets and removes a logo', async () => {
    const file = write('logo.png', png());
    const setResult = await run('brand', 'logo', file, '--dark', '--json');
    expect(JSON.parse(setResult.out)).to.deep.equal({ name: 'brandLogoDark', is_set: true });
    const url = `data:image/png;base64,${png().toString('base64')}`;
    expect([await readValue('brandLogoDark'), await readValue('brandLogo')]).to.deep.equal([url, null]);
    expect((await run('brand', 'logo', '--remove', '--dark')).status).to.equal(0);
    expect(await readValue('brandLogoDark')).to.equal(null);
  });

  it('refuses anything but a small image', async () => {
    for (const [name, content, message] of [
      ['logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', /SVG is not accepted/],
      ['logo.txt', 'text', /not a PNG, JPEG or WebP/],
      ['logo.png', Buffer.alloc(30_000), /Use a logo of at most 24 KiB/],
    ] as const) {
      const { status, err } = await run('brand', 'logo', write(name, content));
      expect([status === 0, message.test(err)], err).to.deep.equal([false, true]);
    }
    expect((await run('brand', 'logo', '/dev/zero')).err).to.include('/dev/zero is not a regular file');
    expect((await run('brand', 'logo')).err).to.include('specify either a file or --remove');
  });

  it('lists the replaceable texts that contain a word, in the given language', async () => {
    const texts = JSON.parse((await run('brand', 'texts', 'new password for', '--json')).out) as readonly object[];
    expect(texts).to.deep.include({ key: 'mail.reset.subject', text: 'Choose a new password for {server}' });
    expect((await run('brand', 'texts', 'mail.reset', '--language', 'de')).out).to.include('{server}');
    const consentTexts = JSON.parse((await run('brand', 'texts', 'consent.', '--json')).out) as readonly {
      key: string;
    }[];
    expect(
      consentTexts.filter(({ key }) => key.startsWith('consent.')),
      'consent texts must not be replaceable, because the log records them',
    ).to.deep.equal([]);
    expect((await run('brand', 'texts', '--language', 'xx')).err).to.include('must be one of en, de');
  });

  it('lists one replaceable text per line, no wider than the terminal', async () => {
    const count = (JSON.parse((await run('brand', 'texts', '--json')).out) as readonly object[]).length;
    const { out } = await runCommandOn(env, ['brand', 'texts'], '', 80);
    expect(out.trimEnd().split('\n')).to.have.lengthOf(count + 1);
    for (const line of out.split('\n')) expect(line.length).to.be.at.most(80);
  });

  it('checks a file, and fails if a text is refused or the file is not JSON', async () => {
    const goodFile = write('good.json', '{"de":{"login.title":"Bei {brand} anmelden"}}');
    expect(JSON.parse((await run('brand', 'check', goodFile, '--json')).out)).to.deep.equal({
      file: goodFile,
      problems: [],
    });
    const texts = { en: { 'login.titel': 'Log in', 'mail.reset.subject': 'New password' } };
    const badResult = await run('brand', 'check', write('bad.json', JSON.stringify(texts)), '--json');
    expect(badResult.status).to.equal(1);
    expect((JSON.parse(badResult.out) as { problems: unknown }).problems).to.deep.equal([
      'en login.titel: there is no such text; did you mean login.title?',
      'en mail.reset.subject: it lacks {server}',
    ]);
    const brokenFile = write('broken.json', '{');
    expect((await run('brand', 'check', brokenFile)).err).to.include(`${brokenFile}: not JSON`);
  });

  it('explains what is wrong with a malformed file', async () => {
    for (const [content, problem] of [
      ['{"xx":{}}', '"xx": unsupported language; use en or de'],
      ['{"en":{"__proto__":"text"}}', 'no member may be named __proto__ (en.__proto__)'],
      ['[]', 'the file must contain an object with the texts of each language'],
      ['{"en":"text"}', 'en: must be an object that maps keys to texts'],
      ['{"en":{"login.title":1}}', 'en login.title: must be a string of 1 to 2,000 characters'],
      ['{"en":{"a b":"text"}}', 'en a b: unknown key; list the keys with: grantlog brand texts'],
      [
        JSON.stringify({ en: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`a.b${n}`, 'x'.repeat(1999)])) }),
        'the texts exceed 32,768 characters when encoded as JSON',
      ],
    ] as const) {
      const { status, out } = await run('brand', 'check', write('other.json', content), '--json');
      expect(status).to.equal(1);
      expect((JSON.parse(out) as { problems: unknown }).problems).to.deep.equal([problem]);
    }
  });

  it('lists every problem in a file, including those after a malformed entry', async () => {
    const file = write('two.json', '{"en":{"nope":"x","login.title":"{a}"}}');
    const { problems } = JSON.parse((await run('brand', 'check', file, '--json')).out) as { problems: unknown };
    expect(problems).to.deep.equal([
      'en nope: unknown key; list the keys with: grantlog brand texts',
      'en login.title: it contains {a}, but the standard text does not',
    ]);
  });

  it('replaces, lists and resets individual texts, and keeps the others', async () => {
    await run('brand-text', 'set', 'login.title', 'Welcome to {brand}');
    const setResult = await run('brand-text', 'set', 'mail.reset.subject', '{server}', '--language', 'de', '--json');
    expect(JSON.parse(setResult.out)).to.include({ key: 'mail.reset.subject', language: 'de', own: '{server}' });
    const listResult = await run('brand-text', 'list', '--json');
    expect((JSON.parse(listResult.out) as readonly { own: string }[]).map(({ own }) => own)).to.deep.equal([
      'Welcome to {brand}',
      '{server}',
    ]);
    expect((await run('brand-text', 'set', 'mail.reset.subject', 'Hello')).err).to.include(
      'en mail.reset.subject: it lacks {server}',
    );
    expect((await run('brand-text', 'set', 'mail.nothing', 'Hello')).err).to.include(
      'no text has the key "mail.nothing"',
    );
    const resetResult = await run('brand-text', 'reset', 'login.title', '--json');
    expect(JSON.parse(resetResult.out)).to.include({ standard: 'Log in', was: 'Welcome to {brand}' });
    expect(await readValue('brandTexts')).to.deep.equal({ de: { 'mail.reset.subject': '{server}' } });
  });

  it('says that there was no text to reset', async () => {
    const result = await run('brand-text', 'reset', 'login.title');
    expect(result).to.deep.include({ status: 0, err: '' });
    expect(result.out).to.equal('login.title had no custom text in en; nothing was changed\n');
  });

  describe('brand-text list --all', () => {
    const list = (width: number | undefined, ...args: readonly string[]) =>
      runCommandOn(env, ['brand-text', 'list', '--all', ...args], '', width);
    beforeEach(() => run('group', 'add', 'editors'));

    it('pads texts only at a terminal, because the longest one would widen every line', async () => {
      await run('brand-text', 'set', 'mail.reset.subject', '{server}');
      const lines = (await list(undefined)).out.trimEnd().split('\n');
      expect(lines[0]).to.match(/^KEY +LANGUAGE  STANDARD  OWN  IGNORED$/);
      expect(lines.join('\n')).to.match(/^login\.title +en {8}Log in  -  -$/m);
      for (const line of lines) expect(line).to.not.match(/^\S+ +\w+ +\S.* {3}/);
    });

    it('prints each text on one line at a terminal, without columns whose values are all the same', async () => {
      for (const width of [80, 100]) {
        const { out } = await list(width, 'login.');
        for (const line of out.trimEnd().split('\n')) expect(line).to.match(/^(?:KEY|[\w.-]+…?) .{0,90}$/);
        for (const line of out.split('\n')) expect(line.length).to.be.at.most(width);
        expect(out).to.match(/^KEY +LANGUAGE +STANDARD\n/);
      }
      expect((await list(80, 'login.', '--language', 'de')).out).to.match(/^KEY +STANDARD\n/);
    });

    it('filters texts by language and by a word, ignoring case', async () => {
      const texts = JSON.parse((await list(undefined, 'ANMELDEN', '--language', 'de', '--json')).out) as readonly {
        readonly key: string;
        readonly language: string;
      }[];
      expect(texts.map(({ key }) => key)).to.include('login.title');
      expect(new Set(texts.map(({ language }) => language))).to.deep.equal(new Set(['de']));
      expect(await list(undefined, 'no such word')).to.deep.include({ status: 0, out: '', err: 'No texts match.\n' });
    });
  });

  it("shows a whole text, with its placeholders and the operator's replacement", async () => {
    await run('brand-text', 'set', 'mail.reset.subject', 'Passwort: {server}', '--language', 'de');
    const show = (...args: readonly string[]) => run('brand-text', 'show', ...args);
    expect(JSON.parse((await show('mail.reset.subject', '--language', 'de', '--json')).out)).to.deep.include({
      key: 'mail.reset.subject',
      language: 'de',
      placeholders: ['{server}'],
      own: 'Passwort: {server}',
      ignored: null,
    });
    expect((await show('login.title')).out).to.include('standard: Log in\n');
    expect(await show('login.titel')).to.deep.include({
      status: 1,
      err: 'grantlog: no text has the key "login.titel"; see: grantlog brand texts\n',
    });
  });

  it('exits with status 2 for an invalid text', async () => {
    for (const text of ['Hi {nope}', '{nope', '']) {
      const { status, err } = await run('brand-text', 'set', 'login.title', text);
      expect(status, err).to.equal(2);
    }
  });
});
