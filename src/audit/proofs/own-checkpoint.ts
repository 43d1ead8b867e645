import type { KeyObject } from 'node:crypto';
import { openCheckpoint } from '../merkle/checkpoint.ts';
import { createNoteSigner, parseVerifierKey } from '../merkle/note-key.ts';
import type { TreeHead } from '../merkle/verification.ts';

/**
 * Returns the head in a checkpoint that `key` signed. Accepts any name of the log, because the name changes with the
 * server's URL.
 * @throws MalformedError if `note` is not a checkpoint
 * @throws UntrustedNote if a different key signed it
 */
export function openOwnCheckpoint(note: string, key: KeyObject): TreeHead {
  const [origin = ''] = note.split('\n', 1);
  return openCheckpoint(note, parseVerifierKey(createNoteSigner(origin, key).verifierKey));
}
