import type { ClientMetadata } from '../../src/oauth/clients/dynamic/client-metadata.ts';
import { seconds } from './domain-values.ts';
import { memoryUsed } from './heap-used.ts';
import { EDITOR, register } from './registrations.ts';
import { runningService, type RunningService } from './running-service.ts';

/** The lasting effects of a flood of registrations. */
export interface FloodReport {
  readonly registered: number;
  /** The number of events that the flood added to the log. */
  readonly events: number;
  /** The number of clients that exist afterwards. */
  readonly clients: number;
  /** How much more memory the server uses after the second half than after the first, in bytes. */
  readonly memoryGrowthBytes: number;
}

/** The number of concurrent requests, as if from many clients. */
const CONCURRENCY = 50;

/** Allows for uncollected garbage and fixed-size caches. Storing 5,000 registrations would take more. */
export const FLOOD_HEADROOM_BYTES = 4_194_304;

/** Registers a client, and reports whether the server accepted the registration. */
type RegisterOne = (running: RunningService, metadata: ClientMetadata) => Promise<boolean>;

const registerOverHttp: RegisterOne = async (running, metadata) => (await register(running, metadata)).status === 201;

/** Registers a client without HTTP, which would take most of the time. */
export const registerDirectly: RegisterOne = async (running, metadata) => {
  const now = seconds(Math.floor(running.clock.now() / 1000));
  return 'client_id' in (await running.service().dynamicRegistration.register(metadata, now));
};

/** Registers `count` clients, by default over HTTP, and reports the lasting effects. */
export async function floodRegistrations(count: number, registerWith = registerOverHttp): Promise<FloodReport> {
  const running = await runningService({ settings: { dynamicRegistration: 'open' } });
  const eventsBefore = (await running.events()).length;
  let registeredCount = 0;

  async function registerOne(number: number): Promise<void> {
    if (await registerWith(running, { ...EDITOR, client_name: `Editor ${number}` })) registeredCount += 1;
  }

  async function flood(from: number, to: number): Promise<void> {
    for (let start = from; start < to; start += CONCURRENCY)
      await Promise.all(
        Array.from({ length: Math.min(CONCURRENCY, to - start) }, (_, index) => registerOne(start + index)),
      );
  }

  try {
    await flood(0, Math.floor(count / 2));
    const memoryHalfway = memoryUsed();
    await flood(Math.floor(count / 2), count);
    const grownBytes = memoryUsed() - memoryHalfway;
    const clients = running.service().projections.clients.size();
    return {
      registered: registeredCount,
      events: (await running.events()).length - eventsBefore,
      clients,
      memoryGrowthBytes: grownBytes,
    };
  } finally {
    await running.close();
  }
}
