import { lateViolation, notice, type EventRule } from './rule.ts';

const MAX_SECONDS_APART = 60;

export const timeRules: readonly EventRule[] = [
  {
    name: 'expiry-follows-issue',
    description:
      'Nothing expires before it was issued; up to a minute before is a notice, because lifetimes may be very short.',
    check({ event: { data }, recorded }) {
      if (!('expiresAt' in data) || data.expiresAt === null) return undefined;
      const expiresAt = data.expiresAt * 1000;
      return recorded.recordedAt < expiresAt
        ? undefined
        : lateViolation(recorded, expiresAt, 'it expired before it was issued');
    },
  },
  {
    name: 'refreshes-are-dated-right',
    description: 'A refresh is recorded within a minute of its decision; a notice, because clocks get corrected.',
    check({ event: { type, data }, recorded: { recordedAt } }) {
      if (type !== 'RefreshTokenRotated') return undefined;
      const seconds = Math.abs(recordedAt / 1000 - data.rotatedAt);
      return seconds <= MAX_SECONDS_APART ? undefined : notice(`decided and recorded ${Math.round(seconds)} s apart`);
    },
  },
];
