import { decodeEvent } from '../../domain/events.ts';
import { clientStream } from '../../domain/streams.ts';
import type { EventLog } from '../../event-store/event-log.ts';
import type { Client } from '../../projections/clients.ts';

/**
 * Reports whether the client's secret replaced another one immediately, and no token has been issued to the client
 * since.
 */
export async function isSecretNewAndUnused(
  { clientId, lastUse }: Pick<Client, 'clientId' | 'lastUse'>,
  log: Pick<EventLog, 'readStreamBackwards'>,
): Promise<boolean> {
  for await (const events of log.readStreamBackwards(clientStream(clientId))) {
    for (const recordedEvent of events) {
      const { type, data } = decodeEvent(recordedEvent);
      if (type === 'ClientRegistered') return false;
      if (type === 'ClientSecretRotated')
        return data.previousUntil === null && recordedEvent.position > (lastUse.anySecret?.position ?? 0);
    }
  }
  return false;
}
