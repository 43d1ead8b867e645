import { expect } from 'chai';
import { createRefusalThrottle } from '../../../src/http/pipeline/refusal-throttle.ts';
import { manualClock } from '../../support/manual-clock.ts';

describe('The refusal throttle', () => {
  function createThrottle() {
    const clock = manualClock();
    const delays: number[] = [];
    const throttle = createRefusalThrottle(clock.ticks, async (milliseconds) => void delays.push(milliseconds));
    const refuse = async (times: number): Promise<void> => {
      for (let nth = 0; nth < times; nth += 1) await throttle();
    };
    return { clock, delays, refuse };
  }

  it('lets fifty refusals a second pass immediately, and delays further ones by two seconds', async () => {
    const { clock, delays, refuse } = createThrottle();
    await refuse(50);
    expect(delays).to.deep.equal([]);
    await refuse(100);
    expect(delays).to.deep.equal(Array<number>(100).fill(2_000));
    clock.advance(1);
    await refuse(50);
    expect(delays).to.have.length(100);
  });

  it('uses a monotonic clock', async () => {
    const { clock, delays, refuse } = createThrottle();
    await refuse(50);
    clock.shift(3_600);
    await refuse(1);
    expect(delays).to.have.length(1);
  });
});
