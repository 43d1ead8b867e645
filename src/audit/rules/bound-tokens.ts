import { isSameConfirmation } from '../../domain/confirmation.ts';
import { finding, type EventRule } from './rule.ts';

/** Codes and tokens that only the holder of a key or certificate can use (RFC 9449, RFC 8705). */
export const boundTokenRules: readonly EventRule[] = [
  {
    name: 'a-bound-code-gives-bound-tokens',
    description: 'If a code was requested for a key, the access token that it is redeemed for is bound to that key.',
    check({ event: { type, data }, recorded: { stream } }, { grants }) {
      const grant = type === 'AccessTokenIssued' ? grants.inStream(stream) : undefined;
      const thumbprint = grant?.code?.dpopJkt;
      if (type !== 'AccessTokenIssued' || thumbprint === undefined || grant?.refresh !== null) return undefined;
      return isSameConfirmation(data.confirmation, { method: 'jkt', thumbprint })
        ? undefined
        : finding('the access token is not bound to the key of its code');
    },
  },
  {
    name: 'a-refresh-keeps-the-binding',
    description:
      'A refresh token is bound to the key of the access token issued with it, or to none; if it is bound, so is ' +
      'each later access token of its grant, to the same key.',
    check({ event: { type, data }, recorded: { stream } }, { grants }) {
      const grant = grants.inStream(stream);
      if (grant === undefined || (type !== 'AccessTokenIssued' && type !== 'RefreshTokenIssued')) return undefined;
      const refreshBinding = type === 'RefreshTokenIssued' ? data.confirmation : grant.refresh?.confirmation;
      const accessBinding = type === 'RefreshTokenIssued' ? grant.access?.confirmation : data.confirmation;
      return refreshBinding === undefined || isSameConfirmation(refreshBinding, accessBinding)
        ? undefined
        : finding('the refresh token and the access token are bound to different keys');
    },
  },
];
