import { z } from 'zod';
import { writeBackup } from '../backup/write-backup.ts';
import { streaming, type Operation } from './operation.ts';

/** A warning to the operator. The backup is written nevertheless. */
export interface BackupWarning {
  readonly warning: string;
}

export const backupOperations: Readonly<Record<string, Operation>> = {
  backup: streaming(z.strictObject({}), async function* (_input, admin, signal) {
    const { lostKeys, inspection: { checkpoints }, projections: { users } } = admin;
    const problem = lostKeys.problem();
    if (problem !== undefined) {
      const warning = `the backup will not have every key: ${problem.says}; ${problem.todo}`;
      yield { warning } satisfies BackupWarning;
    }
    yield* writeBackup({ ...admin, checkpoints, users }, signal);
  }),
};
