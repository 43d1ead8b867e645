import type { EventLog, StreamName } from '../../event-store/event-log.ts';

/** Reports whether the log contains events in the stream. */
export async function hasEvents(stream: StreamName, log: Pick<EventLog, 'readStream'>): Promise<boolean> {
  for await (const events of log.readStream(stream)) if (events.length > 0) return true;
  return false;
}
