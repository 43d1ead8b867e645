import { expect } from 'chai';
import { operate } from '../../src/operations/operations.ts';
import { runningService } from '../support/running-service.ts';

describe('A role that is repeated in the input to an operation', () => {
  it('appears only once in the response and in the account', async () => {
    const running = await runningService();
    await running.addUser('ada');
    const input = { username: 'ada', roles: ['auditor', 'administrator', 'auditor'] };
    const roles = ['auditor', 'administrator'];
    for await (const row of operate(running.service())('user roles', input, new AbortController().signal))
      expect(row).to.deep.include({ roles });
    expect(running.service().projections.users.findByName('ada')?.roles).to.deep.equal(roles);
    await running.close();
  });
});
