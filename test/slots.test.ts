import { expect } from 'chai';
import { createSlots, Overloaded } from '../src/slots.ts';
import { runningService } from './support/running-service.ts';

describe('slots', () => {
  function held(): { readonly task: () => Promise<void>; release(): void; readonly started: () => number } {
    let open: () => void = () => {};
    let count = 0;
    const gate = new Promise<void>((resolve) => (open = resolve));
    return { task: () => ((count += 1), gate), release: () => open(), started: () => count };
  }

  it('run so many at once and the others in turn', async () => {
    const slots = createSlots(2, { mayWait: 10 });
    const { task, release, started } = held();
    const all = Promise.all(Array.from({ length: 5 }, () => slots.run(task)));
    await Promise.resolve();
    expect(started()).to.equal(2);
    release();
    await all;
    expect(started()).to.equal(5);
  });

  it('refuse at once what would wait behind too many, and take more when those are done', async () => {
    const slots = createSlots(1, { mayWait: 2 });
    const { task, release, started } = held();
    const three = Promise.all([slots.run(task), slots.run(task), slots.run(task)]);
    const refusal: unknown = await slots.run(task).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(Overloaded);
    release();
    await three;
    await slots.run(task);
    expect(started()).to.equal(4);
  });

  it('that are all taken make the token endpoint and the log-in page answer 503, and say when to try again', async () => {
    const full = (): Promise<never> => Promise.reject(new Overloaded('full'));
    const hasher = { hash: async () => '$argon2id$quick', verify: full };
    const running = await runningService({ hasher });
    try {
      const client = await running.addClient();
      const answer = await running.token(client, { grant_type: 'password', username: 'ada', password: 'x' });
      expect(answer.status).to.equal(503);
      expect(answer.headers.get('retry-after')).to.equal('5');
      expect(answer.json).to.include({ error: 'temporarily_unavailable' }).and.to.have.all.keys('error', 'error_description', 'request_id');
      const page = await running.browser().logIn('ada', 'x');
      expect(page.status).to.equal(503);
      expect(page.html).to.include('Try again');
    } finally {
      await running.close();
    }
  });
});
