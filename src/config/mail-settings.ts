import { z } from 'zod';
import { isMailSender } from '../platform/mail/mail-sender.ts';
import { isMailTarget, MAIL_TARGET_FORM, parseMailTarget } from '../platform/mail/mail-target.ts';
import { setting } from './setting.ts';

/** The settings for e-mails to users. */
export const mailSettings = {
  mail: setting({
    schema: z.union([z.literal('off').transform(() => null), z.string().max(2_048).refine(isMailTarget)]).nullable(),
    default: null,
    expects: MAIL_TARGET_FORM,
    secret: true,
    isPublic: (value) => typeof value === 'string' && isMailTarget(value) && !hasCredentials(value),
  }),
  mailFrom: setting({
    schema: z.string().max(256).refine(isMailSender).nullable(),
    default: null,
    expects: 'an e-mail address, or a name with an address, such as Example <no-reply@id.example>',
  }),
} as const;

function hasCredentials(text: string): boolean {
  const target = parseMailTarget(text);
  return target.kind === 'smtp' && target.login !== undefined;
}

/** Finds contradictions between the mail settings. */
export function mailProblems({ mail, mailFrom }: Readonly<Record<'mail' | 'mailFrom', string | null>>): string[] {
  const needsSender = mail !== null && parseMailTarget(mail).kind === 'smtp';
  return needsSender && mailFrom === null ? [SMTP_WITHOUT_SENDER] : [];
}

const SMTP_WITHOUT_SENDER =
  'GRANTLOG_MAIL: mail servers accept mail only from certain senders; ' +
  'set GRANTLOG_MAIL_FROM to an address that your mail server accepts, such as no-reply@id.example';
