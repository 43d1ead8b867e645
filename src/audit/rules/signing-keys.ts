import { finding, lateViolation, type EventRule } from './rule.ts';

export const signingKeyRules: readonly EventRule[] = [
  {
    name: 'signing-keys-have-ids-of-their-own',
    description: 'No two signing keys have the same id, and the period of each ends after it begins.',
    check({ event: { type, data } }, { signingKeys }) {
      if (type !== 'SigningKeyIntroduced') return undefined;
      if (signingKeys.find(data.kid) !== undefined) return finding(`the key id ${data.kid} was already used`);
      return data.from < data.until
        ? undefined
        : finding(`the period of the key ${data.kid} does not end after it begins`);
    },
  },
  {
    name: 'signing-keys-are-retired-once',
    description:
      'A signing key is retired once, after it was introduced; unless the operator retired it, every token that it ' +
      'signed has expired.',
    check({ event: { type, data }, record: { recordedAt } }, { signingKeys }) {
      if (type !== 'SigningKeyRetired') return undefined;
      const key = signingKeys.find(data.kid);
      if (key === undefined) return finding(`the key ${data.kid} was never introduced`);
      if (key.retiredAt !== null) return finding(`the key ${data.kid} was already retired`);
      return data.reason === 'expired' && recordedAt < key.lastExpiry * 1000
        ? finding(`a token that the key ${data.kid} signed had not expired`)
        : undefined;
    },
  },
  {
    name: 'tokens-are-signed-by-current-keys',
    description:
      "Every signed token was signed by an introduced key, with the key's algorithm, before the key's period ended " +
      'and before it was retired; a violation up to a minute later is a notice.',
    check({ event: { type, data }, record }, { signingKeys }) {
      if ((type !== 'AccessTokenIssued' && type !== 'IdTokenIssued') || data.kid === undefined) return undefined;
      const key = signingKeys.find(data.kid);
      if (key === undefined) return finding(`the token was signed by the key ${data.kid}, which was never introduced`);
      if (type === 'IdTokenIssued' && data.algorithm !== key.algorithm)
        return finding(`the token was signed with ${data.algorithm}, but the key ${data.kid} is for ${key.algorithm}`);
      if (key.retiredAt !== null)
        return lateViolation(record, key.retiredAt, `the token was signed by the retired key ${data.kid}`);
      const end = key.until * 1000;
      return record.recordedAt < end
        ? undefined
        : lateViolation(record, end, `the token was signed by the key ${data.kid} after its period had ended`);
    },
  },
];
