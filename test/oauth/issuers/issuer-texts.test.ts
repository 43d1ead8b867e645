import { expect } from 'chai';
import { readSubjectLine } from '../../../src/oauth/issuers/issuer-texts.ts';
import { runningService, type RunningService, type TestClient } from '../../support/running-service.ts';
import { trustIssuer } from '../../support/trusted-issuers.ts';

describe('A line in a table of subjects', () => {
  it('has one reading for each equals sign with characters on both sides', () => {
    expect(readSubjectLine('248289761001=ada')).to.deep.equal([{ subject: '248289761001', username: 'ada' }]);
    expect(readSubjectLine('cn=ada=ada=x')).to.deep.equal([
      { subject: 'cn', username: 'ada=ada=x' },
      { subject: 'cn=ada', username: 'ada=x' },
      { subject: 'cn=ada=ada', username: 'x' },
    ]);
    for (const line of ['', '=', 'ada', '=ada', 'ada=']) expect(readSubjectLine(line), line).to.deep.equal([]);
  });

  describe('for users whose names contain equals signs', () => {
    let running: RunningService;
    let client: TestClient;

    beforeEach(async () => {
      running = await runningService();
      client = await running.addClient({ grantTypes: ['jwt-bearer'], redirectUris: [] });
      for (const name of ['ada', 'x=ada']) await running.addUser(name);
    });
    afterEach(() => running.close());

    const setTable = (users: readonly string[]) => trustIssuer(running, client, { mapping: 'table', users });
    async function expectProblem(users: readonly string[]): Promise<string> {
      try {
        await setTable(users);
      } catch (error) {
        return (error as Error).message;
      }
      return expect.fail('the table was accepted');
    }

    it('is accepted if only one of its readings contains an existing user', async () => {
      const { subject } = await setTable(['uid=y=ada']);
      expect(subject.by === 'table' && subject.entries.length).to.equal(1);
    });

    it('is refused if it fits several users or no user, or if another line has its subject', async () => {
      expect(await expectProblem(['uid=x=ada'])).to.include(
        'The line uid=x=ada is ambiguous: more than one user matches it.',
      );
      expect(await expectProblem(['uid=bert'])).to.include('Nobody has the user name bert.');
      expect(await expectProblem(['uid=ada', 'uid=ada'])).to.include('is also assigned to another user');
    });
  });
});
