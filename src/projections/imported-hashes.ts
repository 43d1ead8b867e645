import { parsePbkdf2 } from '../domain/password-hashes.ts';

/** The iteration counts of imported PBKDF2 hashes that no login has replaced yet. */
export interface ImportedHashes<Id> {
  /** Replaces the hashes of `id`. Ignores hashes that are not PBKDF2. */
  set(id: Id, hashes: readonly string[]): void;
  delete(id: Id): void;
  /** Returns the highest iteration count, or 0 if there are no hashes. */
  maxIterations(): number;
}

export function createImportedHashes<Id>(): ImportedHashes<Id> {
  const iterations = new Map<Id, number>();
  let maximum: number | undefined;

  function forget(id: Id): void {
    if (iterations.delete(id)) maximum = undefined;
  }

  return {
    set(id, hashes) {
      const maxCount = Math.max(0, ...hashes.map((hash) => parsePbkdf2(hash)?.iterations ?? 0));
      if (maxCount === 0) return forget(id);
      iterations.set(id, maxCount);
      maximum = undefined;
    },
    delete: forget,
    maxIterations: () => (maximum ??= [...iterations.values()].reduce((highest, count) => Math.max(highest, count), 0)),
  };
}
