import { z } from 'zod';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { formatLetter } from '../platform/mail/letter.ts';
import { MailFailed } from '../platform/mail/mail-failed.ts';
import { isMailAddress } from '../platform/mail/mail-sender.ts';
import { operation, type Operation } from './operation.ts';
import { OperationRefused } from './control/operation-refused.ts';

const input = z.strictObject({ address: z.string().max(OPERATION_TEXTS.ruled) });

export const mailOperations: Readonly<Record<string, Operation>> = {
  'mail test': operation(input, async ({ address }, { mailer, issuer }) => {
    if (!isMailAddress(address)) throw new OperationRefused(`${JSON.stringify(address)} is not an e-mail address`);
    const server = issuer() ?? 'this server';
    const letter = formatLetter({
      paragraphs: [`${server} can send mail. You need not do anything.`],
      note: 'The operator of the server sent this mail with grantlog mail test.',
    });
    await mailer.deliver({ to: address, subject: `Test mail from ${server}`, ...letter }).catch((error: unknown) => {
      throw error instanceof MailFailed ? new OperationRefused(`${error.reason}: ${error.message}`) : error;
    });
    return { sent_to: address };
  }),
};
