import { checkRecorded, InvalidEvent } from '../../domain/events.ts';
import { finding, notice, type EnvelopeRule } from '../rule.ts';

const CLOCK_STEP_SECONDS = 60;

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
];

/** Decides as well whether the other rules can look at what the record says. */
export const schemaRule: EnvelopeRule = {
  name: 'records-follow-their-schema',
  says: 'Every record is of a known type and version and follows its schema; one that does not is not looked at any further.',
  check(recorded) {
    if (!Number.isSafeInteger(recorded.recordedAt)) return finding('the record does not say when it was made');
    try {
      checkRecorded(recorded);
      return undefined;
    } catch (error) {
      if (error instanceof InvalidEvent) return finding(error.message);
      throw error;
    }
  },
};
