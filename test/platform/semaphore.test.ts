import { expect } from 'chai';
import { createSemaphore, OverloadedError } from '../../src/platform/semaphore.ts';

describe('a semaphore', () => {
  function createHeldTask(): { readonly task: () => Promise<void>; release(): void; readonly started: () => number } {
    let openGate: () => void = () => {};
    let count = 0;
    const gate = new Promise<void>((resolve) => (openGate = resolve));
    return { task: () => ((count += 1), gate), release: () => openGate(), started: () => count };
  }

  it('runs a fixed number of tasks at a time, and the remaining tasks in turn', async () => {
    const semaphore = createSemaphore(2, { maxPending: 10 });
    const { task, release, started } = createHeldTask();
    const results = Promise.all(Array.from({ length: 5 }, () => semaphore.run(task)));
    await Promise.resolve();
    expect(started()).to.equal(2);
    release();
    await results;
    expect(started()).to.equal(5);
  });

  it('refuses a task immediately if too many are pending, and accepts tasks again once those have run', async () => {
    const semaphore = createSemaphore(1, { maxPending: 2 });
    const { task, release, started } = createHeldTask();
    const firstTasks = Promise.all([semaphore.run(task), semaphore.run(task), semaphore.run(task)]);
    const refusal: unknown = await semaphore.run(task).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(OverloadedError);
    release();
    await firstTasks;
    await semaphore.run(task);
    expect(started()).to.equal(4);
  });
});
