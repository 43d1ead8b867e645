import { restoreBackup } from '../../src/operations/backup/restore.ts';
import { findInspection } from '../../src/operations/inspections.ts';
import { operate } from '../../src/operations/operations.ts';

/**
 * The functions that `runCommand` loads on demand. They are imported statically, because Mocha would otherwise load a
 * second copy of each class.
 */
export const withOperations = {
  loadOperations: async () => ({ operate, findInspection }),
  loadRestore: async () => restoreBackup,
};
