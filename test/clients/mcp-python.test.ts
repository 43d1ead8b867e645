import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { approve } from '../support/authorize-requests.ts';
import { mcpPython } from '../support/mcp-python.ts';
import { mcpScene, NATIVE_REDIRECT_URI, type McpScene } from '../support/mcp-server.ts';

const PROGRAM = fileURLToPath(new URL('../support/relying-parties/python-mcp-client.py', import.meta.url));

describe('An MCP client on the SDK for Python', function () {
  this.timeout(300_000);

  let python: string;
  let scene: McpScene;

  before(function () {
    const found = mcpPython();
    if (found === undefined) return this.skip();
    python = found;
  });
  beforeEach(async () => (scene = await mcpScene()));
  afterEach(() => (scene as McpScene | undefined)?.close());

  it('discovers, authorizes, refreshes, steps up, and asks again after a revocation', async () => {
    const { running, resource } = scene;
    const user = await running.addUser();
    const { id } = await scene.addNativeClient();
    const child = spawn(python, [PROGRAM, resource, NATIVE_REDIRECT_URI, id, ''], { stdio: ['pipe', 'pipe', 'pipe'] });
    const ended = once(child, 'close');
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    const addresses: URL[] = [];
    let seen: unknown;
    for await (const line of createInterface(child.stdout)) {
      if (line.startsWith('{')) seen = JSON.parse(line);
      else {
        addresses.push(new URL(line));
        child.stdin.write(`${(await approve(running, user, line)).href}\n`);
      }
    }
    expect(await ended, errors).to.deep.equal([0, null]);
    expect(seen).to.deep.include({
      scope: 'read offline_access',
      refreshed: true,
      shout: 'WRITTEN',
      'scope after step-up': 'read offline_access write',
      revocation: 200,
      client: id,
    });
    expect(addresses.map(({ searchParams }) => searchParams.get('resource'))).to.deep.equal(Array(3).fill(resource));
  });
});
