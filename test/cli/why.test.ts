import { withOperations } from '../support/with-operations.ts';
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operate } from '../../src/operations/operations.ts';
import { runCommand } from '../../src/cli/command-line.ts';
import { controlSocketPath } from '../../src/cli/operation-target.ts';
import { configFromSettings, readConfig } from '../../src/config/config.ts';
import { serveControl, type ControlServer } from '../../src/operations/control/server.ts';
import { runningService, type RunningService } from '../support/running-service.ts';
import { withoutDatabase } from '../support/without-database.ts';

const KNOWN_SCOPES =
  'read write groups admin audit introspection clients:register grant_management_query ' +
  'grant_management_revoke openid profile email address phone offline_access';

describe('grantlog why', () => {
  let dataDir: string;
  let running: RunningService;
  let control: ControlServer;

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'grantlog-'));
    running = await runningService();
    control = await serveControl(controlSocketPath(dataDir), operate(running.service()));
  });
  afterEach(async () => {
    await control.close();
    await running.close();
    rmSync(dataDir, { recursive: true });
  });

  async function why(...args: string[]) {
    const output = { out: '', err: '' };
    const neverOpen = (): never => expect.fail('the server is running');
    const status = await runCommand(['why', ...args], {
      version: '1.2.3',
      open: neverOpen,
      inspect: neverOpen,
      now: async () => 0,
      ...withoutDatabase,
      ...withOperations,
      serve: async () => 0,
      readSettings: () => readConfig({ DATA_DIR: configFromSettings({ dataDir }).dataDir }, () => '{}'),
      terminal: {
        signal: new AbortController().signal,
        out: async (text) => void (output.out += text),
        err: (text) => void (output.err += text),
        readInput: async () => '',
      },
    });
    return { status, ...output };
  }

  it('prints the rule that a refused request violated, the expected and received values, and advice', async () => {
    const client = await running.addClient();
    const { headers } = await running.token(client, { grant_type: 'client_credentials', scope: 'read nowhere' });
    const id = headers.get('x-request-id') ?? '';
    const { status, out } = await why(id);
    expect(status).to.equal(0);
    expect(out)
      .to.include(`request_id: ${id}\n`)
      .and.include('request: POST /o/token/\n')
      .and.include('error: invalid_scope\n');
    expect(out)
      .to.include(`client_id: ${client.id}\n`)
      .and.include('rule: scope-unknown\n')
      .and.include('expected: read, write, groups')
      .and.include('seen: nowhere\n');
    expect(out).to.match(/^advice: .+$/m);
    expect(JSON.parse((await why(id, '--json')).out)).to.deep.include({
      request_id: id,
      at: '2026-01-01T00:00:00.000Z',
      client_id: client.id,
      client_proven: true,
      rule: 'scope-unknown',
      details: { unknown: ['nowhere'], known: KNOWN_SCOPES.split(' ') },
    });
  });

  it('exits with status 1 for an unknown id, and says how to continue and how long refusals are kept', async () => {
    const { status, out, err } = await why('unknown');
    expect({ status, out }).to.deep.equal({ status: 1, out: '' });
    const parts = [
      '^grantlog: no refusal found for the request id "unknown": compare it with the X-Request-Id header .*',
      'A server keeps the newest 50 refusals for each .*',
      'After a restart, it has up to 1000 refusals for .*\\n$',
    ];
    expect(err).to.match(new RegExp(parts.join('')));
  });
});
