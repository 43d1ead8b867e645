import { decodeBase64 } from './base64.ts';
import { HASH_BYTES } from './hashing.ts';
import { MalformedError } from './malformed.ts';
import type { NoteSigner, NoteVerifier } from './note-key.ts';
import { openNote, signNote } from './signed-note.ts';
import { requireSize } from './tile.ts';
import type { TreeHead } from './verification.ts';

/**
 * Signs a tree head as a three-line note (C2SP tlog-checkpoint). The origin is the key's name, so that a checkpoint of
 * one log is never accepted for a different log.
 *
 * The caller must never sign a head that is inconsistent with an earlier signed head.
 * @throws RangeError if the size of `head` is invalid, or its root is not a hash
 */
export function signCheckpoint(head: TreeHead, signer: NoteSigner): string {
  return signNote(formatCheckpoint(signer.name, head), signer);
}

/**
 * Returns the head in a checkpoint that `verifier` accepts.
 * @throws MalformedError if `note` is not a signed note, is not a checkpoint, or belongs to a different log
 * @throws UntrustedNote if `note` has no valid signature by the key of `verifier`
 */
export function openCheckpoint(note: string, verifier: NoteVerifier): TreeHead {
  const { origin, ...head } = parseCheckpoint(openNote(note, verifier));
  if (origin !== verifier.name)
    throw new MalformedError(`the checkpoint belongs to ${origin}, not to ${verifier.name}`);
  return head;
}

function formatCheckpoint(origin: string, { size, rootHash }: TreeHead): string {
  requireSize(size);
  if (rootHash.length !== HASH_BYTES)
    throw new RangeError(`a root hash must have ${HASH_BYTES} bytes, not ${rootHash.length}`);
  return `${origin}\n${size}\n${Buffer.from(rootHash).toString('base64')}\n`;
}

/**
 * Parses a checkpoint. Rejects extension lines, although the format allows them: this server writes none, and no audit
 * could verify them.
 */
function parseCheckpoint(text: string): TreeHead & { readonly origin: string } {
  const [origin = '', size = '', root = '', ...rest] = text.split('\n');
  if (origin === '') throw new MalformedError('the checkpoint has no origin');
  if (rest.length === 0) throw new MalformedError('the checkpoint has fewer than three lines');
  if (rest.length > 1) throw new MalformedError('the checkpoint has more than three lines');
  return { origin, size: parseSize(size), rootHash: parseRoot(root) };
}

function parseSize(line: string): number {
  if (!/^(?:0|[1-9]\d*)$/.test(line))
    throw new MalformedError("the checkpoint's tree size is not a decimal number without leading zeros");
  const size = Number(line);
  if (!Number.isSafeInteger(size)) throw new MalformedError("the checkpoint's tree size is not less than 2^53");
  return size;
}

function parseRoot(line: string): Buffer {
  const root = decodeBase64(line);
  if (root?.length !== HASH_BYTES)
    throw new MalformedError(`the checkpoint's root hash is not ${HASH_BYTES} bytes in base64`);
  return root;
}
