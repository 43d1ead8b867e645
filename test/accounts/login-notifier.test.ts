import { expect } from 'chai';
import { createLoginNotifier } from '../../src/accounts/login-notifier.ts';
import { createEmails } from '../../src/language/emails.ts';
import { createTranslators } from '../../src/language/translators.ts';
import type { MailMessage } from '../../src/platform/mail/mail-message.ts';
import type { User } from '../../src/projections/users.ts';
import { seconds } from '../support/domain-values.ts';
import { TEST_EMAIL_BRAND } from '../support/test-email-brand.ts';
import { unchecked } from '../support/unchecked.ts';

const LOGIN = { browser: 'Firefox on Linux', at: seconds(1_767_225_600), language: null };
const ada = (changes: Partial<User> = {}): User =>
  unchecked({ username: 'ada', email: 'ada@example.org', emailVerified: true, profile: {}, ...changes });

function setUp(isOn = true) {
  const sentEmails: MailMessage[] = [];
  const send = async (mail: MailMessage): Promise<void> => void sentEmails.push(mail);
  const mailer = { isOn, send, deliver: send };
  const emails = createEmails({
    mailer,
    translators: createTranslators(),
    brand: () => TEST_EMAIL_BRAND,
    languages: ['en', 'de'],
  });
  return { sentEmails, notifyOfLogin: createLoginNotifier(emails, () => 'https://id.example') };
}

describe('The e-mail about a login in another browser', () => {
  it('states the account, the browser and the time, and links to the list of sessions', () => {
    const { sentEmails, notifyOfLogin } = setUp();
    notifyOfLogin(ada(), LOGIN);
    const [mail] = sentEmails;
    expect(sentEmails).to.have.length(1);
    expect([mail?.to, mail?.subject]).to.deep.equal(['ada@example.org', 'New login to your account at id.example']);
    expect(mail?.text).to.include('account ada at id.example').and.include('Firefox on Linux');
    expect(mail?.text).to.include('1 January 2026 at 00:00 UTC');
    expect(mail?.text.match(/https:\S+/g)).to.deep.equal(['https://id.example/accounts/sessions/']);
    expect(mail?.html).to.include('href="https://id.example/accounts/sessions/"');
  });

  it("uses the user's time zone and language", () => {
    const { sentEmails, notifyOfLogin } = setUp();
    notifyOfLogin(ada({ profile: { zoneinfo: 'Europe/Berlin', locale: 'de-AT' } }), { ...LOGIN, language: 'en' });
    notifyOfLogin(ada({ profile: { zoneinfo: 'Nowhere/Else' } }), { ...LOGIN, language: 'de' });
    expect(sentEmails[0]?.text).to.include('am 1. Januar 2026 um 01:00 MEZ mit Firefox on Linux');
    expect(sentEmails[0]?.html).to.include('<html lang="de">');
    expect(sentEmails[1]?.text).to.include('am 1. Januar 2026 um 00:00 UTC mit');
  });

  it('is sent only to verified addresses', () => {
    const { sentEmails, notifyOfLogin } = setUp();
    notifyOfLogin(ada({ emailVerified: false }), LOGIN);
    expect(sentEmails).to.deep.equal([]);
  });

  it('is not sent if mail is off', () => {
    const { sentEmails, notifyOfLogin } = setUp(false);
    notifyOfLogin(ada(), LOGIN);
    expect(sentEmails).to.deep.equal([]);
  });

  it('describes an unrecognized browser as unknown', () => {
    const { sentEmails, notifyOfLogin } = setUp();
    notifyOfLogin(ada(), { ...LOGIN, browser: undefined });
    expect(sentEmails[0]?.text).to.include('with an unknown browser on');
  });
});
