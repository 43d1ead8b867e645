import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { approve } from '../support/authorize-requests.ts';
import { DOCUMENT_URL } from '../support/client-documents.ts';
import { prepareMcpPython } from '../support/mcp-python.ts';
import { startMcpScene, NATIVE_REDIRECT_URI, type McpScene } from '../support/mcp-server.ts';

const PROGRAM = fileURLToPath(new URL('../support/relying-parties/python-mcp-client.py', import.meta.url));

describe('An MCP client built with the Python SDK', function () {
  this.timeout(300_000);

  let python: string;
  let scene: McpScene;

  before(function () {
    const interpreter = prepareMcpPython();
    if (interpreter === undefined) return this.skip();
    python = interpreter;
  });
  beforeEach(async () => (scene = await startMcpScene()));
  afterEach(() => (scene as McpScene | undefined)?.close());

  /** Runs the whole flow: authorization, refresh, step-up, and revocation. Returns the client id. */
  async function runClient(clientId: string, documentUrl: string): Promise<unknown> {
    const { running, resource } = scene;
    const user = await running.addUser();
    const args = [PROGRAM, resource, NATIVE_REDIRECT_URI, clientId, documentUrl];
    const child = spawn(python, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    const exit = once(child, 'close');
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    const authorizationUrls: URL[] = [];
    let report: Record<string, unknown> = {};
    for await (const line of createInterface(child.stdout)) {
      if (line.startsWith('{')) report = JSON.parse(line) as typeof report;
      else {
        authorizationUrls.push(new URL(line));
        child.stdin.write(`${(await approve(running, user, line)).href}\n`);
      }
    }
    expect(await exit, errors).to.deep.equal([0, null]);
    expect(report).to.deep.include({
      scope: 'notes:read',
      refreshed: true,
      shout: 'WRITTEN',
      'scope after step-up': 'notes:read notes:write',
      revocation: 200,
    });
    expect(authorizationUrls.map(({ searchParams }) => searchParams.get('resource'))).to.deep.equal(
      Array(3).fill(resource),
    );
    return report['client'];
  }

  it('completes the flow if it was registered manually', async () => {
    const { id } = await scene.addNativeClient();
    expect(await runClient(id, '')).to.equal(id);
  });

  it('completes the flow with its metadata document', async () => {
    expect(await runClient('', DOCUMENT_URL)).to.equal(DOCUMENT_URL);
  });

  it('completes the flow if it registers itself', async () => {
    expect(await runClient('', '')).to.match(/^(?!https).{40,}$/);
  });
});
