// Verifies parts of a signed log: leaf hashes, paths in the Merkle tree, and signatures of notes.
import { text } from './texts.js';

const LEAF = 0;
const NODE = 1;
const ED25519 = 1;
const KEY_ID_BYTES = 4;

export const encode = (string) => new TextEncoder().encode(string);
export const decodeBase64 = (base64) => Uint8Array.from(atob(base64.trim()), (character) => character.charCodeAt(0));
export const encodeBase64 = (bytes) => btoa(String.fromCharCode(...bytes));
export const isSame = (a, b) => a.length === b.length && a.every((byte, index) => byte === b[index]);

async function sha256(...parts) {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', await new Blob(parts).arrayBuffer()));
}

/** Returns the leaf hash of a record (RFC 9162 §2.1.1). */
export const leafHashOf = (record) => sha256(Uint8Array.of(LEAF), encode(record));

/**
 * Computes the root that follows from an inclusion proof (RFC 9162 §2.1.3.2).
 * @throws Error if the proof does not have the length that `index` and `size` require
 */
export async function rootOf(leaf, index, size, proof) {
  if (!(index >= 0 && index < size)) throw new Error(text('verdict.no-such-leaf', { size, leaf: index }));
  let [node, last, hash] = [index, size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0) throw new Error(text('verdict.too-long'));
    if (node % 2 === 1 || node === last) {
      hash = await sha256(Uint8Array.of(NODE), sibling, hash);
      while (node % 2 === 0 && node > 0) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
    } else {
      hash = await sha256(Uint8Array.of(NODE), hash, sibling);
    }
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  if (last !== 0) throw new Error(text('verdict.too-short'));
  return hash;
}

/** Parses a checkpoint: a signed note whose text has three lines (C2SP tlog-checkpoint, signed-note). */
export function readCheckpoint(note) {
  const end = note.lastIndexOf('\n\n');
  const [origin, size, root, ...more] = note.slice(0, end).split('\n');
  if (end === -1 || more.length > 0 || !/^\d+$/.test(size)) throw new Error(text('verdict.not-checkpoint'));
  return {
    text: note.slice(0, end + 1),
    signatures: note.slice(end + 2).split('\n'),
    origin,
    size: Number(size),
    root: decodeBase64(root),
  };
}

/**
 * Parses a verifier key (C2SP signed-note).
 * @throws Error if it is not an Ed25519 key, or its key id is wrong
 */
export async function readKey(verifierKey) {
  const [name, id, ...rest] = verifierKey.trim().split('+');
  const typedKey = decodeBase64(rest.join('+'));
  const hash = await sha256(encode(`${name}\n`), typedKey);
  const keyId = hash.slice(0, KEY_ID_BYTES);
  const hex = [...keyId].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  if (typedKey[0] !== ED25519 || hex !== id) throw new Error(text('verdict.not-key'));
  return { name, keyId, publicKey: typedKey.slice(1) };
}

function signatureBy({ name, keyId }, signatures) {
  for (const line of signatures) {
    const [, signer, base64] = /^— (\S+) (\S+)$/u.exec(line) ?? [];
    const bytes = signer === name ? decodeBase64(base64) : new Uint8Array();
    if (isSame(bytes.slice(0, KEY_ID_BYTES), keyId)) return bytes.slice(KEY_ID_BYTES);
  }
  throw new Error(text('verdict.not-signed'));
}

/** Returns undefined if this browser does not support Ed25519, or rejects the key. */
async function importKey(publicKey) {
  try {
    return await crypto.subtle.importKey('raw', publicKey, { name: 'Ed25519' }, false, ['verify']);
  } catch {
    return undefined;
  }
}

/**
 * Checks the signature of a note.
 * @returns the reason why this browser cannot check it, or undefined if the signature is valid
 * @throws Error if the note has no valid signature by the key
 */
export async function checkSignature(note, signatures, key) {
  const signature = signatureBy(key, signatures);
  const imported = await importKey(key.publicKey);
  if (imported === undefined) return text('verdict.no-ed25519');
  if (!(await crypto.subtle.verify({ name: 'Ed25519' }, imported, signature, encode(note))))
    throw new Error(text('verdict.wrong-signature'));
  return undefined;
}
