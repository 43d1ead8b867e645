import type { Config } from '../config/config.ts';
import { composeMail } from '../platform/mail/compose-mail.ts';
import type { MailTransport } from '../platform/mail/mail-message.ts';
import { parseMailTarget } from '../platform/mail/mail-target.ts';
import { createMailTransport } from '../platform/mail/mail-transport.ts';
import { createMailer, type Mailer } from '../platform/mail/mailer.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { Clock, Entropy, StartTimer } from '../platform/ports.ts';

export interface MailDeps {
  readonly config: Pick<Config, 'mail' | 'mailFrom'>;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly startTimer: StartTimer;
  readonly issuer: () => string;
  readonly metrics: Pick<Metrics, 'emails'>;
  readonly notice: (line: string) => void;
  /** Replaces the transport from the settings. */
  readonly transport?: MailTransport | undefined;
}

const ID_BYTES = 16;

/** Creates the mailer that the settings describe. */
export function createConfiguredMailer(deps: MailDeps): Mailer {
  const { config, clock, entropy, startTimer, issuer, metrics, notice } = deps;
  const mintId = (): string => entropy.bytes(ID_BYTES).toString('hex');
  const configuredTransport =
    config.mail === null
      ? undefined
      : createMailTransport(parseMailTarget(config.mail), { startTimer, now: clock.now, mintId, print });
  return createMailer({
    transport: deps.transport ?? configuredTransport,
    compose: (message) => {
      return composeMail(message, { from: mailSender(config, issuer()), now: clock.now(), id: mintId() });
    },
    startTimer,
    ticks: clock.ticks,
    observe: metrics.emails.observe,
    notice,
  });
}

/** Returns the sender of all e-mails. */
export function mailSender({ mailFrom }: Pick<Config, 'mailFrom'>, issuer: string): string {
  return mailFrom ?? defaultSender(issuer);
}

/** Returns a sender for the console and files, which accept any sender. SMTP requires the `mailFrom` setting. */
function defaultSender(issuer: string): string {
  return `grantlog@${new URL(issuer).hostname.replaceAll(/[[\]:]/g, '')}`;
}

function print(text: string): void {
  process.stdout.write(text);
}
