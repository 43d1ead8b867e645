import type { MailMessage, MailTransport } from '../../src/platform/mail/mail-message.ts';

/** Collects the e-mails that a service sends. */
export interface Mailbox {
  readonly transport: MailTransport;
  readonly emails: readonly MailMessage[];
  /** Resolves with the newest e-mail once there are `count` of them. */
  waitFor(count: number): Promise<MailMessage>;
  /** Returns the path and query of the link in an e-mail. */
  linkIn(mail: MailMessage): string;
}

/** @param isCollected whether to collect an e-mail; by default, all e-mails are collected */
export function mailbox(isCollected: (mail: MailMessage) => boolean = () => true): Mailbox {
  const emails: MailMessage[] = [];
  const pending: { readonly count: number; readonly resolve: (mail: MailMessage) => void }[] = [];
  return {
    emails,
    transport: {
      async deliver({ message }) {
        if (!isCollected(message)) return;
        emails.push(message);
        for (const { count, resolve } of pending) if (emails.length >= count) resolve(message);
      },
      async check() {},
      close() {},
    },
    waitFor(count) {
      const newest = emails.at(-1);
      if (emails.length >= count && newest !== undefined) return Promise.resolve(newest);
      return new Promise((resolve) => pending.push({ count, resolve }));
    },
    linkIn({ text }) {
      const [url] = /https?:\/\/\S+\?token=\S+/.exec(text) ?? [];
      if (url === undefined) throw new Error(`no link in ${text}`);
      const { pathname, search } = new URL(url);
      return `${pathname}${search}`;
    },
  };
}
