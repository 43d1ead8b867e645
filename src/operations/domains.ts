import { z } from 'zod';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { DOMAIN_RULES } from '../domain/values.ts';
import { normalDomain } from '../oauth/clients/domain-list.ts';
import { OperationRefused } from './control/operation-refused.ts';
import { operation, streamingOperation, type Operation } from './operation.ts';

const domain = z.string().min(1).max(OPERATION_TEXTS.ruled);

export const domainOperations: Readonly<Record<string, Operation>> = {
  'domain set': operation(
    z.strictObject({ domain, rule: z.enum(DOMAIN_RULES).nullable() }),
    async (input, { domainList, projections, cause }) => {
      const normal = normalDomain(input.domain, input.rule);
      if (normal === undefined)
        throw new OperationRefused(`${JSON.stringify(input.domain)} is not a domain such as app.example.com`);
      const was = projections.clientDomains.find(normal)?.rule ?? null;
      await domainList.setRule(normal, input.rule, cause);
      return { domain: normal, rule: input.rule, was };
    },
  ),

  'domain list': streamingOperation(z.strictObject({}), async function* (_input, { projections }) {
    for (const { domain: name, rule, since } of projections.clientDomains.all())
      yield { domain: name, rule, since: new Date(since * 1000).toISOString() };
  }),
};
