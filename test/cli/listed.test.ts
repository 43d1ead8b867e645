import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runCommandOn } from '../support/run-command.ts';

/** Client ids contain no dots, so a search for this name cannot match an id by chance. */
const ADA = 'ada.l';

describe('the command line for users and clients', () => {
  let directory: string;
  const run = async (...args: readonly string[]) => {
    const { status, out, err } = await runCommandOn({ DATA_DIR: join(directory, 'data') }, args, 'a long password');
    expect(status, err).to.equal(0);
    return out;
  };

  async function listMember(member: string, ...args: readonly string[]): Promise<readonly unknown[]> {
    const rows = JSON.parse(await run(...args, '--json')) as readonly Readonly<Record<string, unknown>>[];
    return rows.map((row) => row[member]);
  }

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
    await run('user', 'add', ADA, '--admin', '--first-name', 'Ada', '--last-name', 'Lovelace', '--password-stdin');
    await run('user', 'add', 'zoë', '--email', 'zoe@example.org', '--auditor', '--password-stdin');
    await run('user', 'add', 'bob', '--password-stdin');
    await run('user', 'disable', 'bob', '--yes');
    const grantOptions = ['--grant', 'authorization-code', '--redirect-uri', 'https://a.example/cb'];
    await run('client', 'add', '--name', 'Notes', '--type', 'confidential', '--owner', ADA, ...grantOptions);
    await run('client', 'add', '--name', 'Drafts', '--type', 'public', '--mode', 'test', ...grantOptions);
    const [draftsId] = await listMember('client_id', 'client', 'list', '--search', 'drafts');
    await run('client', 'add', '--name', 'Former', '--type', 'public', ...grantOptions);
    const [formerId] = await listMember('client_id', 'client', 'list', '--search', 'former');
    await run('client', 'disable', String(formerId));
    expect(draftsId).to.not.equal(formerId);
  });
  after(() => rmSync(directory, { recursive: true }));

  for (const [args, expected] of [
    [[], [ADA, 'zoë', 'bob']],
    [['--search', 'ZOE'], ['zoë']],
    [['--search', 'lovelace'], [ADA]],
    [['--search', '3'], ['bob']],
    [['--role', 'auditor'], ['zoë']],
    [['--role', 'none'], ['bob']],
    [['--status', 'disabled'], ['bob']],
    [['--status', 'active', '--role', 'administrator'], [ADA]],
    [['--search', 'nobody'], []],
  ] as const) {
    it(`lists users: ${args.join(' ') || 'all'}`, async () => {
      expect(await listMember('username', 'user', 'list', ...args)).to.deep.equal(expected);
    });
  }

  it('warns if another user has the e-mail address', async () => {
    const env = { DATA_DIR: join(directory, 'addresses') };
    const add = (name: string, address: string) =>
      runCommandOn(env, ['user', 'add', name, '--email', address, '--password-stdin'], 'a long password');
    expect((await add('ada', 'ada@example.org')).err).to.equal('');
    const { status, err, out } = await add('bob', 'ADA@example.org');
    expect([status, out.includes('warning')]).to.deep.equal([0, false]);
    expect(err).to.match(/^grantlog: warning: ada has this address, too\. .*\n$/);
    const set = (address: string) => runCommandOn(env, ['user', 'profile', 'bob', '--set', `email=${address}`]);
    expect((await set('bob@example.org')).err).to.equal('');
    expect((await set('ada@example.org')).err).to.include('grantlog: warning: ada has this address, too.');
  });

  it('says that a secret or a link will not be shown again, but not in JSON', async () => {
    const env = { DATA_DIR: join(directory, 'other') };
    const add = ['client', 'add', '--name', 'A', '--grant', 'client-credentials', '--type', 'confidential'];
    const secretOutput = await runCommandOn(env, add);
    expect(secretOutput.out).to.match(/^client_id: \S+\nclient_secret: \S+\n$/);
    expect(secretOutput.err).to.equal('the client secret will not be shown again\n');
    expect((await runCommandOn(env, [...add, '--json'])).err).to.equal('');
    const publicClient = ['client', 'add', '--name', 'A', '--grant', 'device-code', '--type', 'public'];
    expect((await runCommandOn(env, publicClient)).err).to.equal('');
    const invitation = await runCommandOn(env, ['user', 'invite', 'eve@example.org']);
    expect(invitation.out).to.match(/^link: http/m);
    expect(invitation.out).to.match(
      /^sent: no, because this server sends no mail \(see the mail setting\); give the link /m,
    );
    expect(invitation.err).to.equal('the link will not be shown again\n');
  });

  for (const [args, expected] of [
    [[], ['Notes', 'Drafts', 'Former']],
    [['--search', ADA], ['Notes']],
    [['--type', 'confidential'], ['Notes']],
    [['--status', 'test'], ['Drafts']],
    [['--status', 'disabled'], ['Former']],
    [['--status', 'live', '--type', 'public'], []],
    [['--owner', ADA], ['Notes']],
    [['--owner', 'zoë'], []],
    [['--owner', ADA, '--type', 'public'], []],
  ] as const) {
    it(`lists clients: ${args.join(' ') || 'all'}`, async () => {
      expect(await listMember('name', 'client', 'list', ...args)).to.deep.equal(expected);
    });
  }

  it('refuses an owner that does not exist', async () => {
    const { status, err } = await runCommandOn({ DATA_DIR: join(directory, 'data') }, [
      'client',
      'list',
      '--owner',
      'nobody',
    ]);
    expect({ status, err }).to.deep.equal({
      status: 1,
      err: 'grantlog: no user is named "nobody"; see: grantlog user list\n',
    });
  });

  it('says that nothing matches or that nothing exists yet', async () => {
    const { out, err } = await runCommandOn({ DATA_DIR: join(directory, 'data') }, ['user', 'list', '--search', 'x-x']);
    expect({ out, err }).to.deep.equal({ out: '', err: 'No users match.\n' });
    const emptyResult = await runCommandOn({ DATA_DIR: join(directory, 'data') }, ['session', 'list']);
    expect(emptyResult).to.deep.equal({ status: 0, out: '', err: 'No open sessions.\n' });
    const groups = await runCommandOn({ DATA_DIR: join(directory, 'data') }, ['group', 'list']);
    expect(groups.err).to.equal('No groups. To add one: grantlog group add NAME\n');
  });

  it('prints a user with the column names of the list, and a client grouped by subject', async () => {
    const parts = [
      /^id: 3\nusername: bob\nfirst_name: -\nlast_name: -\nemail: -\nstatus: disabled\n/,
      /[^]*created_at: \S+Z\n[^]*last_login_at: never\n$/,
    ];
    expect(await run('user', 'show', 'bob')).to.match(new RegExp(parts.map(({ source }) => source).join('')));
    const [notesId] = await listMember('client_id', 'client', 'list', '--search', 'notes');
    const output = await run('client', 'show', String(notesId));
    expect(output.match(/^[A-Z].*$/gm)).to.deep.equal([
      'Registration',
      'Requests',
      'Authentication',
      'Access tokens',
      'OpenID Connect',
      'Security',
    ]);
    const json = JSON.parse(await run('client', 'show', String(notesId), '--json')) as Readonly<
      Record<string, unknown>
    >;
    for (const [name, value] of Object.entries(json))
      if (value !== null) expect(output).to.match(new RegExp(`^${name}: `, 'm'));
  });

  it('prints a client at a terminal with labels, and without unset members', async () => {
    const [notesId] = await listMember('client_id', 'client', 'list', '--search', 'notes');
    const env = { DATA_DIR: join(directory, 'data') };
    const show = (...args: readonly string[]) =>
      runCommandOn(env, ['client', 'show', String(notesId), ...args], '', 100);
    const { out } = await show();
    expect(out)
      .to.match(/^redirect URIs: /m)
      .and.match(/^last used: /m);
    expect(out).to.not.match(/^\w+_\w+:|RS256/m);
    expect((await show('--all')).out).to.include('authorization response signature: RS256');
  });

  it('reports that nothing changed if a user or client already has the requested status', async () => {
    const [formerId] = await listMember('client_id', 'client', 'list', '--search', 'former');
    expect(await run('client', 'disable', String(formerId))).to.equal(
      `${String(formerId)} was already disabled; nothing changed\n`,
    );
    expect(await run('user', 'disable', 'bob')).to.equal('bob was already disabled; nothing changed\n');
    expect(await run('user', 'enable', ADA)).to.equal('ada.l was already enabled; nothing changed\n');
  });

  it('says what an update changed, with the previous value, or that nothing changed', async () => {
    expect(await run('user', 'update', 'bob', '--last-name', 'Smith')).to.equal('last_name: Smith (was -)\n');
    const [draftsId] = await listMember('client_id', 'client', 'list', '--search', 'drafts');
    const rename = ['client', 'update', String(draftsId), '--name', 'Sketches'];
    expect(await run(...rename)).to.equal('name: Sketches (was Drafts)\n');
    expect(await run(...rename)).to.equal(`${String(draftsId)} already had these values; nothing changed\n`);
    await run('client', 'update', String(draftsId), '--name', 'Drafts');
  });

  it('reports the missing options of a command, and exits with status 2', async () => {
    const BLAST_RADIUS =
      'specify exactly one of --token, --grant, --client, --key and --session; --user requires --session';
    for (const [args, message] of [
      [
        ['client', 'add', '--name', 'A', '--type', 'public', '--grant', 'authorization-code'],
        '--grant authorization-code also needs --redirect-uri or --builtin-callback',
      ],
      [['log', 'blast-radius'], BLAST_RADIUS],
      [['log', 'blast-radius', '--user', 'ada'], BLAST_RADIUS],
      [['log', 'blast-radius', '--user', 'ada', '--client', 'drafts'], BLAST_RADIUS],
      [['scope', 'update', 'read'], 'nothing to change; set --description, --icon or --sensitivity'],
    ] as const) {
      const { status, err } = await runCommandOn({ DATA_DIR: join(directory, 'data') }, args);
      expect({ status, err }).to.deep.equal({ status: 2, err: `grantlog: ${message}\n` });
    }
  });

  it('shows the status and the last use in a table', async () => {
    const parts = [
      /^ID +USERNAME +NAME +EMAIL +STATUS +ROLES +LAST LOGIN AT\n/,
      /1 +ada\.l +Ada Lovelace +- +active +administrator +-\n$/,
    ];
    expect(await run('user', 'list', '--search', ADA)).to.match(new RegExp(parts.map(({ source }) => source).join('')));
    expect(await run('client', 'list', '--search', 'former')).to.match(
      /^CLIENT ID +NAME +CLIENT TYPE +STATUS +OWNER +LAST USED AT\n\S{22} +Former +public +disabled +- +-\n$/,
    );
  });
});
