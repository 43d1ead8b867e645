import { z } from 'zod';
import { verifyLog, type Inspection } from '../audit/proofs/verify.ts';
import type { EventLog } from '../event-store/event-log.ts';
import type { LogHistory } from './operation-context.ts';
import { asOf } from './as-of.ts';
import { streamingOperation, type Operation } from './operation.ts';
import { whatIf } from './what-if.ts';

/** A log that is only looked at. */
export interface InspectionContext extends Inspection, LogHistory {
  readonly log: Inspection['log'] & Pick<EventLog, 'readStream' | 'readStreamBackwards'>;
}

/** What can be asked of it: nothing is replayed beforehand, and it need not be sound enough for that. */
const inspections: Readonly<Record<string, Operation<InspectionContext>>> = {
  'log verify': streamingOperation(z.strictObject({}), (_, inspected: InspectionContext, signal) =>
    verifyLog(inspected, signal),
  ),
  'log as-of': asOf,
  'log what-if': whatIf,
};

export function findInspection(name: string): Operation<InspectionContext> | undefined {
  return Object.hasOwn(inspections, name) ? inspections[name] : undefined;
}
