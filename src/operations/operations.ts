import type { OperationContext } from './operation-context.ts';
import { archiveOperations } from './archive.ts';
import { attestationOperations } from './attestation.ts';
import { backupOperations } from './backup.ts';
import { clientOperations } from './clients.ts';
import { clockOperations } from './clock.ts';
import { doctorOperations } from './doctor.ts';
import { groupOperations } from './groups.ts';
import { importOperations } from './import.ts';
import { findInspection } from './inspections.ts';
import { logOperations } from './log.ts';
import type { Operation } from './operation.ts';
import { OperationRefused } from './refused.ts';
import { refusalOperations } from './refusals.ts';
import { userOperations } from './users.ts';

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
export function operate(admin: OperationContext) {
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
