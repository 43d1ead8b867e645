import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { keyPairFor, registerKeys } from '../support/assertions.ts';
import { approve } from '../support/authorize-requests.ts';
import { updateSecuritySettings } from '../support/dpop.ts';
import { REDIRECT_URI, runningService, type RunningService } from '../support/running-service.ts';

/** The interpreter that Debian packages install their modules for. */
const PYTHON = '/usr/bin/python3';
const PROGRAM = fileURLToPath(new URL('../support/relying-parties/python-dpop-client.py', import.meta.url));

describe('A Python client that uses requests and Authlib', () => {
  let running: RunningService;

  before(async function () {
    if (spawnSync(PYTHON, ['-c', 'import authlib, requests']).status !== 0) this.skip();
    running = await runningService({ isItsOwnIssuer: true, startsAt: Date.now() });
  });
  after(() => (running as RunningService | undefined)?.close());

  it('pushes its request, and binds the code and the tokens to its key, without a secret', async () => {
    const user = await running.addUser();
    const client = await running.addClient({ grantTypes: ['authorization-code'] });
    const key = keyPairFor('ES256');
    await registerKeys(running, client, key);
    await updateSecuritySettings(running, client, {
      dpopBoundAccessTokens: true,
      requirePushedAuthorizationRequests: true,
    });

    const child = spawn(PYTHON, [PROGRAM, running.origin(), client.id, REDIRECT_URI], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const exit = once(child, 'close');
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const sendLine = (line: string): void => void child.stdin.write(`${line}\n`);
    const nextLine = async (): Promise<string> => String((await lines.next()).value);
    sendLine(JSON.stringify({ ...key.privateKey.export({ format: 'jwk' }), kid: key.jwk['kid'] }));
    sendLine((await approve(running, user, new URL(await nextLine()))).href);
    expect(JSON.parse(await nextLine())).to.deep.equal({
      'redeemed with another key': 'invalid_grant',
      'token type': 'DPoP',
      API: 200,
      'API as a bearer': 401,
      'API with another key': 401,
      refreshed: 'DPoP',
    });
    expect(await exit).to.deep.equal([0, null]);
  });
});
