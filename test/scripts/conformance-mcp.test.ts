import { expect } from 'chai';
import { waitForExit, startScript } from '../support/running-script.ts';

const SCRIPT = 'scripts/conformance-mcp.ts';

describe('npm run conformance:mcp', function () {
  this.timeout(300_000);

  it('passes every scenario for authorization servers', async function () {
    const script = startScript(SCRIPT, []);
    const status = await waitForExit(script);
    if (status === 2 && /^npx failed/m.test(script.output())) {
      console.error(`SKIPPED: the MCP conformance suite cannot be installed: ${script.output()}`);
      return this.skip();
    }
    expect(status, script.output()).to.equal(0);
    expect(script.output()).not.to.match(/warning/i);
    for (const scenario of ['authorization-server-metadata-endpoint', 'authorization-code-grant'])
      expect(script.output()).to.match(new RegExp(`✓ ${scenario}: [1-9]\\d* passed, 0 failed`));
  });

  it('prints its usage, and refuses invalid arguments', async () => {
    const scripts = [['--help'], ['--port', '1']].map((args) => startScript(SCRIPT, args));
    expect(await Promise.all(scripts.map(waitForExit))).to.deep.equal([0, 2]);
    expect(scripts[0]?.output()).to.match(/^Usage: npm run conformance:mcp/);
  });
});
