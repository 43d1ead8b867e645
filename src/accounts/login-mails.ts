import type { EpochSeconds } from '../domain/values.ts';
import type { Language } from '../language/languages.ts';
import type { Letters } from '../language/letters.ts';
import { message } from '../language/message.ts';
import type { User } from '../projections/users.ts';

/** A session that has started in a browser that the user had not used here before. */
export interface NewLogin {
  /** Such as "Firefox on Linux"; undefined if it is not known. */
  readonly browser: string | undefined;
  readonly at: EpochSeconds;
  /** The language of the page. */
  readonly language: Language | null;
}

/**
 * Tells a user by mail, if mails are on, about a login in another browser. Only a verified address gets it: any other
 * address could belong to a stranger.
 */
export type AnnounceLogin = (user: User, login: NewLogin) => void;

export function createLoginMails(letters: Pick<Letters, 'isOn' | 'send'>, issuer: () => string): AnnounceLogin {
  return (user, { browser, at, language }) => {
    if (!letters.isOn || !user.emailVerified) return;
    const [server, { username, profile }] = [new URL(issuer()).host, user];
    const happened = { username, server, when: { at, timeZone: profile.zoneinfo } };
    const letter = {
      subject: message('mail.login.subject', { server }),
      paragraphs: [
        browser === undefined
          ? message('mail.login.unknown-browser', happened)
          : message('mail.login', { ...happened, browser }),
        message('mail.login.if-you'),
        message('mail.login.if-not'),
      ],
      link: { label: message('mail.login.link'), url: new URL('/accounts/sessions/', issuer()).href },
      note: message('mail.login.note'),
    };
    letters.send(user, letter, language);
  };
}
