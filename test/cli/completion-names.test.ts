import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { listNames } from '../../src/cli/completion-names.ts';
import { controlSocketPath } from '../../src/cli/operation-target.ts';
import { serveControl } from '../../src/operations/control/server.ts';

describe('The names that a shell completes', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('come from the running server, without those that a shell would expand', async () => {
    const control = await serveControl(controlSocketPath(directory), async function* (operation) {
      if (operation !== 'user list') return;
      for (const username of ['ada', '$(reboot)', 'bob@example.org', 'a b', '`id`', '*', 'Мария']) yield { username };
    });
    try {
      expect(await listNames(directory, 'user')).to.deep.equal(['ada', 'bob@example.org', 'Мария']);
      expect(await listNames(directory, 'client')).to.deep.equal([]);
    } finally {
      await control.close();
    }
  });

  it('for members and sessions come from the group or user in the previous argument', async () => {
    const inputs: unknown[] = [];
    const control = await serveControl(controlSocketPath(directory), async function* (operation, input) {
      inputs.push([operation, input]);
      yield { username: 'ada', id: 7 };
    });
    try {
      expect(await listNames(directory, 'member-of-group', 'editors')).to.deep.equal(['ada']);
      expect(await listNames(directory, 'session-of-user', 'ada')).to.deep.equal(['7']);
    } finally {
      await control.close();
    }
    expect(inputs).to.deep.equal([
      ['group show', { name: 'editors' }],
      ['user sessions', { username: 'ada' }],
    ]);
  });

  it('include the choices of settings, and the keys of texts, even without a server', async () => {
    expect(await listNames(directory, 'value', 'requirePkce')).to.deep.equal(['all', 'public', 'none']);
    expect(await listNames(directory, 'value', 'requirePar')).to.deep.equal(['true', 'false']);
    expect(await listNames(directory, 'value', 'port')).to.deep.equal([]);
    expect(await listNames(directory, 'brand-text')).to.include('login.title');
  });

  it('are empty if a suspended server accepts the connection, long before other commands give up', async function () {
    this.timeout(8_000); // other commands wait ten seconds for the greeting
    const server = createServer().listen(controlSocketPath(directory));
    await once(server, 'listening');
    expect(await listNames(directory, 'user')).to.deep.equal([]);
    server.close();
  });

  it('are empty if no server is running, and incomplete if the server stops responding', async () => {
    expect(await listNames(directory, 'user')).to.deep.equal([]);
    let release = (): void => {};
    const control = await serveControl(controlSocketPath(directory), async function* () {
      yield { username: 'ada' };
      await new Promise<void>((resolve) => (release = resolve));
    });
    try {
      expect(await listNames(directory, 'user'), 'the names received so far').to.deep.equal(['ada']);
    } finally {
      release();
      await control.close();
    }
  });
});
