import { ruleForHost } from '../../domain/client-domains.ts';
import type { DomainRule } from '../../domain/values.ts';
import type { Client } from '../../projections/clients.ts';
import { oauthError } from '../endpoints/errors.ts';
import type { RefusalOf } from '../refusals/refusal.ts';
import { message, type Message } from '../../language/message.ts';

export type ClientDocumentsSetting = 'off' | 'list' | 'any';
type NotAcceptedRefusal = RefusalOf<'client-document-not-accepted'>;

/** Returns the refusal if the domain of a client's metadata document is not accepted, or undefined if it is. */
export function domainRefusal(
  clientId: string,
  setting: ClientDocumentsSetting,
  findRule: (domain: string) => DomainRule | undefined,
): NotAcceptedRefusal | undefined {
  const host = new URL(clientId).hostname.replace(/\.+$/, ''); // domains are listed without a trailing dot
  const why = whyNotAccepted(setting, ruleForHost(host, findRule));
  return why === undefined ? undefined : { rule: 'client-document-not-accepted', why, host };
}

/**
 * Requires that the domain of the client's metadata document is still accepted.
 * @throws OAuthError `unauthorized_client` if it is not
 */
export type RequireAcceptedDomain = (client: Pick<Client, 'clientId' | 'document'>) => void;

export function createRequireAcceptedDomain(
  domains: { find(domain: string): { readonly rule: DomainRule } | undefined },
  settings: { readonly clientDocuments: ClientDocumentsSetting },
): RequireAcceptedDomain {
  return ({ clientId, document }) => {
    if (document === undefined) return;
    const refusal = domainRefusal(clientId, settings.clientDocuments, (domain) => domains.find(domain)?.rule);
    if (refusal !== undefined) throw oauthError(refusal);
  };
}

function whyNotAccepted(
  setting: ClientDocumentsSetting,
  rule: DomainRule | undefined,
): NotAcceptedRefusal['why'] | undefined {
  if (setting === 'off') return 'off';
  if (rule === 'blocked') return 'blocked';
  return setting === 'any' || rule === 'allowed' ? undefined : 'not-listed';
}

/** The messages for users, by the reason for the refusal. */
export const NOT_ACCEPTED_MESSAGES: Readonly<Record<NotAcceptedRefusal['why'], Message>> = {
  off: message('unusable.documents-off'),
  'not-listed': message('unusable.domain-not-listed'),
  blocked: message('unusable.domain-blocked'),
  removed: message('unusable.removed'),
};
