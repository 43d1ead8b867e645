import { createHash } from 'node:crypto';
import { finding, type EventRule } from './rule.ts';

export const clientDocumentRules: readonly EventRule[] = [
  {
    name: 'documents-are-those-of-their-clients',
    description:
      'An accepted document has the recorded hash, and names the client that it describes: its own address, with ' +
      'https, or with http on a loopback address.',
    check({ event: { type, data } }) {
      if (type !== 'ClientDocumentAccepted') return undefined;
      const { clientId, hash, document } = data;
      if (createHash('sha256').update(document).digest('base64url') !== hash)
        return finding(`the document of client ${clientId} does not have the hash ${hash}`);
      return /^https?:\/\//.test(clientId) && clientIdIn(document) === clientId
        ? undefined
        : finding(`the document of client ${clientId} describes another client`);
    },
  },
  {
    name: 'consents-name-the-accepted-document',
    description:
      'A consent names the newest accepted document of the client, and none if the client is registered here.',
    check({ event: { type, data } }, { clients }) {
      if (type !== 'ConsentGiven') return undefined;
      const client = clients.find(data.clientId);
      if (client === undefined || (data.documentHash ?? null) === client.documentHash) return undefined;
      return finding(`a consent to client ${data.clientId} names another document than the newest accepted one`);
    },
  },
];

function clientIdIn(document: string): unknown {
  try {
    return (JSON.parse(document) as { readonly client_id?: unknown } | null)?.client_id;
  } catch {
    return undefined;
  }
}
