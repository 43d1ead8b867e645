import { memoryUsed } from './heap-used.ts';
import { EDITOR, register } from './registrations.ts';
import { runningService } from './running-service.ts';

/** What is left of a flood of registrations. */
export interface FloodReport {
  readonly registered: number;
  /** The events that it added to the log. */
  readonly events: number;
  /** The clients that the server knows afterwards. */
  readonly clients: number;
  /** How much more memory the server uses after the second half than after the first, in bytes. */
  readonly grownBytes: number;
}

/** At a time, as many programs would. */
const CONCURRENT = 50;

/** Registers programs over HTTP, and reports what that leaves behind. */
export async function floodRegistrations(count: number): Promise<FloodReport> {
  const running = await runningService({ settings: { dynamicRegistration: 'open' } });
  const before = (await running.events()).length;
  let registered = 0;

  async function registerOne(at: number): Promise<void> {
    const { status } = await register(running, { ...EDITOR, client_name: `Editor ${at}` });
    if (status === 201) registered += 1;
  }

  async function flood(from: number, to: number): Promise<void> {
    for (let at = from; at < to; at += CONCURRENT)
      await Promise.all(Array.from({ length: Math.min(CONCURRENT, to - at) }, (_, index) => registerOne(at + index)));
  }

  try {
    await flood(0, Math.floor(count / 2));
    const halfway = memoryUsed();
    await flood(Math.floor(count / 2), count);
    const grownBytes = memoryUsed() - halfway;
    const clients = running.service().projections.clients.size();
    return { registered, events: (await running.events()).length - before, clients, grownBytes };
  } finally {
    await running.close();
  }
}
