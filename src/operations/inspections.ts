import { z } from 'zod';
import { verifyLog, type Inspection } from '../audit/proofs/verify.ts';
import type { EventLog } from '../event-store/event-log.ts';
import type { LogHistory } from './operation-context.ts';
import { asOf } from './as-of.ts';
import { streamingOperation, type Operation } from './operation.ts';
import { whatIf } from './what-if.ts';

/** What inspections need: a log that is only read. */
export interface InspectionContext extends Inspection, LogHistory {
  readonly log: Inspection['log'] & Pick<EventLog, 'readStream' | 'readStreamBackwards'>;
}

/** Operations that need no replay, and so work on a damaged log. */
const inspections: Readonly<Record<string, Operation<InspectionContext>>> = {
  'log verify': streamingOperation(z.strictObject({}), (_input, context: InspectionContext, signal) =>
    verifyLog(context, signal),
  ),
  'log as-of': asOf,
  'log what-if': whatIf,
};

export function findInspection(name: string): Operation<InspectionContext> | undefined {
  return Object.hasOwn(inspections, name) ? inspections[name] : undefined;
}
