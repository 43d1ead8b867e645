import { decodeBase64 } from './base64.ts';
import { Malformed } from './malformed.ts';
import { isKeyName } from './note-key.ts';
import type { NoteSigner, NoteVerifier } from './note-key.ts';

/** A note that reads well and is not signed by the key that was asked for: nothing in it may be believed. */
export class UntrustedNote extends Error {
  override readonly name = 'UntrustedNote';
}

interface NoteSignature {
  readonly name: string;
  readonly keyId: string;
  readonly signature: Buffer;
}

const KEY_ID_BYTES = 4;
/** Witnesses may sign too; C2SP signed-note wants at least 16 accepted and some limit. */
const MAX_SIGNATURES = 64;
const SIGNATURE_LINE = /^— (\S+) (\S+)$/u;

/**
 * `text` and its signature, as C2SP signed-note puts them together.
 * @throws RangeError `text` does not end in a newline, or has other control characters
 */
export function signNote(text: string, signer: NoteSigner): string {
  if (!text.endsWith('\n') || hasForbiddenCharacter(text))
    throw new RangeError('the text of a note consists of whole lines without control characters');
  const signature = Buffer.concat([Buffer.from(signer.keyId, 'hex'), signer.sign(text)]);
  return `${text}\n— ${signer.name} ${signature.toString('base64')}\n`;
}

/**
 * The text of a note that `verifier` vouches for. Signatures of other keys are not looked into.
 * @throws Malformed it is not a signed note
 * @throws UntrustedNote the key has not signed it, or not this text
 */
export function openNote(note: string, verifier: NoteVerifier): string {
  const { text, signatures } = splitNote(note);
  const own = signatures.filter(({ name, keyId }) => name === verifier.name && keyId === verifier.keyId);
  const key = `${verifier.name}+${verifier.keyId}`;
  if (own.length === 0) throw new UntrustedNote(`the note is not signed by ${key}`);
  if (!own.every(({ signature }) => verifier.verify(text, signature)))
    throw new UntrustedNote(`the signature of ${key} is not one of this text`);
  return text;
}

/** The last empty line is where the signatures begin. */
function splitNote(note: string): { text: string; signatures: readonly NoteSignature[] } {
  if (hasForbiddenCharacter(note))
    throw new Malformed('the note has a control character other than newline, or is not Unicode');
  const end = note.lastIndexOf('\n\n');
  if (end === -1) throw new Malformed('the note has no empty line before its signatures');
  if (!note.endsWith('\n')) throw new Malformed('the last line of the note is not finished');
  const lines = note.slice(end + 2, -1).split('\n', MAX_SIGNATURES + 1);
  if (lines.length > MAX_SIGNATURES) throw new Malformed(`the note has more than ${MAX_SIGNATURES} signatures`);
  return { text: note.slice(0, end + 1), signatures: lines.map(parseSignatureLine) };
}

function parseSignatureLine(line: string, index: number): NoteSignature {
  const [, name = '', base64 = ''] = SIGNATURE_LINE.exec(line) ?? [];
  if (!isKeyName(name)) throw new Malformed(`line ${index + 1} of the signatures is not a signature line`);
  const bytes = decodeBase64(base64);
  if (bytes === undefined || bytes.length <= KEY_ID_BYTES)
    throw new Malformed(`signature ${index + 1} is not a key id and a signature in base64`);
  return { name, keyId: bytes.toString('hex', 0, KEY_ID_BYTES), signature: bytes.subarray(KEY_ID_BYTES) };
}

/** A lone surrogate too: UTF-8 cannot carry it, so it would be signed as something else. */
function hasForbiddenCharacter(text: string): boolean {
  return /[^\P{Cc}\n]|\p{Cs}/u.test(text);
}
