import { expect } from 'chai';
import { english } from '../../../../src/language/english.ts';
import { createHealthFigures } from '../../../../src/http/pages/admin/health-figures.ts';
import { NO_PROCESS } from '../../../../src/platform/metrics/process-gauges.ts';
import { runningService } from '../../../support/running-service.ts';

describe('the health figures', () => {
  it('count the uptime independently of the wall clock', async () => {
    const running = await runningService();
    const { state, log, projections } = running.service();
    const { clock } = running;
    const process = { ...NO_PROCESS, startedAt: clock.now() / 1000, upSeconds: () => clock.ticks() / 1000 };
    const figures = createHealthFigures({ clock, state, metrics: { process }, log, projections });
    clock.advance(7_200);
    clock.set(-366 * 86_400);
    const uptime = (await figures())
      .flatMap((group) => group.figures)
      .find(({ title }) => english.text(title) === 'Uptime');
    expect(english.text(uptime?.text ?? '')).to.equal('2 hours');
    await running.close();
  });
});
