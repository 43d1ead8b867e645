import { createAccountLinks } from '../accounts/account-links.ts';
import { createAccountMailer } from '../accounts/account-mailer.ts';
import { createLoginNotifier } from '../accounts/login-notifier.ts';
import { createMailLinks } from '../accounts/mail-links.ts';
import type { Config } from '../config/config.ts';
import { createEmailBrand } from '../config/email-brand.ts';
import { createEmails } from '../language/emails.ts';
import { createTranslators } from '../language/translators.ts';
import { createInvitationMailer } from '../oauth/clients/invitation-mailer.ts';
import type { Keys } from '../platform/keys/keys.ts';
import type { RateLimits } from '../platform/limits/rate-limits.ts';
import type { MailTransport } from '../platform/mail/mail-message.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { Clock, Entropy, StartTimer } from '../platform/ports.ts';
import type { Projections } from '../projections/projections.ts';
import { createMailExamples } from './mail-examples.ts';
import { createConfiguredMailer } from './mail.ts';

/** Creates the parts that write and send e-mails to users, and that create and verify the links in the e-mails. */
export function createEmailParts(deps: {
  readonly projections: Pick<Projections, 'users'>;
  readonly keys: Pick<Keys, 'mailLinks'>;
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly entropy: Entropy;
  readonly clock: Clock;
  /** Seconds since the epoch. */
  readonly now: () => number;
  readonly startTimer: StartTimer;
  readonly issuer: () => string;
  readonly metrics: Pick<Metrics, 'emails'>;
  readonly notice: (line: string) => void;
  /** Replaces the transport from the settings. */
  readonly mailTransport: MailTransport | undefined;
  readonly settings: Config;
}) {
  const { keys, limits, entropy, clock, now, startTimer, issuer, metrics, notice, settings } = deps;
  const { users } = deps.projections;
  const mailer = createConfiguredMailer({
    config: settings,
    clock,
    entropy,
    startTimer,
    issuer,
    metrics,
    notice,
    transport: deps.mailTransport,
  });
  const emails = createEmails({
    mailer,
    translators: createTranslators(settings),
    brand: createEmailBrand(settings),
    languages: settings.languages,
  });
  const mailLinks = createMailLinks(keys.mailLinks, entropy);
  const accountLinks = createAccountLinks({ links: mailLinks, users, issuer });
  return {
    mailer,
    emails,
    mailLinks,
    accountLinks,
    accountMailer: createAccountMailer({ emails, links: accountLinks, users, limits, issuer, now }),
    mailExamples: createMailExamples({ emails, config: settings, issuer, now }),
    notifyOfLogin: createLoginNotifier(emails, issuer),
    invitationMailer: createInvitationMailer(emails),
  };
}
