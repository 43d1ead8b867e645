import type { Administration } from './administration.ts';
import { archiveOperations } from './archive-operations.ts';
import { attestationOperations } from './attestation-operations.ts';
import { backupOperations } from './backup-operations.ts';
import { clientOperations } from './client-operations.ts';
import { clockOperations } from './clock-operations.ts';
import { doctorOperations } from './doctor-operations.ts';
import { groupOperations } from './group-operations.ts';
import { importOperations } from './import-operations.ts';
import { findInspection } from './inspections.ts';
import { logOperations } from './log-operations.ts';
import type { Operation } from './operation.ts';
import { OperationRefused } from './refused.ts';
import { refusalOperations } from './refusal-operations.ts';
import { userOperations } from './user-operations.ts';

/** Everything that can be asked of a log, by the words of its command. */
const operations = new Map<string, Operation>(
  [
    userOperations,
    groupOperations,
    clientOperations,
    logOperations,
    attestationOperations,
    archiveOperations,
    backupOperations,
    refusalOperations,
    importOperations,
    doctorOperations,
    clockOperations,
  ].flatMap((table) => Object.entries(table)),
);

/**
 * Carries out the operation of that name; what it yields is JSON.
 * @throws OperationRefused (while iterating) it could run and says no, with a line on what to do
 */
export function operate(admin: Administration) {
  return async function* (name: string, input: unknown, signal: AbortSignal): AsyncGenerator<unknown, void, void> {
    const inspection = findInspection(name);
    if (inspection !== undefined)
      return yield* inspection(
        input,
        { ...admin.inspection, projectionsAsOf: admin.projectionsAsOf, issuer: admin.issuer },
        signal,
      );
    const operation = operations.get(name);
    if (operation === undefined) throw new OperationRefused(`this server knows no operation ${JSON.stringify(name)}`);
    yield* operation(input, admin, signal);
  };
}
