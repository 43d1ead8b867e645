import { withOperations } from '../support/with-operations.ts';
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operate } from '../../src/operations/operations.ts';
import { runCommand } from '../../src/cli/command-line.ts';
import { controlSocketPath } from '../../src/cli/operation-target.ts';
import { readConfig } from '../../src/config/config.ts';
import { serveControl, type ControlServer } from '../../src/operations/control/server.ts';
import { runCommandOn } from '../support/run-command.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from '../support/running-service.ts';
import { withoutDatabase } from '../support/without-database.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('grantlog log as-of', () => {
  let dataDir: string;
  let running: RunningService;
  let control: ControlServer;
  let ada: TestUser;
  let client: TestClient;

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'grantlog-'));
    running = await runningService({ settings: { refreshTokenLifetimeSeconds: 86_400 } });
    control = await serveControl(controlSocketPath(dataDir), operate(running.service()));
    [ada, client] = [await running.addUser('ada'), await running.addClient({ name: 'Engine', owner: 'ada' })];
  });
  afterEach(async () => {
    await control.close();
    await running.close();
    rmSync(dataDir, { recursive: true });
  });

  const issueGrant = (scope: string, user = ada) =>
    running.token(client, { grant_type: 'password', username: user.username, password: user.password, scope });

  async function asOf(...args: string[]) {
    const output = { out: '', err: '' };
    const neverOpen = (): never => expect.fail('the server is running');
    const status = await runCommand(['log', 'as-of', ...args], {
      version: '1.2.3',
      open: neverOpen,
      inspect: neverOpen,
      now: async () => 0,
      ...withoutDatabase,
      ...withOperations,
      serve: async () => 0,
      readSettings: () => readConfig({ DATA_DIR: dataDir }, () => '{}'),
      terminal: {
        signal: new AbortController().signal,
        out: async (text) => void (output.out += text),
        err: (text) => void (output.err += text),
        readInput: async () => '',
      },
    });
    return { status, ...output };
  }

  /** Returns the cells of the table below a heading, without the column names. */
  function tableRows(out: string, heading: string): readonly (readonly string[])[] {
    const section = out.split('\n\n').find((text) => text.startsWith(`${heading}\n`)) ?? '';
    const [, , ...rows] = section.trimEnd().split('\n');
    return rows.map((line) => line.split(/ {2,}/));
  }

  it("prints one row for all of a user's grants to an application, with all their scopes", async () => {
    await issueGrant('read');
    running.clock.advance(3_600);
    await issueGrant('write');
    await issueGrant('read', await running.addUser('bob'));
    const { status, out } = await asOf();
    expect(status).to.equal(0);
    expect(tableRows(out, 'Grants')).to.deep.equal([
      ['3', 'ada', `Engine ${client.id}`, 'read write', '2026-01-02T01:00:00.000Z', '2'],
      ['10', 'bob', `Engine ${client.id}`, 'read', '2026-01-02T01:00:00.000Z', '1'],
    ]);
    expect(tableRows(out, 'Tokens')).to.have.length(3);
  });

  it('prints a table for each kind of access, no wider than a terminal of 100 columns', async () => {
    await issueGrant('read');
    const { status, out } = await runCommandOn({ DATA_DIR: dataDir }, ['log', 'as-of'], '', 100);
    expect(status).to.equal(0);
    expect(out).to.equal(
      [
        'Accounts',
        'POSITION  USER  ROLES',
        '1         ada   -',
        '',
        'Applications',
        'POSITION  APPLICATION             OWNER',
        '2         Engine                  ada',
        `          ${client.id}`,
        '',
        'Grants',
        'POSITION  USER  APPLICATION             SCOPE  EXPIRES AT',
        '3         ada   Engine                  read   2026-01-02T00:00:00Z',
        `                ${client.id}`,
        '',
        'Tokens',
        'POSITION  USER  APPLICATION             SCOPE  EXPIRES AT',
        '4         ada   Engine                  read   2026-01-01T10:00:00Z',
        `                ${client.id}`,
        '',
      ].join('\n'),
    );
  });

  it('reports that nobody had access', async () => {
    expect(await asOf('--position', '0')).to.deep.equal({
      status: 0,
      out: '',
      err: 'as of position 0\nNobody had access.\n',
    });
  });

  it('prints every time in ISO 8601', async () => {
    await issueGrant('read');
    const { out, err } = await asOf();
    expect(out)
      .to.match(/EXPIRES AT/)
      .and.not.match(/\b\d{10,}\b/);
    expect(tableRows(out, 'Tokens')[0]).to.include('2026-01-01T10:00:00.000Z');
    expect(err).to.match(/^as of position \d+, recorded 2026-01-01T00:00:00\.000Z\n$/);
  });

  it('lists each grant in JSON, with numeric times, and summarizes each authorization', async () => {
    await issueGrant('read');
    await issueGrant('write');
    const result = JSON.parse((await asOf('--json')).out) as {
      readonly held: readonly Record<string, unknown>[];
      readonly authorizations: readonly unknown[];
    };
    expect(result).to.include({ as_of: running.log.head(), recorded_at: running.clock.now() });
    const userId = running.service().projections.users.findByName('ada')?.userId;
    const expires_at = running.clock.now() / 1000 + 86_400;
    const times = { expires_at, expires_at_iso: new Date(expires_at * 1000).toISOString() };
    const commonMembers = {
      user: 'ada',
      user_id: userId,
      client: client.id,
      application: 'Engine',
      resource: null,
      ...times,
    };
    const now = running.clock.now();
    const login = {
      login: 'password',
      authenticated_at: now / 1000,
      authenticated_at_iso: new Date(now).toISOString(),
      group: null,
    };
    expect(result).to.include({ recorded_at_iso: new Date(now).toISOString() });
    expect(result.held.filter(({ kind }) => kind === 'grant')).to.deep.equal([
      { kind: 'grant', position: 3, ...commonMembers, ...login, scope: 'read' },
      { kind: 'grant', position: 6, ...commonMembers, ...login, scope: 'write' },
    ]);
    expect(result.authorizations).to.deep.equal([{ position: 3, ...commonMembers, scope: 'read write', grants: 2 }]);
  });

  it('lists the group members at a position', async () => {
    await running.service().groupDirectory.create('staff', OPERATOR);
    const staff = running.service().projections.groups.findByName('staff')!;
    const user = running.service().projections.users.findByName('ada')!;
    const joinPosition = running.log.head() + 1;
    await running.service().groupDirectory.changeGroups(user, { add: [staff], remove: [] }, OPERATOR);
    await running.service().groupDirectory.changeGroups(user, { add: [], remove: [staff] }, OPERATOR);
    const { out } = await asOf('--position', String(joinPosition));
    expect(tableRows(out, 'Group memberships')).to.deep.equal([[String(joinPosition), 'ada', 'staff']]);
    const { held } = JSON.parse((await asOf('--position', String(joinPosition), '--user', 'ada', '--json')).out) as {
      readonly held: readonly Record<string, unknown>[];
    };
    expect(held.find(({ kind }) => kind === 'membership')).to.include({ user_id: user.userId, group: 'staff' });
    expect(tableRows((await asOf()).out, 'Group memberships')).to.deep.equal([]);
    const scopeResult = await asOf('--position', String(joinPosition), '--scope', 'read');
    expect(tableRows(scopeResult.out, 'Group memberships')).to.deep.equal([]);
  });

  it('prints a separate row for each erased user', async () => {
    const bob = await running.addUser('bob');
    await issueGrant('read');
    await issueGrant('write', bob);
    const position = running.log.head();
    for (const user of running.service().projections.users.all())
      await running.service().accounts.erase(user, { actor: { kind: 'operator' }, requestId: null });
    const { out } = await asOf('--position', String(position));
    expect(tableRows(out, 'Grants').map((row) => [row[1], row[3]])).to.deep.equal([
      ['erased user', 'read'],
      ['erased user', 'write'],
    ]);
  });

  it('refuses a position beyond the end of the log, and prints the last position', async () => {
    await issueGrant('read');
    const head = running.log.head();
    for (const args of [[], ['--json'], ['--user', 'ada']]) {
      expect(await asOf('--position', String(head + 1), ...args)).to.deep.equal({
        status: 1,
        out: '',
        err: `grantlog: position ${head + 1} does not exist: the log ends at position ${head}\n`,
      });
    }
    for (const position of [0, 1, head])
      expect((await asOf('--position', String(position))).status, String(position)).to.equal(0);
  });
});
