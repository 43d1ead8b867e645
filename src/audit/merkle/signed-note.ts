import { decodeBase64 } from './base64.ts';
import { MalformedError } from './malformed.ts';
import { isKeyName } from './note-key.ts';
import type { NoteSigner, NoteVerifier } from './note-key.ts';

/**
 * Thrown if a well-formed note is not signed by the required key, or a signature by that key is invalid. Nothing in the
 * note can be trusted.
 */
export class UntrustedNote extends Error {
  override readonly name = 'UntrustedNote';
}

interface NoteSignature {
  readonly name: string;
  readonly keyId: string;
  readonly signature: Buffer;
}

const KEY_ID_BYTES = 4;
/** Cosigners can add signatures. C2SP signed-note requires verifiers to set a limit, which must be at least 16. */
const MAX_SIGNATURES = 64;
const SIGNATURE_LINE = /^— (\S+) (\S+)$/u;

/**
 * Signs `text` in the format of C2SP signed-note.
 * @throws RangeError if `text` does not end with a newline, or contains other control characters or lone surrogates
 */
export function signNote(text: string, signer: NoteSigner): string {
  if (!text.endsWith('\n') || hasForbiddenCharacter(text))
    throw new RangeError(
      'the text of a note must consist of whole lines without control characters or lone surrogates',
    );
  const signature = Buffer.concat([Buffer.from(signer.keyId, 'hex'), signer.sign(text)]);
  return `${text}\n— ${signer.name} ${signature.toString('base64')}\n`;
}

/**
 * Returns the text of a note that `verifier` accepts. Ignores signatures by other keys.
 * @throws MalformedError if `note` is not a signed note
 * @throws UntrustedNote if the key of `verifier` has not signed the note, or a signature by that key is invalid
 */
export function openNote(note: string, verifier: NoteVerifier): string {
  const { text, signatures } = splitNote(note);
  const keySignatures = signatures.filter(({ name, keyId }) => name === verifier.name && keyId === verifier.keyId);
  const key = `${verifier.name}+${verifier.keyId}`;
  if (keySignatures.length === 0) throw new UntrustedNote(`the note is not signed by ${key}`);
  if (!keySignatures.every(({ signature }) => verifier.verify(text, signature)))
    throw new UntrustedNote(`the signature by ${key} is not valid for this text`);
  return text;
}

/** Splits a note at its last empty line, which precedes the signatures. */
function splitNote(note: string): { text: string; signatures: readonly NoteSignature[] } {
  if (hasForbiddenCharacter(note))
    throw new MalformedError('the note contains a control character other than a newline, or a lone surrogate');
  const end = note.lastIndexOf('\n\n');
  if (end === -1) throw new MalformedError('the note has no empty line before its signatures');
  if (!note.endsWith('\n')) throw new MalformedError('the note does not end with a newline');
  const lines = note.slice(end + 2, -1).split('\n', MAX_SIGNATURES + 1);
  if (lines.length > MAX_SIGNATURES) throw new MalformedError(`the note has more than ${MAX_SIGNATURES} signatures`);
  return { text: note.slice(0, end + 1), signatures: lines.map(parseSignatureLine) };
}

function parseSignatureLine(line: string, index: number): NoteSignature {
  const [, name = '', base64 = ''] = SIGNATURE_LINE.exec(line) ?? [];
  if (!isKeyName(name)) throw new MalformedError(`line ${index + 1} of the signatures is not a signature line`);
  const bytes = decodeBase64(base64);
  if (bytes === undefined || bytes.length <= KEY_ID_BYTES)
    throw new MalformedError(`signature ${index + 1} is not the base64 encoding of a key id and a signature`);
  return { name, keyId: bytes.toString('hex', 0, KEY_ID_BYTES), signature: bytes.subarray(KEY_ID_BYTES) };
}

/**
 * Reports whether the text contains a control character other than a newline, or a lone surrogate. UTF-8 encoding
 * replaces lone surrogates, so a different text would be signed.
 */
function hasForbiddenCharacter(text: string): boolean {
  return /[^\P{Cc}\n]|\p{Cs}/u.test(text);
}
