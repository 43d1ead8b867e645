import type { EventOf } from '../domain/events.ts';
import { unusedClient } from '../domain/unused-client.ts';
import type { RecordedEvent } from '../event-store/event-log.ts';
import { recordedSecond } from '../domain/recorded-second.ts';

/**
 * Returns the client that the accepted document describes.
 * @param earlierClient the client with its earlier document, or undefined if this is its first document
 */
export function describedClient<Known extends object>(
  { clientId, hash, document: _document, ...settings }: EventOf<'ClientDocumentAccepted'>['data'],
  earlierClient: Known | undefined,
  event: RecordedEvent,
) {
  const { revision, position } = event;
  const registration = { registeredAt: recordedSecond(event), registeredPosition: position };
  return { ...unusedClient(clientId), ...registration, ...earlierClient, ...settings, document: { hash }, revision };
}
