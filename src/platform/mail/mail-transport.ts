import type { StartTimer } from '../ports.ts';
import { consoleTransport } from './console-transport.ts';
import { fileTransport } from './file-transport.ts';
import type { MailTransport } from './mail-message.ts';
import type { MailTarget } from './mail-target.ts';
import { smtpTransport } from './smtp-transport.ts';

export interface MailTransportDeps {
  readonly startTimer: StartTimer;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly mintId: () => string;
  /** Prints e-mails for the `console` target. */
  readonly print: (text: string) => void;
}

/** Creates the transport for a target. */
export function createMailTransport(target: MailTarget, deps: MailTransportDeps): MailTransport {
  switch (target.kind) {
    case 'console':
      return consoleTransport(deps.print);
    case 'file':
      return fileTransport({ ...deps, directory: target.directory });
    case 'smtp':
      return smtpTransport(target, deps.startTimer);
  }
}
