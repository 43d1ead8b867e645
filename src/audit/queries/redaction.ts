import type { RecordedEvent } from '../../event-store/event-log.ts';

/** Events of these types contain a client secret's hash. Earlier releases recorded all of them without a seal. */
const SECRET_EVENT_TYPES: ReadonlySet<string> = new Set([
  'ClientRegistered',
  'ClientSecretRotated',
  'ClientSecretRehashed',
]);

/** Kinds that help nobody to guess a secret: of 256 random bits, or under a seal. */
const SAFE_ALGORITHMS: ReadonlySet<unknown> = new Set(['sha256', 'sealed']);

type DataWithSecret = Readonly<Record<string, unknown>> & { readonly secret: { readonly algorithm?: unknown } };

/**
 * The event without the hash of a chosen client secret, or the event itself if it contains none. The record of an
 * event that lacks its hash is not the stored one, and no proof holds for it.
 */
export function redactUserChosenSecret(event: RecordedEvent): RecordedEvent {
  if (!hasUserChosenSecret(event)) return event;
  const data = redact(event.data);
  return { ...event, data, record: JSON.stringify({ ...(JSON.parse(event.record) as object), data }) };
}

/** The event as a reader sees it: administrators see everything. Their role is asked about only where it matters. */
export function redactFor(reader: { isAdministrator(): boolean }, event: RecordedEvent): RecordedEvent {
  const redacted = redactUserChosenSecret(event);
  return redacted === event || reader.isAdministrator() ? event : redacted;
}

/** An event's data without the hash of a chosen client secret. */
export function redactedData(event: Pick<RecordedEvent, 'type' | 'data'>): unknown {
  return hasUserChosenSecret(event) ? redact(event.data) : event.data;
}

function redact(data: DataWithSecret): object {
  return { ...data, secret: { algorithm: data.secret.algorithm, redacted: true } };
}

function hasUserChosenSecret<Event extends Pick<RecordedEvent, 'type' | 'data'>>(
  event: Event,
): event is Event & { readonly data: DataWithSecret } {
  if (!SECRET_EVENT_TYPES.has(event.type)) return false;
  const { secret } = event.data as { readonly secret?: { readonly algorithm?: unknown } | null };
  return typeof secret === 'object' && secret !== null && !SAFE_ALGORITHMS.has(secret.algorithm);
}
