import { expect } from 'chai';
import { createLoginMails } from '../../src/accounts/login-mails.ts';
import type { MailMessage } from '../../src/platform/mail/mail-message.ts';
import type { User } from '../../src/projections/users.ts';
import { seconds } from '../support/domain-values.ts';
import { unchecked } from '../support/unchecked.ts';

const LOGIN = { browser: 'Firefox on Linux', at: seconds(1_767_225_600) };
const ada = (changes: Partial<User> = {}): User =>
  unchecked({ username: 'ada', email: 'ada@example.org', emailVerified: true, ...changes });

function setUp(isOn = true) {
  const mails: MailMessage[] = [];
  const send = async (mail: MailMessage): Promise<void> => void mails.push(mail);
  return { mails, announce: createLoginMails({ isOn, send }, () => 'https://id.example') };
}

describe('The mail about a login in another browser', () => {
  it('says which account, which browser and when, and links the list of sessions', () => {
    const { mails, announce } = setUp();
    announce(ada(), LOGIN);
    const [mail] = mails;
    expect(mails).to.have.length(1);
    expect([mail?.to, mail?.subject]).to.deep.equal(['ada@example.org', 'New login to your account at id.example']);
    expect(mail?.text).to.include('account ada at id.example').and.include('Firefox on Linux');
    expect(mail?.text).to.include('1 January 2026 at 00:00 UTC');
    expect(mail?.text.match(/https:\S+/g)).to.deep.equal(['https://id.example/accounts/sessions/']);
    expect(mail?.html).to.include('href="https://id.example/accounts/sessions/"');
  });

  it('goes to verified addresses only', () => {
    const { mails, announce } = setUp();
    announce(ada({ emailVerified: false }), LOGIN);
    expect(mails).to.deep.equal([]);
  });

  it('is not written if mails are off', () => {
    const { mails, announce } = setUp(false);
    announce(ada(), LOGIN);
    expect(mails).to.deep.equal([]);
  });

  it('names an unknown browser as such', () => {
    const { mails, announce } = setUp();
    announce(ada(), { ...LOGIN, browser: undefined });
    expect(mails[0]?.text).to.include('with an unknown browser on');
  });
});
