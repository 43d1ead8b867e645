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
import { text } from './texts.js';
import { offer } from './verdict.js';

const shown = (id) => document.getElementById(id).textContent;

async function checkLeaf() {
  const leaf = await leafHashOf(shown('record'));
  if (encodeBase64(leaf) !== shown('leaf-hash').trim()) throw new Error(text('verdict.other-hash'));
}

async function checkInclusion() {
  const leaf = await leafHashOf(shown('record'));
  const { size, root } = readCheckpoint(shown('checkpoint'));
  const proof = [...document.querySelectorAll('#inclusion-proof code')].map(({ textContent }) =>
    decodeBase64(textContent),
  );
  if (!isSame(await rootOf(leaf, Number(shown('leaf-index')), size, proof), root))
    throw new Error(text('verdict.other-root'));
}

async function checkSigner() {
  const checkpoint = readCheckpoint(shown('checkpoint'));
  const key = await readKey(shown('verifier-key'));
  if (key.name !== checkpoint.origin) throw new Error(text('verdict.other-log'));
  return checkSignature(checkpoint.text, checkpoint.signatures, key);
}

const STEPS = [
  { title: 'verdict.leaf-step', check: checkLeaf },
  { title: 'verdict.inclusion-step', check: checkInclusion },
  { title: 'verdict.signer-step', check: checkSigner },
];

const VERDICTS = {
  good: 'verdict.good',
  warning: 'verdict.warning',
  danger: 'verdict.danger',
};

document.querySelectorAll('[data-verify]').forEach((section) => offer(section, () => STEPS, VERDICTS));
