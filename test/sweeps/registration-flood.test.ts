import { expect } from 'chai';
import { LIMITS } from '../../src/platform/limits/limits.ts';
import { EDITOR, register } from '../support/registrations.ts';
import { runningService } from '../support/running-service.ts';
import { registerDirectly, FLOOD_HEADROOM_BYTES, floodRegistrations } from '../support/registration-flood.ts';

describe('A flood of registrations', () => {
  it('neither grows the log nor stays in memory', async function () {
    this.timeout(60_000);
    const report = await floodRegistrations(500);
    expect(report).to.include({ registered: 500, events: 0, clients: 0 });
    expect(report.memoryGrowthBytes).to.be.below(FLOOD_HEADROOM_BYTES);
  });

  it('of 10,000 clients leaves the log and memory use unchanged', async function () {
    this.timeout(300_000);
    const report = await floodRegistrations(10_000, registerDirectly);
    expect(report).to.include({ registered: 10_000, events: 0, clients: 0 });
    expect(report.memoryGrowthBytes, 'memory growth in the second half').to.be.below(FLOOD_HEADROOM_BYTES);
  });

  it('from one address is refused, while other addresses can still register', async () => {
    const { 'registrations-by-address': limit } = LIMITS;
    const limits = { ...LIMITS, 'registrations-by-address': { ...limit, max: 3 } };
    const settings = { dynamicRegistration: 'open', trustedProxies: 1 } as const;
    const running = await runningService({ settings, limits });
    const registerFrom = (address: string) => register(running, EDITOR, { 'x-forwarded-for': address });
    for (let count = 0; count < 3; count += 1) expect((await registerFrom('192.0.2.1')).status).to.equal(201);
    const refusal = await registerFrom('192.0.2.1');
    expect(refusal.status).to.equal(429);
    expect(refusal.json).to.include({ error: 'temporarily_unavailable' });
    expect(Number(refusal.headers.get('retry-after'))).to.be.above(0);
    expect((await registerFrom('192.0.2.2')).status).to.equal(201);
    const update = (address: string) =>
      running.send('/o/register/any/', { method: 'PUT', headers: { 'x-forwarded-for': address } });
    expect((await update('192.0.2.1')).status, 'changes count toward the limit').to.equal(429);
    expect((await update('192.0.2.2')).status).to.equal(415);
    await running.close();
  });
});
