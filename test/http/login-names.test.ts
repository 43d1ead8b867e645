import { expect } from 'chai';
import { runningService, type RunningService, type TestUser } from '../support/running-service.ts';

const BY_OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('The name at the login', () => {
  let running: RunningService;
  let ada: TestUser;

  beforeEach(async () => {
    running = await runningService();
    ada = await running.addUser('Ada');
  });
  afterEach(() => running.close());

  async function setEmail(name: string, email: string, { verified }: { readonly verified: boolean }): Promise<void> {
    const { accounts, projections } = running.service();
    const account = () => projections.users.findByName(name) ?? expect.fail();
    await accounts.changeProfile(account(), { email }, BY_OPERATOR);
    if (verified) await accounts.verifyEmail(account(), BY_OPERATOR);
  }

  const logsIn = async (name: string, { password }: TestUser): Promise<boolean> =>
    (await running.browser().logIn(name, password)).status === 302;

  it('is the user name, ignoring case', async () => {
    for (const name of ['Ada', 'ada', 'ADA', ' ada ']) expect(await logsIn(name, ada), name).to.equal(true);
  });

  it('is the verified e-mail address, ignoring case, and no other address', async () => {
    await setEmail('Ada', 'Ada@example.org', { verified: false });
    expect(await logsIn('ada@example.org', ada)).to.equal(false);
    await setEmail('Ada', 'Ada@example.org', { verified: true });
    for (const name of ['ada@example.org', 'ADA@EXAMPLE.ORG']) expect(await logsIn(name, ada), name).to.equal(true);
    await setEmail('Ada', 'new@example.org', { verified: false });
    for (const name of ['ada@example.org', 'new@example.org']) expect(await logsIn(name, ada), name).to.equal(false);
  });

  it('means the account that verified the address last', async () => {
    const bob = await running.addUser('bob');
    await setEmail('Ada', 'both@example.org', { verified: true });
    await setEmail('bob', 'both@example.org', { verified: true });
    expect([await logsIn('both@example.org', ada), await logsIn('both@example.org', bob)]).to.deep.equal([false, true]);
  });

  it('is first looked up as a user name, so that no address takes a name away', async () => {
    const namesake = await running.addUser('ada@example.org');
    await setEmail('Ada', 'ada@example.org', { verified: true });
    expect([await logsIn('ada@example.org', namesake), await logsIn('ada@example.org', ada)]).to.deep.equal([
      true,
      false,
    ]);
  });

  it('is the exact user name in the password grant', async () => {
    const client = await running.addClient();
    await setEmail('Ada', 'ada@example.org', { verified: true });
    for (const [username, status] of [
      ['Ada', 200],
      ['ada', 400],
      ['ada@example.org', 400],
    ] as const) {
      const answer = await running.token(client, { grant_type: 'password', username, password: ada.password });
      expect(answer.status, username).to.equal(status);
    }
  });
});
