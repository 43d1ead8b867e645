import { english } from '../../language/english.ts';
import type { DomainRule } from '../../domain/values.ts';
import { domainRefusal, NOT_ACCEPTED_MESSAGES } from '../../oauth/clients/document-policy.ts';
import { explain } from '../../oauth/refusals/refusal-messages.ts';
import type { Client } from '../../projections/clients.ts';
import { newRefusal, type Difference } from './outcome.ts';
import type { SimulatedSettings } from './simulated-settings.ts';

/**
 * Returns the refusal that a client with a metadata document would get under the changed setting, or undefined if the
 * client is accepted.
 * @param findRule finds the rule for a domain in the current list, because the operator prepares the list before
 *   simulating the setting
 */
export function documentRefusal(
  { clientId, document }: Pick<Client, 'clientId' | 'document'>,
  { clientDocuments }: SimulatedSettings,
  findRule: (domain: string) => DomainRule | undefined,
): Difference | undefined {
  if (document === undefined || clientDocuments === undefined) return undefined;
  const refusal = domainRefusal(clientId, clientDocuments, findRule);
  return (
    refusal &&
    newRefusal(refusal.rule, english.text(NOT_ACCEPTED_MESSAGES[refusal.why]), english.text(explain(refusal).advice))
  );
}
