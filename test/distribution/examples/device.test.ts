import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { renderUnicodeCompact } from 'uqr';
import { openSession } from '../../support/authorize-requests.ts';
import { answerDevice } from '../../support/devices.ts';
import { runningService, type RunningService } from '../../support/running-service.ts';

const PROGRAM = fileURLToPath(new URL('../../../examples/device/device.mjs', import.meta.url));

describe('The example of a device without a browser', function () {
  this.timeout(60_000);

  let running: RunningService;
  before(async () => {
    running = await runningService({ isItsOwnIssuer: true });
  });
  after(() => running.close());

  it('shows a QR code with its user code, and gets tokens after a user has approved it', async () => {
    const { id } = await running.addClient({ clientType: 'public', grantTypes: ['device-code'], redirectUris: [] });
    const ada = await running.addUser('ada');
    const device = spawn(process.execPath, [PROGRAM, running.origin(), id, 'read']);
    const exit = once(device, 'exit');
    const lines: string[] = [];
    for await (const line of createInterface({ input: device.stdout })) {
      lines.push(line);
      const [, userCode] = /enter the code (\S+)\./.exec(line) ?? [];
      if (userCode === undefined) continue;
      await answerDevice(await openSession(running, ada), { user: userCode });
      running.clock.advance(5);
    }
    expect(await exit).to.deep.equal([0, null]);
    expect(lines.at(-1)).to.equal('Connected, with the scope read.');
    const [, userCode = ''] = /enter the code (\S+)\./.exec(lines.join('\n')) ?? [];
    const qrCode = renderUnicodeCompact(`${running.origin()}/o/device/?user_code=${userCode}`, { border: 2 });
    expect(lines.join('\n')).to.include(qrCode);
  });
});
