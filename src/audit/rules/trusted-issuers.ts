import { createHash } from 'node:crypto';
import { finding, type EventRule } from './rule.ts';

export const trustedIssuerRules: readonly EventRule[] = [
  {
    name: 'trusted-issuers-are-in-their-stream',
    description: 'The stream of a trusted issuer is named after a hash of the issuer.',
    check({ event: { type, data }, record: { stream } }) {
      if (type !== 'TrustedIssuerSet' && type !== 'TrustedIssuerRemoved') return undefined;
      return stream === `issuer-${createHash('sha256').update(data.issuer).digest('base64url')}`
        ? undefined
        : finding(`${type} for the issuer ${data.issuer} is in stream ${stream}`);
    },
  },
  {
    name: 'trusted-issuers-are-for-registered-clients',
    description:
      'When a trusted issuer is set, the clients that may present its tokens are registered and confidential.',
    check({ event: { type, data } }, { clients }) {
      if (type !== 'TrustedIssuerSet') return undefined;
      for (const { clientId } of data.settings.clients) {
        const client = clients.find(clientId);
        if (client?.removedAt !== null) return finding(`client ${clientId} was not registered`);
        if (client.clientType !== 'confidential') return finding(`client ${clientId} was not confidential`);
      }
      return undefined;
    },
  },
  {
    name: 'trusted-issuers-are-set-before-they-are-removed',
    description: 'A trusted issuer is removed only while it is set.',
    check({ event: { type, data } }, { trustedIssuers }) {
      if (type !== 'TrustedIssuerRemoved') return undefined;
      const settings = trustedIssuers.find(data.issuer)?.settings ?? null;
      return settings === null ? finding('the issuer was not trusted') : undefined;
    },
  },
];
