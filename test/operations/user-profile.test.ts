import { expect } from 'chai';
import { OperationRefused } from '../../src/operations/control/operation-refused.ts';
import { operate } from '../../src/operations/operations.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

describe('The profile of a user, for the operator', () => {
  let running: RunningService;

  beforeEach(async () => {
    running = await runningService();
    for (const name of ['ada', 'bob']) await running.addUser(name);
  });
  afterEach(() => running.close());

  async function verify(username: string, email: string): Promise<void> {
    const input = { username, verifyEmail: true, changes: { email } };
    for await (const row of operate(running.service())('user profile', input, new AbortController().signal))
      expect(row).to.include({ username, email_verified: true });
  }

  it('does not declare an address verified that another user has verified', async () => {
    const both = 'both@example.org';
    await verify('ada', both);
    await verify('ada', both);
    const refused: unknown = await verify('bob', both.toUpperCase()).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(OperationRefused);
    expect((refused as Error).message).to.equal('email: ada has verified this address; change it there first');
    await verify('ada', 'ada@example.org');
    await verify('bob', both);
  });
});
