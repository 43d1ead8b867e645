import { isRedemption } from './history/grants.ts';
import { finding, lateViolation, notice, type EventRule } from './rule.ts';

const MAX_SECONDS_APART = 60;

export const timeRules: readonly EventRule[] = [
  {
    name: 'expiry-follows-issue',
    description:
      'Nothing expires before it was issued; a violation by up to a minute is a notice, because lifetimes may be ' +
      'very short.',
    check({ event: { type, data }, record }) {
      if (!('expiresAt' in data) || data.expiresAt === null) return undefined;
      const expiresAt = data.expiresAt * 1000;
      return record.recordedAt < expiresAt
        ? undefined
        : lateViolation(record, expiresAt, `${type} was not recorded before its expiry`);
    },
  },
  {
    name: 'refreshes-are-dated-right',
    description:
      'A refresh is recorded within a minute of its decision; a violation is a notice, because clocks are corrected.',
    check({ event: { type, data }, record: { recordedAt } }) {
      if (type !== 'RefreshTokenRotated') return undefined;
      const seconds = Math.abs(recordedAt / 1000 - data.rotatedAt);
      return seconds <= MAX_SECONDS_APART
        ? undefined
        : notice(`the decision to refresh and its record are ${Math.round(seconds)} s apart`);
    },
  },
];

export const clockRules: readonly EventRule[] = [
  {
    name: 'a-clock-set-back-ends-what-was-ahead',
    description:
      'No code or refresh token of a grant that was used while the clock was ahead is used after the clock was set ' +
      'back.',
    check({ event: { type }, record: { stream } }, { grants, clock }) {
      if (!isRedemption(type) && type !== 'RefreshTokenRotated') return undefined;
      const newestEvent = grants.inStream(stream)?.newestEvent;
      const setBack = newestEvent && clock.findSetBackThatEnded(newestEvent);
      if (setBack === undefined) return undefined;
      return finding(`${type} after the clock was set back (position ${setBack.position}), which ended the grant`);
    },
  },
];
