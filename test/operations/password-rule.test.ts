import { expect } from 'chai';
import { operate } from '../../src/operations/operations.ts';
import { addManager } from '../support/management.ts';
import { runningService, type RunningService, type TestUser } from '../support/running-service.ts';

describe('A password set by an operation', () => {
  let running: RunningService;
  let ada: TestUser;

  beforeEach(async () => {
    running = await runningService({ isItsOwnIssuer: true });
    ada = await running.addUser('ada');
  });
  afterEach(() => running.close());

  const newUser = { username: 'pam', email: 'pam@example.org', firstName: '', lastName: '', roles: [] };

  async function call(name: string, input: object): Promise<unknown> {
    for await (const item of operate(running.service())(name, input, new AbortController().signal)) return item;
    return undefined;
  }

  async function tryCall(name: string, input: object): Promise<unknown> {
    return call(name, input).catch(({ message }: Error) => message);
  }

  for (const [weakness, password, problem] of [
    ['short', 'short', /at least 8/],
    ['common', 'password1', /too common/],
    ["the user's e-mail address", 'pam@example.org', /user name or e-mail/],
  ] as const) {
    it(`is refused if it is ${weakness}`, async () => {
      const head = running.log.head();
      expect(await tryCall('user add', { ...newUser, password }))
        .to.match(/^password: /)
        .and.match(problem);
      expect(running.log.head()).to.equal(head);
    });
  }

  it('is refused for the same reasons when a password is changed', async () => {
    expect(await tryCall('user passwd', { username: 'ada', password: 'ada' })).to.match(/^password: .*at least 8/);
    expect((await running.browser().logIn('ada', ada.password)).status).to.equal(302);
  });

  it('may be weak if the caller accepts weak passwords, and the result contains the problem', async () => {
    const weakInput = { password: 'short', acceptsWeakPassword: true };
    const weakness = 'Use at least 8 characters. A few unrelated words work well.';
    expect(await call('user add', { ...newUser, ...weakInput })).to.deep.equal({ id: 2, username: 'pam', weakness });
    expect(await call('user passwd', { username: 'ada', ...weakInput })).to.deep.include({ username: 'ada', weakness });
    expect(await call('user passwd', { username: 'ada', ...weakInput, password: 'owl moon tea' })).not.to.have.property(
      'weakness',
    );
  });

  it('is refused by the management API if it is weak', async () => {
    const manager = await addManager(running);
    const response = await manager.call('POST', '/users/', { username: 'pam', password: 'short' });
    expect(response.status).to.equal(400);
    expect(response.text).to.include('at least 8');
    const acceptingInput = { username: 'pam', password: 'short', accepts_weak_password: true };
    expect((await manager.call('POST', '/users/', acceptingInput)).status).to.equal(400);
    expect((await manager.call('PUT', '/users/ada/password/', { password: 'short' })).status).to.equal(400);
  });
});
