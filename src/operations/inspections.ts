import { z } from 'zod';
import { verifyLog } from '../audit/proofs/verify.ts';
import { asOf } from './as-of.ts';
import { streamingOperation, type Operation } from './operation.ts';
import type { InspectionContext } from './operation-context.ts';
import { whatIf } from './what-if.ts';

/** Operations that only read the log. They do not open a service, so `log verify` can report any damage. */
export const inspections: Readonly<Record<string, Operation<InspectionContext>>> = {
  'log verify': streamingOperation(z.strictObject({}), (_input, context: InspectionContext, signal) =>
    verifyLog(context, signal),
  ),
  'log as-of': asOf,
  'log what-if': whatIf,
};

export function findInspection(name: string): Operation<InspectionContext> | undefined {
  return Object.hasOwn(inspections, name) ? inspections[name] : undefined;
}
