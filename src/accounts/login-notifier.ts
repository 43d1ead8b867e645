import type { EpochSeconds } from '../domain/values.ts';
import type { Language } from '../language/languages.ts';
import type { Emails } from '../language/emails.ts';
import type { User } from '../projections/users.ts';
import { emailContext, loginEmail } from './account-emails.ts';

/** A session started in a browser that the user had not used here before. */
export interface NewLogin {
  /** A description such as "Firefox on Linux"; undefined if unknown. */
  readonly browser: string | undefined;
  readonly at: EpochSeconds;
  /** The language of the page. */
  readonly language: Language | null;
}

/**
 * Notifies a user by e-mail, if mail is on, of a login from a new browser. The e-mail is sent only to a verified
 * address, because any other address could belong to a stranger.
 */
export type NotifyOfLogin = (user: User, login: NewLogin) => void;

export function createLoginNotifier(emails: Pick<Emails, 'isOn' | 'send'>, issuer: () => string): NotifyOfLogin {
  return (user, { browser, at, language }) => {
    if (!emails.isOn || !user.emailVerified) return;
    const when = { at, timeZone: user.profile.zoneinfo };
    const context = emailContext(user, issuer());
    const text = loginEmail(context, { browser, when }, new URL('/accounts/sessions/', issuer()).href);
    emails.send(user, text, language);
  };
}
