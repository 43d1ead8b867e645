import { expect } from 'chai';
import { OperationRefused } from '../../src/operations/control/operation-refused.ts';
import { operate } from '../../src/operations/operations.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

describe("The operation that changes a user's profile", () => {
  let running: RunningService;

  beforeEach(async () => {
    running = await runningService();
    for (const name of ['ada', 'bob']) await running.addUser(name);
  });
  afterEach(() => running.close());

  async function markVerified(username: string, email: string): Promise<void> {
    const input = { username, verifyEmail: true, changes: { email } };
    for await (const row of operate(running.service())('user profile', input, new AbortController().signal))
      expect(row).to.include({ username, email_verified: true });
  }

  it('warns if another user has the new address, ignoring case, but only when it changes', async () => {
    const changeProfile = async (username: string, changes: object) => {
      const rows = operate(running.service())('user profile', { username, changes }, new AbortController().signal);
      for await (const row of rows) return row as { readonly warning?: string };
      return expect.fail();
    };
    expect(await changeProfile('ada', { email: 'both@example.org' })).not.to.have.property('warning');
    const { warning } = await changeProfile('bob', { email: 'BOTH@example.org' });
    expect(warning).to.include('ada has this address, too.');
    expect(await changeProfile('bob', { email: 'BOTH@example.org', nickname: 'B' })).not.to.have.property('warning');
  });

  it('does not mark an address as verified if another user has verified it', async () => {
    const sharedAddress = 'both@example.org';
    await markVerified('ada', sharedAddress);
    await markVerified('ada', sharedAddress);
    const refusal: unknown = await markVerified('bob', sharedAddress.toUpperCase()).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(OperationRefused);
    expect((refusal as Error).message).to.equal(
      'email: the account ada has already verified this address; change the address of that account first',
    );
    await markVerified('ada', 'ada@example.org');
    await markVerified('bob', sharedAddress);
  });
});
