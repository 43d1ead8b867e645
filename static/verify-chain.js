// Verifies the chain on the page: the signatures, that the log contains each record, the rules of each exchange, and
// that the page shows this chain. The rules are shared with scripts/verify-chain.mjs.
import { checkProof, readProof, readStatement } from './chain-rules.js';
import { checkSignature, decodeBase64, isSame, leafHashOf, readCheckpoint, readKey, rootOf } from './signed-log.js';
import { text } from './texts.js';
import { offer } from './verdict.js';

async function fetchProof(url) {
  const response = await fetch(url, { cache: 'no-store' });
  if (!response.ok) throw new Error(text('verdict.no-proof', { status: response.status }));
  return readProof(await response.text());
}

/** Returns the error with the hop at which a rule is violated, as the standalone verifier reports it in English. */
function withHop(error) {
  const { hop, kind, rule, values, message } = error;
  if (kind === undefined) return error;
  const reason = {
    kind: text(`chain-kind.${kind}`),
    rule: rule === null ? message : text(`chain-rule.${rule}`, values),
  };
  const where = hop === null ? 'verdict.broken' : hop.number === 0 ? 'verdict.broken-root' : 'verdict.broken-hop';
  return new Error(text(where, { ...hop, ...reason }));
}

async function checkSigner({ proof }) {
  const key = await readKey(proof.proof.key);
  const checkpoint = readCheckpoint(proof.proof.checkpoint);
  if (key.name !== checkpoint.origin) throw new Error(text('verdict.other-log'));
  const statement = readStatement(proof.proof.statement, checkpoint.text.split('\n', 3));
  if (!statement?.streams) throw new Error(text('verdict.other-state'));
  const uncheckedReason = await checkSignature(checkpoint.text, checkpoint.signatures, key);
  return uncheckedReason ?? checkSignature(statement.signedText, statement.signatures.split('\n'), key);
}

async function checkRecords({ proof, items }) {
  const { size, root } = readCheckpoint(proof.proof.checkpoint);
  for (const { event, record, path } of items) {
    const found = await rootOf(await leafHashOf(record), event.position - 1, size, path.map(decodeBase64));
    if (!isSame(found, root)) throw new Error(text('verdict.not-in-log', { position: event.position }));
  }
}

function hopsIn(read) {
  const { origin, size, text: note } = readCheckpoint(read.proof.proof.checkpoint);
  const { streams } = readStatement(read.proof.proof.statement, note.split('\n', 3)) ?? {};
  return checkProof(read, { name: origin, size }, streams ?? new Map()).hops;
}

/** Checks that each hop is on the page, inside the hop above it, with the event that ended it. */
function checkPage(hops, section) {
  const requestedGrant = hops.at(-1)?.grant;
  if (requestedGrant !== section.dataset.grant) throw new Error(text('verdict.other-grant'));
  let parentItem = null;
  for (const [number, { grant, position, end }] of hops.entries()) {
    const shown = [...document.querySelectorAll('[data-grant][data-position]')].find(
      ({ dataset }) => dataset.grant === grant,
    );
    if (shown?.dataset.position !== String(position)) throw new Error(text('verdict.hop-not-shown', { number }));
    const item = shown.closest('li');
    if (parentItem !== null && !parentItem.contains(item)) throw new Error(text('verdict.hop-elsewhere', { number }));
    if ((shown.dataset.end ?? '') !== String(end?.position ?? ''))
      throw new Error(text('verdict.hop-other-end', { number }));
    parentItem = item;
  }
}

function stepsFor(section) {
  let fetched;
  const proof = () => (fetched ??= fetchProof(section.dataset.proof));
  const step = (title, check) => ({
    title,
    check: () =>
      proof()
        .then(check)
        .catch((error) => Promise.reject(withHop(error))),
  });
  return [
    step('verdict.chain-signer-step', checkSigner),
    step('verdict.records-step', checkRecords),
    step('verdict.rules-step', (read) => void hopsIn(read)),
    step('verdict.page-step', (read) => checkPage(hopsIn(read), section)),
  ];
}

const VERDICTS = {
  good: 'verdict.chain-good',
  warning: 'verdict.chain-warning',
  danger: 'verdict.chain-danger',
};

document.querySelectorAll('[data-verify]').forEach((section) => offer(section, () => stepsFor(section), VERDICTS));
