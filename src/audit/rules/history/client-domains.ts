import type { DomainRule } from '../../../domain/values.ts';
import type { AuditedEvent } from '../audited-event.ts';

/** The listed domains, with the rules that allow or forbid them to describe clients. */
export interface ClientDomainHistory {
  /** Returns the rule of exactly this domain, or undefined if it is not listed. */
  ruleOf(domain: string): DomainRule | undefined;
  /** Reports whether the host is blocked. The longest listed domain that equals or contains the host decides. */
  isBlocked(host: string): boolean;
  /** Returns when the list last changed, in milliseconds since the epoch, or -Infinity if it never did. */
  changedAt(): number;
  apply(auditedEvent: AuditedEvent): void;
}

export function createClientDomainHistory(): ClientDomainHistory {
  const rules = new Map<string, DomainRule>();
  let changedAt = -Infinity;
  return {
    ruleOf: (domain) => rules.get(domain),
    isBlocked(host) {
      const labels = host.split('.');
      const domains = labels.map((_label, index) => labels.slice(index).join('.'));
      const closestDomain = domains.find((domain) => rules.has(domain)) ?? '';
      return rules.get(closestDomain) === 'blocked';
    },
    changedAt: () => changedAt,
    apply({ event: { type, data }, record }) {
      if (type !== 'ClientDomainListed' && type !== 'ClientDomainUnlisted') return;
      changedAt = record.recordedAt;
      if (type === 'ClientDomainListed') rules.set(data.domain, data.rule);
      else rules.delete(data.domain);
    },
  };
}
