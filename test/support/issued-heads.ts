import type { IssuedCheckpoints } from '../../src/audit/proofs/issued-checkpoints.ts';
import type { TreeHead } from '../../src/audit/merkle/verification.ts';

/**
 * Returns the heads of all checkpoints.
 * @throws Error if a checkpoint is damaged
 */
export function headsOf({ entries }: Pick<IssuedCheckpoints, 'entries'>): readonly TreeHead[] {
  return [...entries()].map((entry) => {
    if ('problem' in entry) throw new Error(entry.problem);
    return entry.head;
  });
}

export function sizesOf(checkpoints: Pick<IssuedCheckpoints, 'entries'>): readonly number[] {
  return headsOf(checkpoints).map(({ size }) => size);
}
