import { z } from 'zod';
import { writeBackup } from './backup/write-backup.ts';
import { streamingOperation, type Operation } from './operation.ts';

/** A warning to the operator. The backup is written nevertheless. */
export interface BackupWarning {
  readonly warning: string;
}

export const backupOperations: Readonly<Record<string, Operation>> = {
  backup: streamingOperation(z.strictObject({}), async function* (_input, admin, signal) {
    const {
      lostKeys,
      lostClientKeys,
      inspection: { checkpoints },
      projections: { users, clients },
    } = admin;
    for (const problem of [lostKeys.problem(), lostClientKeys.problem()]) {
      if (problem === undefined) continue;
      const warning = `the backup will not have every key: ${problem.says}; ${problem.todo}`;
      yield { warning } satisfies BackupWarning;
    }
    yield* writeBackup({ ...admin, checkpoints, users, clients }, signal);
  }),
};
