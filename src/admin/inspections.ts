import { z } from 'zod';
import { verifyLog, type Inspection } from '../attestation/verify.ts';
import { OperationRefused } from './refused.ts';

/** What can be asked of a log that is only looked at: it need not be sound enough to be replayed. */
export type InspectionOperation = (input: unknown, inspection: Inspection, signal: AbortSignal) => AsyncGenerator<unknown, void, void>;

const nothing = z.strictObject({});

const inspections: Readonly<Record<string, InspectionOperation>> = {
  'log verify': (input, inspection, signal) => {
    if (!nothing.safeParse(input).success) throw new OperationRefused('log verify takes no input');
    return verifyLog(inspection, signal);
  },
};

export function findInspection(name: string): InspectionOperation | undefined {
  return Object.hasOwn(inspections, name) ? inspections[name] : undefined;
}
