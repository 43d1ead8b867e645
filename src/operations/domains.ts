import { z } from 'zod';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { DOMAIN_RULES } from '../domain/values.ts';
import { normalDomain } from '../oauth/clients/domain-list.ts';
import type { ListedDomain } from '../projections/client-domains.ts';
import { OperationRefused } from './control/operation-refused.ts';
import { invalidField } from './invalid-fields.ts';
import { isoTime } from './iso-time.ts';
import { operation, streamingOperation, type Operation } from './operation.ts';

const domain = z.string().min(1).max(OPERATION_TEXTS.ruled);

function toDomainRow({ domain: name, rule, since }: ListedDomain) {
  return { domain: name, rule, since: isoTime(since) };
}

/** Returns the domain in the normal form of the list, or undefined if it is not a domain. */
export const enteredDomain = (entered: string): string | undefined => normalDomain(entered, null);

/** Returns the refusal of an input that is not a domain. */
export function notDomain(entered: string): OperationRefused {
  return invalidField('domain', `${JSON.stringify(entered)} is not a domain such as app.example.com`);
}

export const domainOperations: Readonly<Record<string, Operation>> = {
  'domain set': operation(
    z.strictObject({ domain, rule: z.enum(DOMAIN_RULES).nullable() }),
    async (input, { domainList, projections, cause }) => {
      const normal = normalDomain(input.domain, input.rule);
      if (normal === undefined) throw notDomain(input.domain);
      const was = projections.clientDomains.find(normal)?.rule ?? null;
      await domainList.setRule(normal, input.rule, cause);
      return { domain: normal, rule: input.rule, was };
    },
  ),

  'domain show': operation(z.strictObject({ domain }), (input, { projections }) => {
    const listed = projections.clientDomains.find(enteredDomain(input.domain) ?? '');
    if (listed !== undefined) return toDomainRow(listed);
    const reason = `${JSON.stringify(input.domain)} is not in the list`;
    throw new OperationRefused(`${reason}; see: grantlog domain list`, 'unknown');
  }),

  'domain list': streamingOperation(z.strictObject({}), async function* (_input, { projections }) {
    for (const listed of projections.clientDomains.all()) yield toDomainRow(listed);
  }),
};
