import { expect } from 'chai';
import { runningService, type RunningService, type TestUser } from '../support/running-service.ts';

const BY_OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('The login name', () => {
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

  const canLogIn = async (name: string, { password }: TestUser): Promise<boolean> =>
    (await running.browser().logIn(name, password)).status === 302;

  it('can be the user name, ignoring case', async () => {
    for (const name of ['Ada', 'ada', 'ADA', ' ada ']) expect(await canLogIn(name, ada), name).to.equal(true);
  });

  it('can be the verified e-mail address, ignoring case, but no other address', async () => {
    await setEmail('Ada', 'Ada@example.org', { verified: false });
    expect(await canLogIn('ada@example.org', ada)).to.equal(false);
    await setEmail('Ada', 'Ada@example.org', { verified: true });
    for (const name of ['ada@example.org', 'ADA@EXAMPLE.ORG']) expect(await canLogIn(name, ada), name).to.equal(true);
    await setEmail('Ada', 'new@example.org', { verified: false });
    for (const name of ['ada@example.org', 'new@example.org']) expect(await canLogIn(name, ada), name).to.equal(false);
  });

  it('identifies the account that verified the address last', async () => {
    const bob = await running.addUser('bob');
    await setEmail('Ada', 'both@example.org', { verified: true });
    await setEmail('bob', 'both@example.org', { verified: true });
    expect([await canLogIn('both@example.org', ada), await canLogIn('both@example.org', bob)]).to.deep.equal([
      false,
      true,
    ]);
  });

  it('is first looked up as a user name, so that an e-mail address cannot take over a user name', async () => {
    const namesake = await running.addUser('ada@example.org');
    await setEmail('Ada', 'ada@example.org', { verified: true });
    expect([await canLogIn('ada@example.org', namesake), await canLogIn('ada@example.org', ada)]).to.deep.equal([
      true,
      false,
    ]);
  });

  it('must be the exact user name in the password grant', async () => {
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
