import { isSameConfirmation } from '../../domain/confirmation.ts';
import { finding, type EventRule } from './rule.ts';

/** Rules for codes and tokens that only the holder of a key or certificate can use (RFC 9449, RFC 8705). */
export const boundTokenRules: readonly EventRule[] = [
  {
    name: 'a-bound-code-gives-bound-tokens',
    description: 'If a code is bound to a key, the access token that it is redeemed for is bound to that key.',
    check({ event: { type, data }, record: { stream } }, { grants }) {
      const grant = type === 'AccessTokenIssued' ? grants.inStream(stream) : undefined;
      const thumbprint = grant?.code?.dpopJkt;
      if (type !== 'AccessTokenIssued' || thumbprint === undefined || grant?.refreshToken !== null) return undefined;
      return isSameConfirmation(data.confirmation, { method: 'jkt', thumbprint })
        ? undefined
        : finding('the access token is not bound to the key that its code was bound to');
    },
  },
  {
    name: 'a-refresh-keeps-the-binding',
    description:
      'If a refresh token is bound to a key or certificate, the access token issued with it and all later ones of ' +
      'its grant are bound to the same one.',
    check({ event: { type, data }, record: { stream } }, { grants }) {
      const grant = grants.inStream(stream);
      if (grant === undefined || (type !== 'AccessTokenIssued' && type !== 'RefreshTokenIssued')) return undefined;
      const refreshBinding = type === 'RefreshTokenIssued' ? data.confirmation : grant.refreshToken?.confirmation;
      const accessBinding = type === 'RefreshTokenIssued' ? grant.accessToken?.confirmation : data.confirmation;
      return refreshBinding === undefined || isSameConfirmation(refreshBinding, accessBinding)
        ? undefined
        : finding('the access token is not bound to the same key or certificate as the refresh token');
    },
  },
];
