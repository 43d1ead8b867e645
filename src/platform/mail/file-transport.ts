import { constants } from 'node:fs';
import { access, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MailError } from './mail-failed.ts';
import type { MailTransport } from './mail-message.ts';

export interface FileTransportDeps {
  readonly directory: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Unique for each e-mail. */
  readonly mintId: () => string;
}

/**
 * Writes each e-mail to a separate file, named after the time, for trials or for another program to send. Files with
 * the extension .eml are complete.
 */
export function fileTransport({ directory, now, mintId }: FileTransportDeps): MailTransport {
  async function prepareDirectory(): Promise<void> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await access(directory, constants.W_OK);
  }

  return {
    async deliver({ bytes }) {
      const time = new Date(now()).toISOString().replaceAll(/[-:.]/g, '');
      const path = join(directory, `${time}-${mintId()}.eml`);
      const temporaryPath = `${path}.draft`;
      try {
        await prepareDirectory();
        const file = await open(temporaryPath, 'wx', 0o600);
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(temporaryPath, path);
      } catch (error) {
        await rm(temporaryPath, { force: true }).catch(() => {}); // the first error is reported
        throw unwritableError(directory, error);
      }
    },
    check: () =>
      prepareDirectory().catch((error: unknown) => {
        throw unwritableError(directory, error);
      }),
    close() {},
  };
}

function unwritableError(directory: string, cause: unknown): MailError {
  const { code = String(cause) } = cause as NodeJS.ErrnoException;
  return new MailError('unwritable', `cannot write e-mails to ${directory} (${code})`, undefined, { cause });
}
