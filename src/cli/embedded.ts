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

/** Creates what `grantlog serve` runs, except for the HTTP server and signal handling of the embedding program. */
export function createEmbedded({ service, dataDir, stopping, log }: EmbeddedDeps): Embedded {
  let running: Promise<RunningServer> | undefined;
  let closed: Promise<void> | undefined;
  void reportFailure(service.log.failed, log);

  async function close(): Promise<void> {
    stopping.abort();
    const started = await running?.catch(() => undefined); // `start` has reported it
    try {
      await started?.stop();
    } finally {
      await service.close();
    }
  }

  return {
    failed: service.log.failed,
    async start({ server } = {}) {
      if (closed !== undefined) throw new Error('this instance was closed; create another one');
      if (running !== undefined) throw new Error('this instance was already started');
      running = startServer({ service, dataDir, servers: server === undefined ? [] : [server], stopping, log });
      try {
        await running;
      } catch (error) {
        running = undefined;
        throw error;
      }
      const link = setupLink(service);
      if (link !== undefined) (log.info ?? log.error).call(log, {}, setupNotice(link));
    },
    close: () => (closed ??= close()),
  };
}

async function reportFailure(failed: Promise<Error>, log: EmbeddedDeps['log']): Promise<void> {
  const error = await failed;
  log.error({ err: error }, 'the event log failed and nothing can be recorded; restart this process');
}
