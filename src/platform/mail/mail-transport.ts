import type { StartTimer } from '../ports.ts';
import { consoleTransport } from './console-transport.ts';
import { fileTransport } from './file-transport.ts';
import type { MailTransport } from './mail-message.ts';
import type { MailTarget } from './mail-target.ts';
import { smtpTransport } from './smtp-transport.ts';

export interface MailTransportParts {
  readonly startTimer: StartTimer;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly mintId: () => string;
  /** Prints the mails of the target `console`. */
  readonly print: (text: string) => void;
}

/** Creates the transport to a target. */
export function createMailTransport(target: MailTarget, parts: MailTransportParts): MailTransport {
  switch (target.kind) {
    case 'console':
      return consoleTransport(parts.print);
    case 'file':
      return fileTransport({ ...parts, directory: target.directory });
    case 'smtp':
      return smtpTransport(target, parts.startTimer);
  }
}
