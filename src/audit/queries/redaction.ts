import type { RecordedEvent } from '../../event-store/event-log.ts';

/** Events of these types may contain a client secret's hash, which earlier releases recorded unsealed. */
const SECRET_EVENT_TYPES: ReadonlySet<string> = new Set([
  'ClientRegistered',
  'ClientSecretRotated',
  'ClientSecretRehashed',
]);

/** Hashes that do not help anyone guess a secret: the secret has 256 random bits, or the hash is sealed. */
const SAFE_ALGORITHMS: ReadonlySet<unknown> = new Set(['sha256', 'sealed']);

type DataWithSecret = Readonly<Record<string, unknown>> & { readonly secret: { readonly algorithm?: unknown } };

/**
 * Returns the event without the hash of a user-chosen client secret, or the event itself if it contains no such hash.
 * A redacted record differs from the stored one, so no proof covers it.
 */
export function redactUserChosenSecret(event: RecordedEvent): RecordedEvent {
  if (!hasUserChosenSecret(event)) return event;
  const data = redact(event.data);
  return { ...event, data, record: JSON.stringify({ ...(JSON.parse(event.record) as object), data }) };
}

/** Returns the event as `reader` may see it: only administrators see everything. Checks the role only if needed. */
export function redactFor(reader: { isAdministrator(): boolean }, event: RecordedEvent): RecordedEvent {
  const redactedEvent = redactUserChosenSecret(event);
  return redactedEvent === event || reader.isAdministrator() ? event : redactedEvent;
}

/** Returns an event's data without the hash of a user-chosen client secret. */
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
