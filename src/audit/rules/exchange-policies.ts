import { createHash } from 'node:crypto';
import { finding, type EventRule } from './rule.ts';

export const exchangePolicyRules: readonly EventRule[] = [
  {
    name: 'exchange-policies-are-in-the-stream-of-their-clients',
    description: 'The stream of an exchange policy is named after a hash of the ids of its two clients.',
    check({ event: { type, data }, record: { stream } }) {
      if (type !== 'ExchangePolicySet' && type !== 'ExchangePolicyRemoved') return undefined;
      const pair = JSON.stringify([data.clientId, data.subjectClientId]);
      return stream === `exchange-${createHash('sha256').update(pair).digest('base64url')}`
        ? undefined
        : finding(`${type} for the clients ${data.clientId} and ${data.subjectClientId} is in stream ${stream}`);
    },
  },
  {
    name: 'exchange-policies-are-for-registered-clients',
    description:
      'When an exchange policy is set, both of its clients are registered, and the one that exchanges is confidential.',
    check({ event: { type, data } }, { clients }) {
      if (type !== 'ExchangePolicySet') return undefined;
      for (const clientId of [data.clientId, data.subjectClientId])
        if (clients.find(clientId)?.removedAt !== null) return finding(`client ${clientId} was not registered`);
      return clients.find(data.clientId)?.clientType === 'confidential'
        ? undefined
        : finding(`client ${data.clientId} was not confidential`);
    },
  },
  {
    name: 'exchange-policies-are-set-before-they-are-removed',
    description: 'An exchange policy is removed only while it is set.',
    check({ event: { type, data } }, { exchangePolicies }) {
      if (type !== 'ExchangePolicyRemoved') return undefined;
      const settings = exchangePolicies.find(data.clientId, data.subjectClientId)?.settings ?? null;
      return settings === null ? finding('the policy was not set') : undefined;
    },
  },
];
