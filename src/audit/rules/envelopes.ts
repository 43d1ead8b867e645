import { decodeUntrustedEvent, InvalidEventError } from '../../domain/events.ts';
import { finding, notice, type EnvelopeRule } from './rule.ts';

const MAX_CLOCK_STEP_SECONDS = 60;
/** The value of a `traceparent` header (W3C Trace Context, version 00). */
const TRACEPARENT = /^00-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;

export const envelopeRules: readonly EnvelopeRule[] = [
  {
    name: 'positions-without-gap',
    description: 'The positions of the log start at 1, without gaps or repetitions.',
    check({ position }, { previous }) {
      const previousPosition = previous()?.position ?? 0;
      return position === previousPosition + 1
        ? undefined
        : finding(`position ${position} follows position ${previousPosition}`);
    },
  },
  {
    name: 'revisions-without-gap',
    description: 'The revisions of each stream start at 1, without gaps or repetitions.',
    check({ stream, revision }, { revisions }) {
      const previousRevision = revisions.get(stream) ?? 0;
      return revision === previousRevision + 1
        ? undefined
        : finding(`revision ${revision} follows revision ${previousRevision}`);
    },
  },
  {
    name: 'clock-goes-forward',
    description:
      'No event is recorded more than a minute before the previous event; a violation is only a notice, because ' +
      'correcting a clock has this effect, but deserves attention, because expiry depends on the clock.',
    check({ recordedAt }, { previous }) {
      const seconds = ((previous()?.recordedAt ?? recordedAt) - recordedAt) / 1000;
      return seconds <= MAX_CLOCK_STEP_SECONDS ? undefined : notice(`the clock went back by ${Math.round(seconds)} s`);
    },
  },
  {
    name: 'traces-are-of-a-request',
    description: 'A trace in an envelope is valid W3C Trace Context, and its request has an id.',
    check({ requestId, traceparent }) {
      if (traceparent === undefined) return undefined;
      if (typeof traceparent !== 'string' || !TRACEPARENT.test(traceparent))
        return finding('the trace context is malformed');
      return requestId === null ? finding('the record has a trace context but no request') : undefined;
    },
  },
];

/** If an event violates this rule, the rules about its data are skipped. */
export const schemaRule: EnvelopeRule = {
  name: 'records-follow-their-schema',
  description:
    'Every record has a known type and version and matches its schema; the rules about the data of events skip a ' +
    'record that does not.',
  check(record) {
    if (!Number.isSafeInteger(record.recordedAt)) return finding('the record has no valid time');
    try {
      decodeUntrustedEvent(record);
      return undefined;
    } catch (error) {
      if (error instanceof InvalidEventError) return finding(error.message);
      throw error;
    }
  },
};
