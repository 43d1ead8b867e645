import { finding, type EventRule } from './rule.ts';

export const clockRules: readonly EventRule[] = [
  {
    name: 'a-clock-set-back-ends-what-was-ahead',
    description:
      'After the clock was set back, no code or refresh token is used of a grant that was used while the clock was ahead.',
    check({ event: { type }, recorded: { stream } }, { grants, clock }) {
      if (type !== 'AuthorizationCodeRedeemed' && type !== 'RefreshTokenRotated') return undefined;
      const newest = grants.inStream(stream)?.newestEvent;
      const setBack = newest && clock.findSetBackThatEnded(newest);
      if (setBack === undefined) return undefined;
      return finding(`${type} after the clock was set back (position ${setBack.position}), which ended the grant`);
    },
  },
];
