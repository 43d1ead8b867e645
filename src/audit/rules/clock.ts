import { finding, type EventRule } from './rule.ts';

export const clockRules: readonly EventRule[] = [
  {
    name: 'a-clock-set-back-ends-what-was-ahead',
    says: 'Once the clock was set back, no code is redeemed and no token refreshed of a grant that was used ahead of it.',
    check({ event: { type }, recorded: { stream } }, { grants, clock }) {
      if (type !== 'AuthorizationCodeRedeemed' && type !== 'RefreshTokenRotated') return undefined;
      const newest = grants.inStream(stream)?.newest;
      const setBack = newest && clock.findSetBackThatEnded(newest);
      if (setBack === undefined) return undefined;
      return finding(`${type} after the clock was set back (position ${setBack.position}), which ended the grant`);
    },
  },
];
