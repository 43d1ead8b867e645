import { isRedemption } from './history/grants.ts';
import { lateViolation, finding, type EventRule } from './rule.ts';

export const codeRules: readonly EventRule[] = [
  {
    name: 'one-code-for-a-consent',
    description: 'A consent leads to at most one code or device code, and to none if it was given with a password.',
    check({ event: { type }, recorded: { stream } }, { grants }) {
      const grant =
        type === 'AuthorizationCodeIssued' || type === 'DeviceAuthorized' ? grants.inStream(stream) : undefined;
      if (grant === undefined) return undefined;
      if (grant.code !== null) return finding('a second code for the same consent');
      return grant.isRefreshTokenDue || grant.refresh !== null
        ? finding('a code for a grant that gets its tokens without one')
        : undefined;
    },
  },
  {
    name: 'a-code-redeems-once',
    description: 'A code or device code is redeemed in its own grant, after its issue, and only once.',
    check({ event: { type, data }, recorded: { stream } }, { grants }) {
      if (type !== 'AuthorizationCodeRedeemed' && type !== 'DeviceCodeRedeemed') return undefined;
      const code = grants.inStream(stream)?.code ?? null;
      if (code === null) return finding('the redeemed code was never issued');
      if (code.isDeviceCode !== (type === 'DeviceCodeRedeemed')) return finding('the code is of another kind');
      if (code.isRedeemed) return finding('the code was already redeemed');
      return code.hash === data.codeHash ? undefined : finding('the redeemed code is not that of the grant');
    },
  },
  {
    name: 'a-code-redeems-in-time',
    description:
      'A code or device code is redeemed before it expires; a violation up to a minute later is a notice, because ' +
      'the decision may be older.',
    check({ event: { type }, recorded }, { grants }) {
      const code = isRedemption(type) ? grants.inStream(recorded.stream)?.code : undefined;
      if (code === undefined || code === null || code.isRedeemed) return undefined;
      const expiredAt = code.expiresAt * 1000;
      return recorded.recordedAt < expiredAt ? undefined : lateViolation(recorded, expiredAt, 'the code had expired');
    },
  },
];
