import { z } from 'zod';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { message } from '../language/message.ts';
import { MailFailed } from '../platform/mail/mail-failed.ts';
import { isMailAddress } from '../platform/mail/mail-sender.ts';
import { operation, type Operation } from './operation.ts';
import { OperationRefused } from './control/operation-refused.ts';

const input = z.strictObject({ address: z.string().max(OPERATION_TEXTS.ruled) });

export const mailOperations: Readonly<Record<string, Operation>> = {
  'mail test': operation(input, async ({ address }, { letters, issuer }) => {
    if (!isMailAddress(address)) throw new OperationRefused(`${JSON.stringify(address)} is not an e-mail address`);
    const server = issuer();
    const letter = {
      subject: server === null ? message('mail.test.unnamed-subject') : message('mail.test.subject', { server }),
      paragraphs: [server === null ? message('mail.test.unnamed') : message('mail.test', { server })],
      note: message('mail.test.note'),
    };
    await letters.deliver({ email: address }, letter).catch((error: unknown) => {
      throw error instanceof MailFailed ? new OperationRefused(`${error.reason}: ${error.message}`) : error;
    });
    return { sent_to: address };
  }),
};
