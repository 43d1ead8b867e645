import { z } from 'zod';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import type { EmailText } from '../language/emails.ts';
import { message } from '../language/message.ts';
import { MailError } from '../platform/mail/mail-failed.ts';
import { isMailAddress } from '../platform/mail/mail-sender.ts';
import { operation, type Operation } from './operation.ts';
import { invalidField } from './invalid-fields.ts';
import { OperationRefused } from './control/operation-refused.ts';

const input = z.strictObject({ address: z.string().max(OPERATION_TEXTS.checkedText) });

/**
 * Returns the content of a test e-mail.
 * @param server the server's issuer identifier; null if it is unknown
 */
export function testEmail(server: string | null): EmailText {
  return {
    subject: server === null ? message('mail.test.unnamed-subject') : message('mail.test.subject', { server }),
    paragraphs: [server === null ? message('mail.test.unnamed') : message('mail.test', { server })],
    note: message('mail.test.note'),
  };
}

export const mailOperations: Readonly<Record<string, Operation>> = {
  'mail test': operation(input, async ({ address }, { emails, issuer }) => {
    if (!isMailAddress(address)) throw invalidField('address', `${JSON.stringify(address)} is not an e-mail address`);
    const text = testEmail(issuer());
    await emails.deliver({ email: address }, text).catch((error: unknown) => {
      throw error instanceof MailError ? new OperationRefused(describeFailure(error)) : error;
    });
    return { sent_to: address };
  }),
};

/** Describes a failure. If mail is off, no delivery was attempted, so the message alone is enough. */
function describeFailure({ reason, message: text }: MailError): string {
  return reason === 'off' ? text : `${reason}: ${text}`;
}
