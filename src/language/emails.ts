import { formatEmail, type EmailBrand } from '../platform/mail/email-content.ts';
import type { MailMessage } from '../platform/mail/mail-message.ts';
import type { Mailer } from '../platform/mail/mailer.ts';
import { languageOf, type Language } from './languages.ts';
import type { Message, Text } from './message.ts';
import type { Translators } from './translators.ts';

/** The content of an e-mail, before it is translated. */
export interface EmailText {
  readonly subject: Message;
  readonly paragraphs: readonly Text[];
  readonly link?: { readonly label: Message; readonly url: string };
  readonly note: Message;
}

/** The recipient of an e-mail, and the language chosen in their profile, if any. */
export interface Recipient {
  readonly email: string;
  readonly profile?: { readonly locale?: string | undefined };
}

/** An e-mail that also has an HTML version. */
export type WrittenMail = MailMessage & Required<Pick<MailMessage, 'html' | 'images'>>;

/** Writes e-mails in the language of their recipients. */
export interface Emails {
  /** Whether the server sends e-mails. */
  readonly isOn: boolean;
  /**
   * Queues an e-mail. Its language is the one in the recipient's profile, else `requested`, else the server's first
   * language. Languages that the server does not offer are skipped.
   * @param requested the language of the request that caused the e-mail
   */
  send(to: Recipient, email: EmailText, requested?: Language | null): void;
  /**
   * Sends an e-mail immediately, in the language in the recipient's profile, else the server's first language.
   * @throws MailError if the e-mail could not be sent, or mail is off
   */
  deliver(to: Recipient, email: EmailText): Promise<void>;
  /** Returns the e-mail that `send` would queue. */
  write(to: Recipient, email: EmailText, requested?: Language | null): WrittenMail;
}

export function createEmails(deps: {
  readonly mailer: Pick<Mailer, 'isOn' | 'send' | 'deliver'>;
  readonly translators: Translators;
  /** Returns the brand to use when an e-mail is written. */
  readonly brand: () => EmailBrand;
  /** The languages that the server offers, in order of preference. */
  readonly languages: readonly [Language, ...Language[]];
}): Emails {
  const { mailer, translators, brand, languages } = deps;

  function languageFor({ profile }: Recipient, requested?: Language | null): Language {
    const candidates = [languageOf(profile?.locale ?? ''), requested];
    return candidates.find((language) => language && languages.includes(language)) ?? languages[0];
  }

  function write(
    to: Recipient,
    { subject, paragraphs, link, note }: EmailText,
    requested?: Language | null,
  ): WrittenMail {
    const { language, text } = translators[languageFor(to, requested)];
    const bodies = formatEmail({
      language,
      brand: brand(),
      paragraphs: paragraphs.map(text),
      ...(link && { link: { label: text(link.label), url: link.url, help: text({ key: 'mail.copy' }) } }),
      note: text(note),
    });
    return { to: to.email, language, subject: text(subject), ...bodies };
  }

  return {
    isOn: mailer.isOn,
    send: (to, email, requested) => void mailer.send(write(to, email, requested)),
    deliver: (to, email) => mailer.deliver(write(to, email)),
    write,
  };
}
