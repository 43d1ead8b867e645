import { createHash } from 'node:crypto';
import type { EventOf } from '../../domain/events.ts';
import type { ClientRecord } from './history/clients.ts';
import { finding, isSubset, lateViolation, notice, type EventRule } from './rule.ts';

/** A URL with https, or with http on a loopback address. */
const CLIENT_ID_URL = /^(?:https:\/\/|http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?\/)/;
const HOST = /^https?:\/\/([^/:?#@]*)/;
/** A domain in lower case, without a trailing dot. */
const DOMAIN = /^[^\sA-Z./]+(?:\.[^\sA-Z./]+)*$/;

export const clientDocumentRules: readonly EventRule[] = [
  {
    name: 'documents-are-those-of-their-clients',
    description:
      "An accepted document has the recorded hash, and its client's id is the URL of the document: an https URL, " +
      'or an http URL on a loopback address.',
    check({ event: { type, data } }) {
      if (type !== 'ClientDocumentAccepted') return undefined;
      const { clientId, hash, document } = data;
      if (createHash('sha256').update(document).digest('base64url') !== hash)
        return finding(`the document of client ${clientId} does not have the hash ${hash}`);
      if (!CLIENT_ID_URL.test(clientId))
        return finding(`the id of client ${clientId} is neither an https URL nor an http URL on a loopback address`);
      return parseMembers(document)['client_id'] === clientId
        ? undefined
        : finding(`the document of client ${clientId} describes a different client`);
    },
  },
  {
    name: 'documents-give-no-rights',
    description:
      'A document gives a client only the authorization code grant and redirect URIs that the document lists; the ' +
      'client keeps restricted scopes and the right to skip the consent page only if the operator allowed them; a ' +
      'document that ended test mode or a required second factor is a notice, because earlier releases accepted it.',
    check({ event: { type, data } }, { clients }) {
      if (type !== 'ClientDocumentAccepted') return undefined;
      const previousClient = clients.find(data.clientId);
      const gainedRights = findGainedRights(data, previousClient);
      if (gainedRights.length > 0)
        return finding(`the document gave client ${data.clientId} ${gainedRights.join(' and ')}`);
      const undoesDecision =
        (previousClient?.mode === 'test' && data.mode !== 'test') ||
        (previousClient?.secondFactorRequired === true && !data.secondFactorRequired);
      return undoesDecision
        ? notice(`the document of client ${data.clientId} undid an operator's decision: see the client's settings`)
        : undefined;
    },
  },
  {
    name: 'consents-name-the-accepted-document',
    description:
      'A consent records the latest accepted document of the client, and none if the client is registered here.',
    check({ event: { type, data } }, { clients }) {
      if (type !== 'ConsentGiven') return undefined;
      const client = clients.find(data.clientId);
      if (client === undefined || (data.documentHash ?? null) === client.documentHash) return undefined;
      const recordedDocument =
        data.documentHash === undefined ? 'no document, although one was' : 'a document other than the latest';
      return finding(`a consent to client ${data.clientId} records ${recordedDocument} accepted`);
    },
  },
  {
    name: 'domains-are-listed-once',
    description:
      'A listed domain is in lower case, is listed again only under another rule, and is removed only while it is ' +
      'listed.',
    check({ event: { type, data } }, { clientDomains }) {
      if (type !== 'ClientDomainListed' && type !== 'ClientDomainUnlisted') return undefined;
      const { domain } = data;
      if (!DOMAIN.test(domain)) return finding(`the domain ${domain} is not in normal form`);
      const currentRule = clientDomains.ruleOf(domain);
      if (type === 'ClientDomainUnlisted')
        return currentRule === undefined ? finding(`the domain ${domain} was removed, but was not listed`) : undefined;
      return currentRule === data.rule ? finding(`the domain ${domain} was already ${currentRule}`) : undefined;
    },
  },
  {
    name: 'blocked-domains-describe-no-clients',
    description:
      'No document from a blocked domain is accepted; a violation up to a minute after a change to the list is a ' +
      'notice, because the decision may be older.',
    check({ event: { type, data }, record }, { clientDomains }) {
      if (type !== 'ClientDocumentAccepted') return undefined;
      const host = HOST.exec(data.clientId)?.[1] ?? '';
      return clientDomains.isBlocked(host)
        ? lateViolation(record, clientDomains.changedAt(), `the host ${host} of the document is blocked`)
        : undefined;
    },
  },
];

/** Returns the rights that the document adds to the client's rights. */
function findGainedRights(
  {
    grantTypes,
    redirectUris,
    skipAuthorization,
    restrictedScopes,
    document,
  }: EventOf<'ClientDocumentAccepted'>['data'],
  previousClient: Readonly<ClientRecord> | undefined,
): readonly string[] {
  const listedUris = parseMembers(document)['redirect_uris'];
  const uris = Array.isArray(listedUris) ? listedUris.filter((uri): uri is string => typeof uri === 'string') : [];
  return [
    ...(isSubset(grantTypes, ['authorization-code']) ? [] : ['an additional grant type']),
    ...(isSubset(redirectUris, uris) ? [] : ['a redirect URI that the document does not list']),
    ...(!skipAuthorization || previousClient?.skipAuthorization === true ? [] : ['the right to skip the consent page']),
    ...(isSubset(restrictedScopes, previousClient?.restrictedScopes ?? []) ? [] : ['a restricted scope']),
  ];
}

/** Returns the members of a document, or none if it is not a JSON object. */
function parseMembers(document: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(document) ?? {}) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
