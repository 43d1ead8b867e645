import { decodeBase64 } from './base64.ts';
import { HASH_BYTES } from './hashing.ts';
import { MalformedError } from './malformed.ts';
import type { NoteSigner, NoteVerifier } from './note-key.ts';
import { openNote, signNote } from './signed-note.ts';
import { requireSize } from './tile.ts';
import type { TreeHead } from './verification.ts';

/**
 * Signs a tree head as a three-line note (C2SP tlog-checkpoint). The origin is the key's name, so a checkpoint of one
 * log is never accepted as a checkpoint of another.
 *
 * The caller must never sign a head that is inconsistent with an earlier signed head.
 * @throws RangeError if the size of `head` is invalid, or its root is not a hash
 */
export function signCheckpoint(head: TreeHead, signer: NoteSigner): string {
  return signNote(formatCheckpoint(signer.name, head), signer);
}

/**
 * Returns the head in a checkpoint that `verifier` accepts.
 * @throws MalformedError if `note` is not a signed checkpoint, or its origin is not the name of `verifier`
 * @throws UntrustedNote if `note` is not signed by the key of `verifier`, or a signature by that key is invalid
 */
export function openCheckpoint(note: string, verifier: NoteVerifier): TreeHead {
  const { origin, ...head } = parseCheckpoint(openNote(note, verifier));
  if (origin !== verifier.name) throw new MalformedError(`the checkpoint's origin is ${origin}, not ${verifier.name}`);
  return head;
}

function formatCheckpoint(origin: string, { size, rootHash }: TreeHead): string {
  requireSize(size);
  if (rootHash.length !== HASH_BYTES)
    throw new RangeError(`a root hash must have ${HASH_BYTES} bytes, not ${rootHash.length}`);
  return `${origin}\n${size}\n${Buffer.from(rootHash).toString('base64')}\n`;
}

/**
 * Parses a checkpoint. Rejects extension lines, although the format allows them: this server never writes them, and no
 * audit could verify their contents.
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
