import type { DomainEvent } from '../../domain/events.ts';
import type { RecordedEvent } from '../../event-store/event-log.ts';

/** An event that matches its schema, and its record. */
export interface AuditedEvent {
  readonly event: DomainEvent;
  readonly record: RecordedEvent;
}
