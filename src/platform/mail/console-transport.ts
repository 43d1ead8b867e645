import type { MailTransport } from './mail-message.ts';

/** Prints each e-mail, for trials. Anyone who reads the output can use the links in the e-mails. */
export function consoleTransport(print: (text: string) => void): MailTransport {
  return {
    async deliver({ from, message: { to, subject, text } }) {
      const indented = text.trimEnd().replaceAll('\n', '\n  ');
      print(`\n  From: ${from}\n  To: ${to}\n  Subject: ${subject}\n\n  ${indented}\n\n`);
    },
    async check() {},
    close() {},
  };
}
