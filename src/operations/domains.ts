import { z } from 'zod';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { DOMAIN_RULES } from '../domain/values.ts';
import { normalizeDomain } from '../oauth/clients/domain-list.ts';
import type { ListedDomain } from '../projections/client-domains.ts';
import { OperationRefused } from './control/operation-refused.ts';
import { invalidField } from './invalid-fields.ts';
import { isoTime } from './iso-time.ts';
import { operation, streamingOperation, type Operation } from './operation.ts';

const domain = z.string().min(1).max(OPERATION_TEXTS.checkedText);

function toDomainRow({ domain: name, rule, since }: ListedDomain) {
  return { domain: name, rule, since: isoTime(since) };
}

/** Returns the domain in the list's normal form, or undefined if it is not a domain. */
export const parseDomain = (input: string): string | undefined => normalizeDomain(input, null);

/** Returns the error for an input that is not a domain. */
export function invalidDomainError(input: string): OperationRefused {
  return invalidField('domain', `${JSON.stringify(input)} is not a domain name (example: app.example.com)`);
}

export const domainOperations: Readonly<Record<string, Operation>> = {
  'domain set': operation(
    z.strictObject({ domain, rule: z.enum(DOMAIN_RULES).nullable() }),
    async (input, { domainList, projections, cause }) => {
      const normalizedDomain = normalizeDomain(input.domain, input.rule);
      if (normalizedDomain === undefined) throw invalidDomainError(input.domain);
      const previousRule = projections.clientDomains.find(normalizedDomain)?.rule ?? null;
      await domainList.setRule(normalizedDomain, input.rule, cause);
      return { domain: normalizedDomain, rule: input.rule, was: previousRule };
    },
  ),

  'domain show': operation(z.strictObject({ domain }), (input, { projections }) => {
    const entry = projections.clientDomains.find(parseDomain(input.domain) ?? '');
    if (entry !== undefined) return toDomainRow(entry);
    const reason = `${JSON.stringify(input.domain)} is not in the list`;
    throw new OperationRefused(`${reason}; see: grantlog domain list`, 'unknown');
  }),

  'domain list': streamingOperation(z.strictObject({}), async function* (_input, { projections }) {
    for (const entry of projections.clientDomains.all()) yield toDomainRow(entry);
  }),
};
