// Verifies the chain on the page: signatures, the place of each record in the log, the rules of each exchange, and that
// the page shows this chain. The rules are shared with scripts/verify-chain.mjs.
import { checkProof, readProof, readStatement } from './chain-rules.js';
import { checkSignature, decodeBase64, isSame, leafHashOf, readCheckpoint, readKey, rootOf } from './signed-log.js';
import { offer } from './verdict.js';

async function fetchProof(address) {
  const response = await fetch(address, { cache: 'no-store' });
  if (!response.ok) throw new Error(`the server did not send the proof (${response.status})`);
  return readProof(await response.text());
}

/** The error with the hop that the rules blame, as the stand-alone verifier prints it. */
function withHop(error) {
  const { hop, kind, message } = error;
  if (kind === undefined) return error;
  const where = hop === null ? '' : `${hop.number === 0 ? 'root' : `hop ${hop.number}`} (grant ${hop.grant}) `;
  return new Error(`${where}${kind}: ${message}`);
}

async function checkSigner({ proof }) {
  const key = await readKey(proof.proof.key);
  const checkpoint = readCheckpoint(proof.proof.checkpoint);
  if (key.name !== checkpoint.origin) throw new Error('the checkpoint belongs to a different log');
  const statement = readStatement(proof.proof.statement, checkpoint.text.split('\n', 3));
  if (!statement?.stated) throw new Error('the statement is about another state of the log');
  const unknown = await checkSignature(checkpoint.text, checkpoint.signatures, key);
  return unknown ?? checkSignature(statement.signed, statement.signatures.split('\n'), key);
}

async function checkRecords({ proof, items }) {
  const { size, root } = readCheckpoint(proof.proof.checkpoint);
  for (const { event, record, path } of items) {
    const found = await rootOf(await leafHashOf(record), event.position - 1, size, path.map(decodeBase64));
    if (!isSame(found, root)) throw new Error(`the record at position ${event.position} is not in the log`);
  }
}

function hopsIn(read) {
  const { origin, size, text } = readCheckpoint(read.proof.proof.checkpoint);
  const { stated } = readStatement(read.proof.proof.statement, text.split('\n', 3)) ?? {};
  return checkProof(read, { name: origin, size }, stated ?? new Map()).hops;
}

/** Checks that each hop is on the page, inside the hop above it, with the event that ended it. */
function checkPage(hops, section) {
  const requestedGrant = hops.at(-1)?.grant;
  if (requestedGrant !== section.dataset.grant) throw new Error('the proof is about another grant');
  let above = null;
  for (const [number, { grant, position, end }] of hops.entries()) {
    const shown = [...document.querySelectorAll('[data-grant][data-position]')].find(
      ({ dataset }) => dataset.grant === grant,
    );
    if (shown?.dataset.position !== String(position))
      throw new Error(`the page does not show hop ${number} of the chain`);
    const item = shown.closest('li');
    if (above !== null && !above.contains(item)) throw new Error(`the page shows hop ${number} in another place`);
    if ((shown.dataset.end ?? '') !== String(end?.position ?? ''))
      throw new Error(`the page shows another end of hop ${number}: reload it`);
    above = item;
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
    step('The key signed the checkpoint and the statement', checkSigner),
    step('Every record is in the tree of the checkpoint', checkRecords),
    step('The records give this chain, and each exchange keeps the rules', (read) => void hopsIn(read)),
    step('The page shows this chain', (read) => checkPage(hopsIn(read), section)),
  ];
}

const VERDICTS = {
  good: 'Verified: the signed log has this chain, and nothing of it was left out.',
  warning: 'The chain follows from the records, but the signatures were not checked.',
  danger: 'NOT verified: the proof does not match the signed log or this page.',
};

document.querySelectorAll('[data-verify]').forEach((section) => offer(section, () => stepsFor(section), VERDICTS));
