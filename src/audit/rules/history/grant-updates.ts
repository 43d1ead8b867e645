import type { Management } from '../../../domain/events.ts';
import type { StreamName } from '../../../event-store/event-log.ts';
import type { AuditedEvent } from '../audited-event.ts';
import { grantStreamOf } from './exchanges.ts';
import { isRedemption } from './grants.ts';

/** The end of an earlier grant that must follow in the append that redeems the code of an update. */
interface ExpectedEnd {
  readonly replacedStream: StreamName;
  /** The stream of the grant that replaces it. */
  readonly replacementStream: StreamName;
}

/** The managed grants, according to the log. */
export interface GrantUpdateHistory {
  /** Returns undefined if the grant of the stream is not managed. */
  managementOf(stream: StreamName): Management | undefined;
  expectedEnd(): ExpectedEnd | undefined;
  apply(auditedEvent: AuditedEvent): void;
}

export function createGrantUpdateHistory(): GrantUpdateHistory {
  const byStream = new Map<StreamName, Management>();
  let expected: ExpectedEnd | undefined;
  return {
    managementOf: (stream) => byStream.get(stream),
    expectedEnd: () => expected,
    apply({ event: { type, data }, record: { stream } }) {
      if (type === 'ConsentGiven' && data.management !== undefined) byStream.set(stream, data.management);
      const updates = isRedemption(type) ? byStream.get(stream)?.updates : undefined;
      if (updates !== undefined) expected = { replacedStream: grantStreamOf(updates), replacementStream: stream };
      else if (stream !== expected?.replacementStream) expected = undefined;
    },
  };
}
