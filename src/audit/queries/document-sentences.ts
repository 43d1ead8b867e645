import type { EventOf } from '../../domain/events.ts';
import { say, type SentencePart } from './sentence-parts.ts';

/** A user accepted the document in which an application describes itself. */
export function acceptance(
  { clientId }: EventOf<'ClientDocumentAccepted'>['data'],
  actor: SentencePart,
  application: SentencePart,
): readonly SentencePart[] {
  return say`${actor} accepted the document that describes ${application}, at ${clientId}`;
}

/** The list of domains that may describe applications was changed. */
export function domainChange(
  data: EventOf<'ClientDomainListed' | 'ClientDomainUnlisted'>['data'],
  actor: SentencePart,
): readonly SentencePart[] {
  return 'rule' in data
    ? say`${actor} ${data.rule} the applications that the domain ${data.domain} describes`
    : say`${actor} removed the domain ${data.domain} from the list of domains that describe applications`;
}
