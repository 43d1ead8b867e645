import { expect } from 'chai';
import { english } from '../../../../src/language/english.ts';
import { createHealthFiguresReader } from '../../../../src/http/pages/admin/health-figures.ts';
import { NO_PROCESS } from '../../../../src/platform/metrics/process-gauges.ts';
import { runningService } from '../../../support/running-service.ts';

describe('the health figures', () => {
  it('show the event loop delay as three figures, and say in a sentence that no request was limited', async () => {
    const running = await runningService();
    const { state, log, projections } = running.service();
    const delay = () => ({ 0.5: 0.0001, 0.99: 0.0314, 1: 0.9075 });
    const process = { ...NO_PROCESS, peekEventLoopDelay: delay };
    const groups = await createHealthFiguresReader({
      clock: running.clock,
      state,
      metrics: { process },
      log,
      projections,
    })();
    const [delays, limits] = ['Event loop delay', 'Rate-limited requests since startup'].map((title) =>
      groups.find((group) => english.text(group.title) === title),
    );
    expect(delays?.figures.map(({ title, text }) => [english.text(title), english.text(text)])).to.deep.equal([
      ['Median', '0.1 ms'],
      ['99th percentile', '31.4 ms'],
      ['Maximum', '907.5 ms'],
    ]);
    expect(limits?.figures).to.deep.equal([]);
    expect(english.text(limits?.note ?? '')).to.equal('No requests were rate-limited.');
    await running.close();
  });

  it('measure the uptime independently of the wall clock', async () => {
    const running = await runningService();
    const { state, log, projections } = running.service();
    const { clock } = running;
    const process = { ...NO_PROCESS, startedAt: clock.now() / 1000, uptimeSeconds: () => clock.ticks() / 1000 };
    const figures = createHealthFiguresReader({ clock, state, metrics: { process }, log, projections });
    clock.advance(7_200);
    clock.shift(-366 * 86_400);
    const uptime = (await figures())
      .flatMap((group) => group.figures)
      .find(({ title }) => english.text(title) === 'Uptime');
    expect(english.text(uptime?.text ?? '')).to.equal('2 hours');
    await running.close();
  });
});
