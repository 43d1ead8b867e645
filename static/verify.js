// Verifies the event on the page: its leaf hash, the inclusion proof and the signature over the tree’s root.
'use strict';

const LEAF = 0;
const NODE = 1;
const ED25519 = 1;
const KEY_ID_BYTES = 4;

const shown = (id) => document.getElementById(id).textContent;
const encode = (text) => new TextEncoder().encode(text);
const decodeBase64 = (text) => Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
const encodeBase64 = (bytes) => btoa(String.fromCharCode(...bytes));
const isSame = (one, other) => one.length === other.length && one.every((byte, at) => byte === other[at]);

async function sha256(...parts) {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', await new Blob(parts).arrayBuffer()));
}

/** RFC 9162 §2.1.3.2. */
async function rootOf(leaf, index, size, proof) {
  if (!(index >= 0 && index < size)) throw new Error(`a tree of ${size} leaves has no leaf ${index}`);
  let [node, last, hash] = [index, size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0) throw new Error('the proof is too long');
    if (node % 2 === 1 || node === last) {
      hash = await sha256(Uint8Array.of(NODE), sibling, hash);
      while (node % 2 === 0 && node > 0) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
    } else {
      hash = await sha256(Uint8Array.of(NODE), hash, sibling);
    }
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  if (last !== 0) throw new Error('the proof is too short');
  return hash;
}

/** A signed note of three lines (C2SP tlog-checkpoint, signed-note). */
function readCheckpoint(note) {
  const end = note.lastIndexOf('\n\n');
  const [origin, size, root, ...more] = note.slice(0, end).split('\n');
  if (end === -1 || more.length > 0 || !/^\d+$/.test(size)) throw new Error('this is not a valid checkpoint');
  return {
    text: note.slice(0, end + 1),
    signatures: note.slice(end + 2).split('\n'),
    origin,
    size: Number(size),
    root: decodeBase64(root),
  };
}

async function readKey(verifierKey) {
  const [name, id, ...rest] = verifierKey.trim().split('+');
  const typedKey = decodeBase64(rest.join('+'));
  const hash = await sha256(encode(`${name}\n`), typedKey);
  const keyId = hash.slice(0, KEY_ID_BYTES);
  const hex = [...keyId].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  if (typedKey[0] !== ED25519 || hex !== id) throw new Error('this is not a valid verifier key');
  return { name, keyId, publicKey: typedKey.slice(1) };
}

function signatureBy({ name, keyId }, signatures) {
  for (const line of signatures) {
    const [, signer, base64] = /^— (\S+) (\S+)$/u.exec(line) ?? [];
    const bytes = signer === name ? decodeBase64(base64) : new Uint8Array();
    if (isSame(bytes.slice(0, KEY_ID_BYTES), keyId)) return bytes.slice(KEY_ID_BYTES);
  }
  throw new Error('the checkpoint has no signature by this key');
}

/** Returns undefined if this browser does not support Ed25519. */
async function importKey(publicKey) {
  try {
    return await crypto.subtle.importKey('raw', publicKey, { name: 'Ed25519' }, false, ['verify']);
  } catch {
    return undefined;
  }
}

async function checkLeaf() {
  const leaf = await sha256(Uint8Array.of(LEAF), encode(shown('record')));
  if (encodeBase64(leaf) !== shown('leaf-hash').trim()) throw new Error('the record shown has a different hash');
}

async function checkInclusion() {
  const leaf = await sha256(Uint8Array.of(LEAF), encode(shown('record')));
  const { size, root } = readCheckpoint(shown('checkpoint'));
  const proof = [...document.querySelectorAll('#inclusion-proof code')].map(({ textContent }) =>
    decodeBase64(textContent),
  );
  if (!isSame(await rootOf(leaf, Number(shown('leaf-index')), size, proof), root))
    throw new Error('the proof leads to a different root');
}

async function checkSignature() {
  const checkpoint = readCheckpoint(shown('checkpoint'));
  const key = await readKey(shown('verifier-key'));
  if (key.name !== checkpoint.origin) throw new Error('the checkpoint belongs to a different log');
  const signature = signatureBy(key, checkpoint.signatures);
  const imported = await importKey(key.publicKey);
  if (imported === undefined) return 'this browser doesn’t support Ed25519 signatures';
  if (!(await crypto.subtle.verify({ name: 'Ed25519' }, imported, signature, encode(checkpoint.text))))
    throw new Error('the signature doesn’t match the checkpoint');
  return undefined;
}

const STEPS = [
  { title: 'The record matches the leaf hash', check: checkLeaf },
  { title: 'The leaf is in the tree of the checkpoint', check: checkInclusion },
  { title: 'The key signed the checkpoint', check: checkSignature },
];

/** The outcome of one check. A check returns a reason if this browser cannot decide. */
async function outcomeOf(check) {
  try {
    const unknown = await check();
    return unknown === undefined ? { is: 'good', words: 'yes' } : { is: 'warning', words: `not checked: ${unknown}` };
  } catch (error) {
    return { is: 'danger', words: `no: ${error.message}` };
  }
}

const VERDICTS = {
  good: 'Verified: this record is in the signed log.',
  warning: 'The record is in the tree, but the signature was not checked.',
  danger: 'NOT verified: this page does not match the signed log.',
};

function element(name, text, className = '') {
  const made = document.createElement(name);
  made.textContent = text;
  if (className !== '') made.className = className;
  return made;
}

async function verify(verdict) {
  const results = [];
  for (const { title, check } of STEPS) results.push({ title, ...(await outcomeOf(check)) });
  const worst = ['danger', 'warning', 'good'].find((is) => results.some((result) => result.is === is));
  const box = element('div', '', `notice notice--${worst}`);
  const list = element('ul', '');
  for (const { title, is, words } of results) {
    const item = element('li', `${title}: ${words}`);
    item.dataset.result = is;
    list.append(item);
  }
  box.append(element('p', VERDICTS[worst], 'notice__title'), list);
  box.dataset.verdict = worst;
  verdict.replaceChildren(box);
}

function offer(section) {
  const verdict = section.querySelector('#verdict');
  // Browsers offer it only over https and on localhost.
  if (globalThis.crypto?.subtle === undefined) {
    verdict.append(
      element(
        'p',
        'Browsers can verify this only over https or on localhost. See below how to verify independently.',
        'meta',
      ),
    );
    return;
  }
  const button = element('button', 'Verify in this browser', 'button button--primary');
  button.type = 'button';
  button.addEventListener('click', () => {
    void verify(verdict);
  });
  const actions = element('div', '', 'actions');
  actions.append(button);
  verdict.before(actions);
}

document.querySelectorAll('[data-verify]').forEach(offer);
