import { formatLetter } from '../platform/mail/letter.ts';
import type { Mailer } from '../platform/mail/mailer.ts';
import type { EpochSeconds } from '../domain/values.ts';
import type { User } from '../projections/users.ts';

/** A session that has started in a browser that the user had not used here before. */
export interface NewLogin {
  /** Such as "Firefox on Linux"; undefined if it is not known. */
  readonly browser: string | undefined;
  readonly at: EpochSeconds;
}

/**
 * Tells a user by mail, if mails are on, about a login in another browser. Only a verified address gets it: any other
 * could be that of a stranger.
 */
export type AnnounceLogin = (user: User, login: NewLogin) => void;

const TIME_FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

export function createLoginMails(mailer: Pick<Mailer, 'isOn' | 'send'>, issuer: () => string): AnnounceLogin {
  return ({ username, email, emailVerified }, { browser, at }) => {
    if (!mailer.isOn || !emailVerified) return;
    const server = new URL(issuer()).host;
    const when = `${TIME_FORMAT.format(new Date(at * 1000))} UTC`;
    const letter = formatLetter({
      paragraphs: [
        `Your account ${username} at ${server} was logged in to with ${browser ?? 'an unknown browser'} on ${when}.`,
        'If this was you, there is nothing to do.',
        'If not, log out that browser in your sessions and change your password.',
      ],
      link: { label: 'See your sessions', url: new URL('/accounts/sessions/', issuer()).href },
      note: 'You got this mail because this browser had not been used with your account before.',
    });
    void mailer.send({ to: email, subject: `New login to your account at ${server}`, ...letter });
  };
}
