import type { Config } from '../config/config.ts';
import { MailError, type MailFailure } from '../platform/mail/mail-failed.ts';
import { describeMailTarget, parseMailTarget } from '../platform/mail/mail-target.ts';
import { createMailTransport } from '../platform/mail/mail-transport.ts';
import { systemTimer } from '../platform/ports.ts';
import { finding, ok, type CheckResult } from './doctor-checks.ts';

/** Checks that this machine can log in to the mail server, or write to the mail directory. Sends no e-mail. */
export async function checkMail({ mail }: Pick<Config, 'mail'>): Promise<CheckResult> {
  if (mail === null) return ok('mail', 'off: administrators reset passwords and verify e-mail addresses');
  const target = parseMailTarget(mail);
  const destination = describeMailTarget(target);
  const transport = createMailTransport(target, {
    startTimer: systemTimer,
    now: () => 0, // not used, because no e-mail is written
    mintId: () => '',
    print: () => {},
  });
  try {
    await transport.check();
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    return finding('mail', error.message, ADVICE[error.reason]);
  } finally {
    transport.close();
  }
  if (target.kind === 'smtp')
    return ok('mail', `${destination} accepts e-mails; grantlog mail test ADDRESS sends a test e-mail`);
  const todo = 'set GRANTLOG_MAIL to an smtp or smtps URL before users depend on e-mails';
  return finding('mail', `this server writes e-mails to ${destination} and does not send them`, todo);
}

const ADVICE: Readonly<Record<MailFailure, string>> = {
  unreachable: 'check the host and port in GRANTLOG_MAIL, and that this machine can connect to them',
  'timed-out': 'check the host and port in GRANTLOG_MAIL, and that no firewall drops the connection',
  tls: 'check that the server offers TLS with a valid certificate; for your own certificate authority, add ?ca=FILE',
  off: 'set GRANTLOG_MAIL',
  'login-refused': 'check the user and password in GRANTLOG_MAIL',
  deferred: "see the mail server's log, and try again",
  rejected: "see the mail server's log",
  unwritable: 'make the directory writable for the user that runs the server',
};
