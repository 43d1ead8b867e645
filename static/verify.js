// Verifies the event on the page: its leaf hash, the inclusion proof and the signature over the tree’s root.
import {
  checkSignature,
  decodeBase64,
  encodeBase64,
  isSame,
  leafHashOf,
  readCheckpoint,
  readKey,
  rootOf,
} from './signed-log.js';
import { offer } from './verdict.js';

const shown = (id) => document.getElementById(id).textContent;

async function checkLeaf() {
  const leaf = await leafHashOf(shown('record'));
  if (encodeBase64(leaf) !== shown('leaf-hash').trim()) throw new Error('the record shown has a different hash');
}

async function checkInclusion() {
  const leaf = await leafHashOf(shown('record'));
  const { size, root } = readCheckpoint(shown('checkpoint'));
  const proof = [...document.querySelectorAll('#inclusion-proof code')].map(({ textContent }) =>
    decodeBase64(textContent),
  );
  if (!isSame(await rootOf(leaf, Number(shown('leaf-index')), size, proof), root))
    throw new Error('the proof leads to a different root');
}

async function checkSigner() {
  const checkpoint = readCheckpoint(shown('checkpoint'));
  const key = await readKey(shown('verifier-key'));
  if (key.name !== checkpoint.origin) throw new Error('the checkpoint belongs to a different log');
  return checkSignature(checkpoint.text, checkpoint.signatures, key);
}

const STEPS = [
  { title: 'The record matches the leaf hash', check: checkLeaf },
  { title: 'The leaf is in the tree of the checkpoint', check: checkInclusion },
  { title: 'The key signed the checkpoint', check: checkSigner },
];

const VERDICTS = {
  good: 'Verified: this record is in the signed log.',
  warning: 'The record is in the tree, but the signature was not checked.',
  danger: 'NOT verified: this page does not match the signed log.',
};

document.querySelectorAll('[data-verify]').forEach((section) => offer(section, () => STEPS, VERDICTS));
