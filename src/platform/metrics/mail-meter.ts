import { Counter, type Registry } from 'prom-client';
import { MAIL_OUTCOMES, type MailOutcome } from '../mail/mail-outcomes.ts';

/** Counts e-mails. */
export interface MailMeter {
  observe(outcome: MailOutcome): void;
}

export function createMailMeter(registry: Registry): MailMeter {
  const emails = new Counter({
    name: 'grantlog_mails_total',
    help: 'E-mails that were sent, that failed and are retried, that failed for the last time, and that were dropped.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of MAIL_OUTCOMES) emails.inc({ outcome }, 0);
  return { observe: (outcome) => emails.inc({ outcome }) };
}
