import { accept, noChange, type Decider } from '../event-store/decider.ts';
import type { EventOf } from './events.ts';
import { unreachable, type DomainRule } from './values.ts';

/** The events of the stream `domains`: the domains whose clients are allowed or blocked. */
export type ClientDomainEvent = EventOf<'ClientDomainListed' | 'ClientDomainUnlisted'>;

export type ClientDomainCommand =
  /** Does nothing if the domain already has this rule. */
  | { readonly type: 'ListDomain'; readonly domain: string; readonly rule: DomainRule }
  /** Does nothing if the domain has no rule. */
  | { readonly type: 'UnlistDomain'; readonly domain: string };

/** The rule for each listed domain. */
export type ClientDomainState = ReadonlyMap<string, DomainRule>;

export const clientDomains: Decider<ClientDomainCommand, ClientDomainState, ClientDomainEvent, never> = {
  initial: new Map(),

  decide(command, rules) {
    const { type, domain } = command;
    switch (type) {
      case 'ListDomain': {
        const { rule } = command;
        if (rules.get(domain) === rule) return noChange;
        return accept<ClientDomainEvent>({ type: 'ClientDomainListed', data: { domain, rule } });
      }
      case 'UnlistDomain':
        return rules.has(domain)
          ? accept<ClientDomainEvent>({ type: 'ClientDomainUnlisted', data: { domain } })
          : noChange;
      default:
        return unreachable(type);
    }
  },

  evolve(rules, { type, data }) {
    const nextRules = new Map(rules);
    if (type === 'ClientDomainListed') nextRules.set(data.domain, data.rule);
    else nextRules.delete(data.domain);
    return nextRules;
  },
};

/**
 * Returns the rule for the longest listed domain that equals or contains the host, or undefined if no listed domain
 * equals or contains it.
 */
export function ruleForHost(
  host: string,
  findRule: (domain: string) => DomainRule | undefined,
): DomainRule | undefined {
  for (let domain = host; domain !== ''; domain = domain.includes('.') ? domain.slice(domain.indexOf('.') + 1) : '') {
    const rule = findRule(domain);
    if (rule !== undefined) return rule;
  }
  return undefined;
}
