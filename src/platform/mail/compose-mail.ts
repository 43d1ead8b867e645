import MailComposer from 'nodemailer/lib/mail-composer';
import { senderAddress } from './mail-sender.ts';
import type { ComposedMail, InlineImage, MailMessage } from './mail-message.ts';

/** Data that is added to a message when it is sent. */
export interface MailMetadata {
  /** The sender: an address, or a name with an address in angle brackets. */
  readonly from: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Unique for each e-mail. */
  readonly id: string;
}

/** Formats an e-mail for sending. The Message-ID contains the sender's domain, not the private host name. */
export async function composeMail(message: MailMessage, { from, now, id }: MailMetadata): Promise<ComposedMail> {
  const { to, language, subject, text, html, images = [] } = message;
  const sender = senderAddress(from);
  const node = new MailComposer({
    from,
    to: { name: '', address: to }, // unlike a string, an object is not searched for more addresses
    subject,
    text,
    ...(html !== undefined && { html, attachments: images.map(inlineAttachment) }),
    date: new Date(now),
    messageId: `<${id}@${sender.slice(sender.lastIndexOf('@') + 1)}>`,
    headers: {
      'Auto-Submitted': 'auto-generated', // RFC 3834: suppresses automatic replies
      ...(language !== undefined && { 'Content-Language': language }),
    },
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  return { from: sender, to, bytes: await node.build(), message };
}

function inlineAttachment({ contentId, mediaType, base64 }: InlineImage) {
  return {
    cid: contentId,
    content: Buffer.from(base64, 'base64'),
    contentType: mediaType,
    contentDisposition: 'inline' as const,
    filename: mediaType.replace('/', '.'), // such as image.png: some mail clients show unnamed images as unknown files
  };
}
