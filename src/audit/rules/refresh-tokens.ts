import { finding, type FactRule } from '../rule.ts';

export const refreshTokenRules: readonly FactRule[] = [
  {
    name: 'refresh-tokens-form-a-line',
    says: "A grant has one first refresh token, and each rotation spends the newest one: none is spent twice, and none has two successors.",
    check({ event: { type, data }, recorded: { stream } }, { grants }) {
      const newest = grants.in(stream)?.refresh ?? null;
      if (type === 'RefreshTokenIssued') return newest === null ? undefined : finding('a second first refresh token');
      if (type !== 'RefreshTokenRotated') return undefined;
      if (newest === null) return finding('a rotation where no refresh token was issued');
      return data.spentHash === newest.currentHash ? undefined : finding('the refresh token spent is not the newest of its grant');
    },
  },
  {
    name: 'a-refresh-token-is-spent-in-time',
    says: 'A refresh token is spent before it expires, by the time that the decision was made at.',
    check({ event: { type, data }, recorded: { stream } }, { grants }) {
      const expiresAt = type === 'RefreshTokenRotated' ? grants.in(stream)?.refresh?.expiresAt : undefined;
      if (type !== 'RefreshTokenRotated' || typeof expiresAt !== 'number') return undefined;
      return data.rotatedAt < expiresAt ? undefined : finding(`the refresh token had expired ${data.rotatedAt - expiresAt} s before`);
    },
  },
];
