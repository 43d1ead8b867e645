import type { ClientDomainCommand, ClientDomainEvent, ClientDomainState } from '../../domain/client-domains.ts';
import { CLIENT_DOMAINS_STREAM } from '../../domain/streams.ts';
import type { DomainRule } from '../../domain/values.ts';
import type { CommandContext, CommandHandler } from '../../event-store/command-handler.ts';
import { isUrl } from '../../platform/urls.ts';

/** The domains whose clients are allowed or blocked. */
export interface DomainList {
  /** Sets the rule for the domain and its subdomains; null removes it. */
  setRule(domain: string, rule: DomainRule | null, context: CommandContext): Promise<void>;
}

/** The maximum length of a host name (RFC 1035 §2.3.4). */
const MAX_DOMAIN_LENGTH = 253;
const IPV6_HOST = /^\[[\da-f:.]+\]$/i;
/** Letters, digits and hyphens (RFC 1123 §2.1). In normal form, labels in other scripts start with xn--. */
const HOST_NAME = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/;

/**
 * Returns the domain in normal form, so that hosts can be compared with it, or undefined if the input is not a
 * domain. If `rule` is null, hosts with other characters, such as underscores, are accepted as well, so that rules from
 * earlier releases can be removed.
 */
export function normalizeDomain(input: string, rule: DomainRule | null): string | undefined {
  const text = input.length > MAX_DOMAIN_LENGTH ? '' : input.trim();
  const isHost = IPV6_HOST.test(text) || !/[/?#@:\\%*]/.test(text);
  if (text === '' || !isHost || !isUrl(`https://${text}/`)) return undefined;
  const host = new URL(`https://${text}/`).hostname.replace(/\.$/, '');
  // No host has an empty label, so the rule would never apply.
  if (host.split('.').includes('')) return undefined;
  return rule === null || IPV6_HOST.test(host) || HOST_NAME.test(host) ? host : undefined;
}

export function createDomainList(
  commands: Pick<CommandHandler<ClientDomainCommand, ClientDomainState, ClientDomainEvent, never>, 'execute'>,
): DomainList {
  return {
    async setRule(domain, rule, context) {
      const command =
        rule === null ? ({ type: 'UnlistDomain', domain } as const) : ({ type: 'ListDomain', domain, rule } as const);
      await commands.execute(CLIENT_DOMAINS_STREAM, command, context);
    },
  };
}
