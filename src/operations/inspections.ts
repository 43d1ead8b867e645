import { z } from 'zod';
import { verifyLog, type Inspection } from '../audit/proofs/verify.ts';
import type { EventLog } from '../event-store/event-log.ts';
import type { Past } from './administration.ts';
import { asOf } from './as-of.ts';
import { streaming, type Operation } from './operation.ts';
import { whatIf } from './what-if.ts';

/** A log that is only looked at. */
export interface Inspected extends Inspection, Past {
  readonly log: Inspection['log'] & Pick<EventLog, 'readStream' | 'readStreamBack'>;
}

/** What can be asked of it: nothing is replayed beforehand, and it need not be sound enough for that. */
const inspections: Readonly<Record<string, Operation<Inspected>>> = {
  'log verify': streaming(z.strictObject({}), (_, inspected: Inspected, signal) => verifyLog(inspected, signal)),
  'log as-of': asOf,
  'log what-if': whatIf,
};

export function findInspection(name: string): Operation<Inspected> | undefined {
  return Object.hasOwn(inspections, name) ? inspections[name] : undefined;
}
