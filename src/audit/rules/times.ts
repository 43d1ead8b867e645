import { lateViolation, notice, type EventRule } from './rule.ts';

const MAX_SECONDS_APART = 60;

export const timeRules: readonly EventRule[] = [
  {
    name: 'expiry-follows-issue',
    says: 'Whatever expires does so after it was issued; up to a minute before the record is a notice, for very short lifetimes.',
    check({ event: { data }, recorded }) {
      if (!('expiresAt' in data) || data.expiresAt === null) return undefined;
      const expiresAt = data.expiresAt * 1000;
      return recorded.recordedAt < expiresAt
        ? undefined
        : lateViolation(recorded, expiresAt, 'expired before it was issued');
    },
  },
  {
    name: 'refreshes-are-dated-right',
    says: 'A refresh says it was decided within a minute of its record; a notice, for clocks get corrected.',
    check({ event: { type, data }, recorded: { recordedAt } }) {
      if (type !== 'RefreshTokenRotated') return undefined;
      const seconds = Math.abs(recordedAt / 1000 - data.rotatedAt);
      return seconds <= MAX_SECONDS_APART ? undefined : notice(`decided and recorded ${Math.round(seconds)} s apart`);
    },
  },
];
