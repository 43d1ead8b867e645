import { parsePbkdf2 } from '../domain/password-hashes.ts';

/** The PBKDF2 hashes that came from another server and whose owners have not been here yet. */
export interface ImportedHashes<Id> {
  /** The hashes that `id` has from now on, in place of those it had; others than PBKDF2's do not count. */
  set(id: Id, hashes: readonly string[]): void;
  delete(id: Id): void;
  /** Of the costliest of them; 0 when there is none. */
  maxIterations(): number;
}

export function createImportedHashes<Id>(): ImportedHashes<Id> {
  const iterations = new Map<Id, number>();
  let most: number | undefined;

  function forget(id: Id): void {
    if (iterations.delete(id)) most = undefined;
  }

  return {
    set(id, hashes) {
      const highest = Math.max(0, ...hashes.map((hash) => parsePbkdf2(hash)?.iterations ?? 0));
      if (highest === 0) return forget(id);
      iterations.set(id, highest);
      most = undefined;
    },
    delete: forget,
    maxIterations: () => (most ??= [...iterations.values()].reduce((highest, one) => Math.max(highest, one), 0)),
  };
}
