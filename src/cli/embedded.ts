import type { Server } from 'node:http';
import type { EventLog } from '../event-store/event-log.ts';
import { startServer, type RunningServer, type ServedService } from './running-server.ts';
import { setupLink, setupNotice } from './setup-link.ts';

interface EmbeddedService extends ServedService {
  readonly log: ServedService['log'] & Pick<EventLog, 'failed'>;
  close(): Promise<void>;
}

type LogMethod = (fields: Readonly<Record<string, unknown>>, message: string) => void;

export interface EmbeddedDeps {
  readonly service: EmbeddedService;
  readonly dataDir: string;
  readonly stopping: AbortController;
  readonly log: { readonly error: LogMethod; readonly info?: LogMethod };
}

/** A server embedded in another program. */
export interface Embedded {
  start(options?: { readonly server?: Server }): Promise<void>;
  close(): Promise<void>;
  readonly failed: Promise<Error>;
}

/** Creates the server that `grantlog serve` runs, for a program with its own HTTP server and signal handling. */
export function createEmbedded({ service, dataDir, stopping, log }: EmbeddedDeps): Embedded {
  let startPromise: Promise<RunningServer> | undefined;
  let closePromise: Promise<void> | undefined;
  void reportFailure(service.log.failed, log);

  async function close(): Promise<void> {
    stopping.abort();
    const server = await startPromise?.catch(() => undefined); // `start` has already reported the error
    try {
      await server?.stop();
    } finally {
      await service.close();
    }
  }

  return {
    failed: service.log.failed,
    async start({ server } = {}) {
      if (closePromise !== undefined) throw new Error('this instance has been closed; create a new one');
      if (startPromise !== undefined) throw new Error('this instance has already been started');
      startPromise = startServer({ service, dataDir, servers: server === undefined ? [] : [server], stopping, log });
      try {
        await startPromise;
      } catch (error) {
        startPromise = undefined;
        throw error;
      }
      const link = setupLink(service);
      if (link !== undefined) (log.info ?? log.error).call(log, {}, setupNotice(link));
    },
    close: () => (closePromise ??= close()),
  };
}

async function reportFailure(failed: Promise<Error>, log: EmbeddedDeps['log']): Promise<void> {
  const error = await failed;
  log.error({ err: error }, 'the event log failed and nothing can be recorded; restart this process');
}
