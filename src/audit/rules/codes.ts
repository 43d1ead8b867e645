import { isRedemption } from './history/grants.ts';
import { lateViolation, finding, type EventRule } from './rule.ts';

export const codeRules: readonly EventRule[] = [
  {
    name: 'one-code-for-a-consent',
    description: 'A consent leads to at most one code or device code, and to none if it was given with a password.',
    check({ event: { type }, record: { stream } }, { grants }) {
      const grant =
        type === 'AuthorizationCodeIssued' || type === 'DeviceAuthorized' ? grants.inStream(stream) : undefined;
      if (grant === undefined) return undefined;
      if (grant.code !== null) return finding('the consent already has a code');
      return grant.isRefreshTokenDue || grant.refreshToken !== null
        ? finding('the grant gets its tokens without a code')
        : undefined;
    },
  },
  {
    name: 'a-code-redeems-once',
    description: 'A code or device code is redeemed in its own grant, after it was issued, and only once.',
    check({ event: { type, data }, record: { stream } }, { grants }) {
      if (type !== 'AuthorizationCodeRedeemed' && type !== 'DeviceCodeRedeemed') return undefined;
      const code = grants.inStream(stream)?.code ?? null;
      if (code === null) return finding('the redeemed code was never issued');
      if (code.isDeviceCode !== (type === 'DeviceCodeRedeemed')) return finding('the code is of the wrong kind');
      if (code.isRedeemed) return finding('the code was already redeemed');
      return code.hash === data.codeHash ? undefined : finding('the redeemed code does not belong to the grant');
    },
  },
  {
    name: 'a-code-redeems-in-time',
    description:
      'A code or device code is redeemed before it expires; a violation up to a minute later is a notice, because ' +
      'the decision may be older.',
    check({ event: { type }, record }, { grants }) {
      const code = isRedemption(type) ? grants.inStream(record.stream)?.code : undefined;
      if (code === undefined || code === null || code.isRedeemed) return undefined;
      const expiredAt = code.expiresAt * 1000;
      return record.recordedAt < expiredAt ? undefined : lateViolation(record, expiredAt, 'the code had expired');
    },
  },
];
