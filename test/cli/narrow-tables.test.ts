import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createTable, fitMessage, wrapWithHangingIndent } from '../../src/cli/print.ts';
import { runCommandOn } from '../support/run-command.ts';

const NARROW = 80;

describe('A table at a narrow terminal', () => {
  const ROW = {
    kid: 'k'.repeat(43),
    algorithm: 'RS256',
    status: 'signs',
    from: '2026-11-29T15:25:50.000Z',
    until: '2026-12-29T15:25:50.000Z',
    private_half: 'present',
  };
  const NARROWING = { dates: ['from', 'until'], omit: ['private_half', 'until'], important: ['missing'] };

  function print(width: number | undefined, ...rows: readonly object[]) {
    const table = createTable(Object.keys(ROW), width, NARROWING);
    for (const row of rows) table.add({ ...ROW, ...row });
    return { text: [...table.lines()].join(''), omitted: table.omittedColumns() };
  }

  it('shows dates in place of times, and if that is not enough, omits columns', () => {
    const { text, omitted } = print(100, {});
    expect(text)
      .to.match(/^KID .*PRIVATE/)
      .and.include(' 2026-11-29  2026-12-29  present\n');
    expect(omitted).to.deep.equal([]);
    const narrowTable = print(NARROW, {});
    expect(narrowTable.text.split('\n')[0]).to.match(/^KID +ALGORITHM +STATUS +FROM$/);
    expect(narrowTable.omitted).to.deep.equal(['private_half', 'until']);
    for (const line of narrowTable.text.split('\n')) expect(line.length).to.be.at.most(NARROW);
  });

  it('never omits a column with an important cell', () => {
    const { text, omitted } = print(NARROW, {}, { private_half: 'missing' });
    expect(omitted).to.deep.equal([]);
    expect(text).to.include('PRIVATE HALF  missing');
  });

  it('has every column and full times for programs', () => {
    const { text, omitted } = print(undefined, {});
    expect(text).to.include(ROW.from).and.include('PRIVATE HALF');
    expect(omitted).to.deep.equal([]);
  });
});

describe('A long line', () => {
  it('continues below the start of its text', () => {
    expect(wrapWithHangingIndent('12  noon  one two three', 16, 10)).to.equal(
      '12  noon  one\n          two\n          three',
    );
  });

  it('is wrapped only at a terminal', () => {
    expect(fitMessage({ tableWidth: 10 }, 'one two three\n')).to.equal('one two\nthree\n');
    expect(fitMessage({}, 'one two three\n')).to.equal('one two three\n');
  });
});

describe('Commands at a terminal of 80 columns', () => {
  let directory: string;
  const run = (args: readonly string[], width?: number) =>
    runCommandOn({ DATA_DIR: join(directory, 'data') }, args, 'a long password\n', width);

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    const names = ['--first-name', 'Ada', '--last-name', 'Lovelace', '--email', 'ada@example.org'];
    expect(await run(['user', 'add', 'ada', '--admin', ...names, '--password-stdin'])).to.include({ status: 0 });
    const client = ['--name', 'Notes', '--type', 'public', '--grant', 'authorization-code', '--builtin-callback'];
    expect(await run(['client', 'add', ...client, '--client-id', 'notes'])).to.include({ status: 0 });
  });
  after(() => rmSync(directory, { recursive: true }));

  it('print no wider lines', async () => {
    for (const args of [
      ['log', 'tail'],
      ['log', 'verify'],
      ['key', 'list'],
      ['setting', 'list'],
      ['user', 'list'],
      ['nodes'],
      ['client', 'show', 'notes'],
      ['key', 'rotate'],
      ['config'],
      ['setting', 'forecast', 'accessTokenLifetimeSeconds', '60'],
    ])
      for (const line of (await run(args, NARROW)).out.split('\n'))
        expect(line.length, `${args.join(' ')}: ${line}`).to.be.at.most(NARROW);
  });

  it('list invitations as a table, with dates', async () => {
    const name = 'a-rather-long-name';
    const invitation = await run(['user', 'invite', `${name}@example.org`]);
    expect(invitation, invitation.err).to.include({ status: 0 });
    const { out } = await run(['invitation', 'list'], NARROW);
    expect(out).to.match(/^ID +ADDRESS .*EXPIRES AT +USABLE\n1 .* \d{4}-\d\d-\d\d +yes\n$/);
  });

  it('list users as a table', async () => {
    expect((await run(['user', 'list'], NARROW)).out).to.match(/^ID +USERNAME +NAME +EMAIL /);
  });

  it('show only what is set for a client, and everything with --all', async () => {
    const [defaultOutput, fullOutput, pipedOutput] = [
      (await run(['client', 'show', 'notes'], NARROW)).out,
      (await run(['client', 'show', 'notes', '--all'], NARROW)).out,
      (await run(['client', 'show', 'notes'])).out,
    ];
    expect(defaultOutput).to.include('last used: never').and.not.include('ID tokens contain the time');
    expect(fullOutput).to.include('ID tokens contain the time of the login: no');
    expect(pipedOutput, 'member names, for programs').to.include('require_auth_time: no');
  });
});
