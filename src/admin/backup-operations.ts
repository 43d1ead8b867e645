import { z } from 'zod';
import { writeBackup } from '../backup/write-backup.ts';
import { streaming, type Operation } from './operation.ts';

export const backupOperations: Readonly<Record<string, Operation>> = {
  backup: streaming(z.strictObject({}), (_input, { log, attestation, inspection, keys, personalKeys, projections, clock }, signal) =>
    writeBackup({ log, attestation, checkpoints: inspection.checkpoints, keys, personalKeys, users: projections.users, clock }, signal),
  ),
};
