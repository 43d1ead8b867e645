import { decodeUntrustedEvent, InvalidEvent } from '../../domain/events.ts';
import { finding, notice, type EnvelopeRule } from './rule.ts';

const CLOCK_STEP_SECONDS = 60;
/** W3C Trace Context, version 00. */
const TRACEPARENT = /^00-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;

export const envelopeRules: readonly EnvelopeRule[] = [
  {
    name: 'positions-without-gap',
    says: 'The positions of the log begin at 1 and have neither a gap nor a repeat.',
    check({ position }, { newest }) {
      const before = newest()?.position ?? 0;
      return position === before + 1 ? undefined : finding(`position ${position} follows position ${before}`);
    },
  },
  {
    name: 'revisions-without-gap',
    says: 'The revisions of each stream begin at 1 and have neither a gap nor a repeat.',
    check({ stream, revision }, { revisions }) {
      const before = revisions.get(stream) ?? 0;
      return revision === before + 1 ? undefined : finding(`revision ${revision} follows revision ${before}`);
    },
  },
  {
    name: 'clock-goes-forward',
    says: 'No event is recorded more than a minute before the event in front of it; a notice, for clocks get corrected, but expiries hang on them.',
    check({ recordedAt }, { newest }) {
      const seconds = ((newest()?.recordedAt ?? recordedAt) - recordedAt) / 1000;
      return seconds <= CLOCK_STEP_SECONDS ? undefined : notice(`the clock went back by ${Math.round(seconds)} s`);
    },
  },
  {
    name: 'traces-are-of-a-request',
    says: 'A trace in an envelope is one that W3C Trace Context knows, and stands beside the id of the request that brought it.',
    check({ requestId, traceparent }) {
      if (traceparent === undefined) return undefined;
      if (typeof traceparent !== 'string' || !TRACEPARENT.test(traceparent))
        return finding('the trace context is malformed');
      return requestId === null ? finding('the record has a trace context and no request') : undefined;
    },
  },
];

/** Decides as well whether the other rules can look at what the record says. */
export const schemaRule: EnvelopeRule = {
  name: 'records-follow-their-schema',
  says: 'Every record is of a known type and version and follows its schema; one that does not is not looked at any further.',
  check(recorded) {
    if (!Number.isSafeInteger(recorded.recordedAt)) return finding('the record does not say when it was made');
    try {
      decodeUntrustedEvent(recorded);
      return undefined;
    } catch (error) {
      if (error instanceof InvalidEvent) return finding(error.message);
      throw error;
    }
  },
};
