import { z } from 'zod';
import { writeBackup } from './backup/write-backup.ts';
import { streamingOperation, type Operation } from './operation.ts';

/** A warning for the operator. The backup is written anyway. */
export interface BackupWarning {
  readonly warning: string;
}

export const backupOperations: Readonly<Record<string, Operation>> = {
  backup: streamingOperation(z.strictObject({}), async function* (_input, context, signal) {
    const {
      lostKeys,
      lostClientKeys,
      inspection: { checkpoints },
      projections: { users, clients, signingKeys, sentInvitations },
    } = context;
    for (const problem of [lostKeys.problem(), lostClientKeys.problem()]) {
      if (problem === undefined) continue;
      const warning = `some keys will be missing from the backup: ${problem.says}; ${problem.todo}`;
      yield { warning } satisfies BackupWarning;
    }
    yield* writeBackup({ ...context, checkpoints, users, clients, signingKeys, sentInvitations }, signal);
  }),
};
