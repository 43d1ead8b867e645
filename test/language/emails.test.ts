import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { createAccountMailer } from '../../src/accounts/account-mailer.ts';
import { createInvitations } from '../../src/accounts/invitations.ts';
import { createLoginNotifier } from '../../src/accounts/login-notifier.ts';
import type { SecurityNotice } from '../../src/accounts/account-emails.ts';
import { createSecurityNotices } from '../../src/accounts/security-notices.ts';
import { createEmails, type Emails } from '../../src/language/emails.ts';
import { LANGUAGES, type Language } from '../../src/language/languages.ts';
import { message } from '../../src/language/message.ts';
import { createTranslators } from '../../src/language/translators.ts';
import { createInvitationMailer } from '../../src/oauth/clients/invitation-mailer.ts';
import { mailOperations } from '../../src/operations/mail.ts';
import type { MailMessage } from '../../src/platform/mail/mail-message.ts';
import type { User } from '../../src/projections/users.ts';
import { seconds } from '../support/domain-values.ts';
import { markedTranslator, unmarkedTexts } from '../support/marked-texts.ts';
import { TEST_EMAIL_BRAND } from '../support/test-email-brand.ts';
import { unchecked } from '../support/unchecked.ts';

const ISSUER = 'https://id.example';
const issuer = (): string => ISSUER;
const NEVER_ABORTED = new AbortController().signal;
const now = (): number => 1_767_225_600;

const createAda = (profile: User['profile'] = {}): User =>
  unchecked({
    userId: '⟦id⟧',
    username: '⟦ada⟧',
    email: 'ada@example.org',
    emailVerified: true,
    active: true,
    profile,
  });

function collectEmails(languages: readonly [Language, ...Language[]], translators = createTranslators()) {
  const sentEmails: MailMessage[] = [];
  const send = async (mail: MailMessage): Promise<void> => void sentEmails.push(mail);
  const emails = createEmails({
    mailer: { isOn: true, send, deliver: send },
    translators,
    brand: () => TEST_EMAIL_BRAND,
    languages,
  });
  return { sentEmails, emails };
}

/** Sends one e-mail of every kind. */
async function sendEveryMail(emails: Emails): Promise<void> {
  const mailTest = mailOperations['mail test'] ?? expect.fail();
  const links = { verificationUrl: issuer, resetUrl: issuer, openVerification: createAda, openReset: createAda };
  const users = {
    find: createAda,
    findByName: createAda,
    findByNameLike: createAda,
    findByVerifiedEmail: () => undefined,
  };
  const accountMailer = createAccountMailer(unchecked({ emails, links, users, limits: { spend() {} }, issuer, now }));
  const request = unchecked(undefined);
  accountMailer.requestReset('ada', request, null);
  await new Promise((resolve) => setImmediate(resolve));
  accountMailer.sendVerification(createAda(), request, null);
  accountMailer.sendPasswordChangeNotice(createAda());
  accountMailer.sendEmailChangeNotice(createAda());
  const notify = createLoginNotifier(emails, issuer);
  for (const browser of ['⟦browser⟧', undefined]) notify(createAda(), { browser, at: seconds(now()), language: null });
  const notices = createSecurityNotices(emails, issuer);
  for (const notice of SECURITY_NOTICES) notices.send(createAda(), notice);
  const invitationLinks = { seal: () => 'token' };
  const vault = { createKey: async () => {}, trySeal: () => 'sealed' };
  const commands = { state: async () => ({ status: 'unknown' }), execute: async () => ({ events: [{}] }) };
  const sentInvitations = { hasEnded: () => false };
  const invitationDeps = {
    emails,
    commands,
    vault,
    links: invitationLinks,
    users,
    sentInvitations,
    mintId: () => 'id',
    issuer,
    now,
  };
  const invitee = { email: 'eve@example.org', roles: [], invitedBy: null };
  await createInvitations(unchecked(invitationDeps)).invite(invitee, request);
  const names = { application: '⟦application⟧', inviter: '⟦inviter⟧' };
  for (const role of ['owner', 'test-user'] as const)
    createInvitationMailer(emails).send({ to: 'eve@example.org', url: ISSUER, role, ...names, language: null });
  for (const address of [issuer, () => null])
    await mailTest({ address: 'eve@example.org' }, unchecked({ emails, issuer: address }), NEVER_ABORTED).next();
}

const SECURITY_NOTICES: readonly SecurityNotice[] = [
  'app-added',
  'turned-on',
  'app-removed',
  'codes-generated',
  'code-used',
  'turned-off',
  'provider-linked',
  'provider-unlinked',
  'all-removed',
];

const removeLinks = (text: string): string => text.replaceAll(/https:\S+/g, '');

describe('The e-mails', () => {
  it('contain only text from the catalog', async () => {
    const { sentEmails, emails } = collectEmails(['en'], { ...createTranslators(), en: markedTranslator() });
    await sendEveryMail(emails);
    expect(sentEmails).to.have.length(20);
    for (const { subject, text, html = '' } of sentEmails) {
      expect(unmarkedTexts(`${subject}\n${removeLinks(text)}`), subject).to.deep.equal([]);
      expect(unmarkedTexts(removeLinks(html.replaceAll(/<[^>]*>/g, '\n'))), subject).to.deep.equal([]);
    }
  });

  it('use every catalog entry for e-mails', async () => {
    const entries = readFileSync(new URL('../../src/language/messages/emails.ts', import.meta.url), 'utf8');
    const usedKeys = new Set<string>();
    const en = createTranslators().en;
    const text: typeof en.text = (translatable) => {
      if (typeof translatable === 'object') usedKeys.add(translatable.key);
      return en.text(translatable);
    };
    const { emails } = collectEmails(['en'], { ...createTranslators(), en: { ...en, text } });
    await sendEveryMail(emails);
    const keys = [...entries.matchAll(/^ {2}'(mail\.[\w.-]+)':/gm)].map(([, key = '']) => key);
    expect([...usedKeys]).to.have.members([...new Set(keys)]);
  });

  for (const language of LANGUAGES)
    it(`declare their language: ${language}`, async () => {
      const { sentEmails, emails } = collectEmails([language]);
      await sendEveryMail(emails);
      for (const mail of sentEmails) {
        expect(mail.language).to.equal(language);
        expect(mail.html).to.match(new RegExp(`^<!doctype html><html lang="${language}">`));
      }
    });
});

describe('The language of an e-mail', () => {
  const email = { subject: message('mail.copy'), paragraphs: [], note: message('mail.copy') };

  function sendForLanguage(
    locale: string | undefined,
    requestedLanguage: Language | null,
    offeredLanguages: readonly [Language, ...Language[]] = ['en', 'de'],
  ): string | undefined {
    const { sentEmails, emails } = collectEmails(offeredLanguages);
    emails.send({ email: 'ada@example.org', profile: { locale } }, email, requestedLanguage);
    return sentEmails[0]?.language;
  }

  it('comes from the recipient’s profile, or else from the page, or else from the settings', () => {
    expect(sendForLanguage('de-CH', 'en')).to.equal('de');
    expect(sendForLanguage(undefined, 'de')).to.equal('de');
    expect(sendForLanguage('fr', 'de')).to.equal('de');
    expect(sendForLanguage(undefined, null, ['de', 'en'])).to.equal('de');
  });

  it('is always one that the server offers', () => {
    expect(sendForLanguage('de', 'de', ['en'])).to.equal('en');
  });
});
