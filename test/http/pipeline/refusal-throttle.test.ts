import { expect } from 'chai';
import { createRefusalThrottle } from '../../../src/http/pipeline/refusal-throttle.ts';
import { manualClock } from '../../support/manual-clock.ts';

describe('the throttle of refusals', () => {
  function watched() {
    const clock = manualClock();
    const heldBack: number[] = [];
    const pace = createRefusalThrottle(clock.ticks, async (milliseconds) => void heldBack.push(milliseconds));
    const refuse = async (times: number): Promise<void> => {
      for (let nth = 0; nth < times; nth += 1) await pace();
    };
    return { clock, heldBack, refuse };
  }

  it('lets fifty a second pass at once, and delays the others by two seconds', async () => {
    const { clock, heldBack, refuse } = watched();
    await refuse(50);
    expect(heldBack).to.deep.equal([]);
    await refuse(100);
    expect(heldBack).to.deep.equal(Array<number>(100).fill(2_000));
    clock.advance(1);
    await refuse(50);
    expect(heldBack).to.have.length(100);
  });

  it('uses a monotonic clock', async () => {
    const { clock, heldBack, refuse } = watched();
    await refuse(50);
    clock.set(3_600);
    await refuse(1);
    expect(heldBack).to.have.length(1);
  });
});
