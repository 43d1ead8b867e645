import { lateViolation, finding, type EventRule } from './rule.ts';

export const codeRules: readonly EventRule[] = [
  {
    name: 'one-code-for-a-consent',
    says: 'A consent that was not given with a password is answered with one code, and one with a password with none.',
    check({ event: { type }, recorded: { stream } }, { grants }) {
      const grant = type === 'AuthorizationCodeIssued' ? grants.inStream(stream) : undefined;
      if (grant === undefined) return undefined;
      if (grant.code !== null) return finding('a second code for one consent');
      return grant.refreshDue || grant.refresh !== null
        ? finding('a code for a grant that tokens were issued for already')
        : undefined;
    },
  },
  {
    name: 'a-code-redeems-once',
    says: 'A code is redeemed in its own grant, after it was issued, and once.',
    check({ event: { type, data }, recorded: { stream } }, { grants }) {
      if (type !== 'AuthorizationCodeRedeemed') return undefined;
      const code = grants.inStream(stream)?.code ?? null;
      if (code === null) return finding('a code is redeemed that was never issued');
      if (code.isRedeemed) return finding("the grant's code was redeemed before");
      return code.hash === data.codeHash ? undefined : finding("another code than the grant's is redeemed");
    },
  },
  {
    name: 'a-code-redeems-in-time',
    says: 'A code is redeemed before it expires; up to a minute after is a notice, for that long a request may have been on its way.',
    check({ event: { type }, recorded }, { grants }) {
      const code = type === 'AuthorizationCodeRedeemed' ? grants.inStream(recorded.stream)?.code : undefined;
      if (code === undefined || code === null || code.isRedeemed) return undefined;
      const expiredAt = code.expiresAt * 1000;
      return recorded.recordedAt < expiredAt ? undefined : lateViolation(recorded, expiredAt, 'the code had expired');
    },
  },
];
