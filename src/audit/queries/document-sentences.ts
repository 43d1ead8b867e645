import type { EventOf } from '../../domain/events.ts';
import { message, type Message } from '../../language/message.ts';
import { partyValues, type Party } from './sentence-parts.ts';

/** Returns a message saying that a user accepted the document that an application describes itself with. */
export function describeDocumentAcceptance(
  { clientId }: EventOf<'ClientDocumentAccepted'>['data'],
  actor: Party,
  client: Party,
): Message {
  return message('sentence.document-accepted', { ...partyValues({ actor, client }), clientId });
}

/** Returns a message saying that the list of domains that may describe applications was changed. */
export function describeDomainChange(
  data: EventOf<'ClientDomainListed' | 'ClientDomainUnlisted'>['data'],
  actor: Party,
): Message {
  const values = { ...partyValues({ actor }), domain: data.domain };
  return 'rule' in data
    ? message('sentence.domain-listed', { ...values, rule: data.rule })
    : message('sentence.domain-unlisted', values);
}
