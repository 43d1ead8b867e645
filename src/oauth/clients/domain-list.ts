import type { ClientDomainCommand, ClientDomainEvent, ClientDomainState } from '../../domain/client-domains.ts';
import { CLIENT_DOMAINS_STREAM } from '../../domain/streams.ts';
import type { DomainRule } from '../../domain/values.ts';
import type { CommandContext, CommandHandler } from '../../event-store/command-handler.ts';
import { isUrl } from '../../platform/urls.ts';

/** The domains that may describe clients, and those that may not. */
export interface DomainList {
  /** Sets the rule of the domain and its subdomains; null removes it. */
  setRule(domain: string, rule: DomainRule | null, context: CommandContext): Promise<void>;
}

/** RFC 1035 §2.3.4. */
const MAX_DOMAIN_LENGTH = 253;
const IPV6_HOST = /^\[[\da-f:.]+\]$/i;

/** The domain in the form in which hosts are compared; undefined if it is not a domain. */
export function normalDomain(entered: string): string | undefined {
  const text = entered.length > MAX_DOMAIN_LENGTH ? '' : entered.trim();
  const isHost = IPV6_HOST.test(text) || !/[/?#@:\\%*]/.test(text);
  if (text === '' || !isHost || !isUrl(`https://${text}/`)) return undefined;
  const host = new URL(`https://${text}/`).hostname.replace(/\.$/, '');
  return host.split('.').includes('') ? undefined : host; // no host has an empty label, so the rule would do nothing
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
