#!/usr/bin/env node
// Verifies chains of token exchanges (RFC 8693) without Grantlog: this file, chain-rules.mjs and verify-bundle.mjs need
// Node 20.19 or newer and nothing else. Read them before you trust them; they are short for that reason.
//
// A proof from `grantlog log prove --chain` contains the records of each grant in a chain, and of the client, the
// account and the session that the grant depends on. Each record has its path to the root of a Merkle tree (RFC 6962
// §2.1.1), and a signed checkpoint contains that root (C2SP tlog-checkpoint). A signed statement contains the number of
// events of each of these streams, and the revisions of the events in the proof, so no record can be left out later.
// chain-rules.mjs rebuilds the chain from the records by its own rules. Only a bundle of the whole log shows whether
// the server itself has left out events.

import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import {
  Broken,
  checkProof,
  claimedHops,
  compareHops,
  firstOf,
  grantOf,
  isExchange,
  parseRecord,
  readProof,
  readStatement,
  rebuild,
} from './chain-rules.mjs';
import {
  checkSignatures,
  Damage,
  fromBase64,
  leafHash,
  linesOf,
  nodeHash,
  openCheckpoint,
  readKey,
  tilePath,
  verifyBundle,
} from './verify-bundle.mjs';

export { Broken };

const USAGE = `Usage: node verify-chain.mjs PROOF [--key KEY] [--bundle DIR]
       node verify-chain.mjs --bundle DIR [--key KEY]

Rebuilds the chain of exchanges in the file PROOF (from: grantlog log prove --chain GRANT), and reports the hop that was
dropped, altered or reordered. With --bundle, also checks that the log in DIR (from: grantlog log export --bundle DIR)
has the same chain, and that the server has not left out any events. Without PROOF, rebuilds every chain in the log.
Without --key, the script trusts the key in the proof or bundle. It is better to get the key separately, for example
from https://SERVER/o/log/key, and to pass it.

Exit status 0: every chain verifies. 1: a chain does not verify. 2: the chains cannot be checked.
`;

const HASH_BYTES = 32;

/**
 * Verifies a proof and returns { format, log, size, root, grant, hops, streams }.
 * @param text the content of the file
 * @param trustedKey the verifier key of the log; undefined to trust the one in the proof
 * @throws Broken if the proof was changed, or the chain breaks a rule
 */
export function verifyChain(text, trustedKey) {
  const content = readProof(text);
  const { key, checkpoint, statement } = content.proof.proof;
  const head = openVerified(() => openHead(key, checkpoint, trustedKey));
  for (const { event, record, path } of content.items)
    if (!isIncluded(event.position, record, path, head))
      throw new Broken(
        content.hopOf(event.stream, event.position),
        'altered',
        `the record at position ${event.position} is not in the log`,
      );
  const statedStreams = openVerified(() => openStatement(statement, head));
  const { hops, streams } = checkProof(content, head, statedStreams);
  for (const { events } of streams.values()) events.forEach(requireIssuerStream);
  const { name: log, size, root } = head;
  return {
    format: content.proof.format,
    log,
    size,
    grant: content.proof.grant,
    hops,
    root: root.toString('base64'),
    streams,
  };
}

// ---- the proof -----------------------------------------------------------------------------------------

function openVerified(open) {
  try {
    return open();
  } catch (error) {
    if (error instanceof Damage) throw new Broken(null, 'altered', `${error.file}: ${error.message}`);
    throw error;
  }
}

function openHead(key, checkpoint, trustedKey) {
  const typedKey = readKey(`${String(key)}\n`, trustedKey?.trim());
  const note = String(checkpoint);
  const { size, root } = openCheckpoint('checkpoint', Buffer.from(note), typedKey);
  const name = note.slice(0, note.indexOf('\n'));
  if (note.split('\n').length !== 6 || String(key).split('+')[0] !== name)
    throw new Damage('checkpoint', 'it must have one signature, by the key of the proof');
  return { name, size, root, typedKey, text: note.split('\n', 3) };
}

/** Returns the number of events in each stream, and the revisions of those events that are in the proof. */
function openStatement(statement, { name, typedKey, text }) {
  const parts = readStatement(statement, text);
  if (parts === undefined) throw new Damage('statement', 'it is not a signed statement');
  checkSignatures('statement', { name, text: parts.signedText, signatures: parts.signatures }, typedKey);
  if (parts.streams === null) throw new Damage('statement', 'it is about a different state of the log');
  return parts.streams;
}

/** Verifies an inclusion proof (RFC 9162 §2.1.3.2). The leaf of the record at position p has the index p - 1. */
function isIncluded(position, record, path, { size, root }) {
  if (!Number.isSafeInteger(position) || position < 1 || position > size) return false;
  let [node, last, hash] = [position - 1, size - 1, leafHash(record)];
  for (const sibling of path.map((text) => fromBase64(String(text)))) {
    if (last === 0 || sibling?.length !== HASH_BYTES) return false;
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(sibling, hash);
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else hash = nodeHash(hash, sibling);
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 && hash.equals(root);
}

// ---- the whole log -------------------------------------------------------------------------------------

/**
 * Verifies that the log in a bundle has the chain of a verified proof, and no events that the proof leaves out. Returns
 * the hops with their state at the end of the bundle.
 * @throws Broken if records of the chain were changed, or the server left out events
 * @throws Damage if other parts of the bundle were changed
 */
export function verifyInBundle({ grant, hops, size, root, streams }, directory, trustedKey) {
  const claimedRoots = new Map([[size, Buffer.from(root, 'base64')]]);
  const allStreams = new Map([...streams.keys()].map((stream) => [stream, { count: 0, events: [], missing: [] }]));
  const hopOf = claimedHops(hops);
  readBundle(directory, trustedKey, claimedRoots, hopOf, (event) => addTo(allStreams, event));
  const streamsAtProof = new Map(
    [...allStreams].map(([stream, { events }]) => [
      stream,
      toStream(events.filter(({ position }) => position <= size)),
    ]),
  );
  for (const [stream, { count }] of streams)
    if (streamsAtProof.get(stream).count !== count)
      throw new Broken(
        hopOf(stream),
        'dropped',
        `${stream} has ${streamsAtProof.get(stream).count} records, not ${count}`,
      );
  compareHops(hops, rebuild(grant, streamsAtProof));
  return rebuild(grant, new Map([...allStreams].map(([stream, { events }]) => [stream, toStream(events)])));
}

/**
 * Rebuilds every chain in a bundle. Returns { exchanges, chains, broken }: the number of exchanges, the number of their
 * roots, and a Broken for each broken hop.
 * @throws Damage if the bundle was changed
 */
export function verifyAllChains(directory, trustedKey) {
  const exchanges = [];
  const streams = new Map([['clock', toStream([])]]);
  const collect = (stream) => streams.has(stream) || streams.set(stream, toStream([]));
  let position = 0;
  for (const line of linesOf(join(directory, 'records.jsonl'), () => position + 1)) {
    position += 1;
    const event = line.includes('"TokenExchanged"') ? parseRecord(line.toString('utf8'), position) : undefined;
    if (event?.type !== 'TokenExchanged') continue;
    exchanges.push(grantOf(event));
    for (const party of [event.data, event.data.parent, event.data.actor ?? {}, event.data.root ?? {}]) {
      if (party?.grantId !== undefined) collect(`grant-${party.grantId}`);
      if (party?.clientId !== undefined) collect(`client-${party.clientId}`);
    }
  }
  if (exchanges.length > 0)
    readBundle(
      directory,
      trustedKey,
      new Map(),
      () => null,
      (event) => {
        if (isAccountEvent(event) || isSessionEvent(event) || isIssuerEvent(event)) collect(event.stream);
        addTo(streams, event);
      },
    );
  else verifyBundle(directory, trustedKey);
  // Of accounts and sessions, only the events that can end grants were collected, so these are renumbered.
  const renumberedStreams = new Map([...streams].map(([stream, { events }]) => [stream, renumber(stream, events)]));
  const errors = exchanges.flatMap((grant) => {
    try {
      rebuild(grant, renumberedStreams);
      return [];
    } catch (error) {
      if (error instanceof Broken) return [error];
      throw error;
    }
  });
  const roots = new Set(exchanges.map((grant) => firstOf(grant, renumberedStreams)?.data.root?.grantId));
  return { exchanges: exchanges.length, chains: roots.size, broken: distinctErrors(errors) };
}

const isAccountEvent = ({ stream, type }) =>
  stream.startsWith('user-') && /^(?:User(?:Registered|Disabled|Erased)|AllSess|PasswordCh|PasskeyRem)/.test(type);
const isIssuerEvent = ({ stream }) => stream.startsWith('issuer-');
const isSessionEvent = ({ type }) => type === 'SessionStarted' || type === 'SessionEnded';

/** Removes repeated errors: the exchanges below a broken exchange report the same hop. */
function distinctErrors(errors) {
  const seen = new Set();
  return errors.filter(({ hop, message }) => {
    const key = `${hop?.grant} ${message}`;
    return !seen.has(key) && seen.add(key);
  });
}

const toStream = (events) => ({ count: events.at(-1)?.revision ?? 0, events, missing: [] });

function renumber(stream, events) {
  const isPartial = stream.startsWith('user-') || stream.startsWith('session-');
  return toStream(isPartial ? events.map((event, index) => ({ ...event, revision: index + 1 })) : events);
}

/**
 * Checks the name of a trusted issuer's stream: it is a hash of the issuer, so each issuer has only one stream.
 */
function requireIssuerStream({ stream, data: { issuer } }) {
  if (!stream.startsWith('issuer-')) return;
  const name = `issuer-${createHash('sha256').update(String(issuer)).digest('base64url')}`;
  if (stream !== name) throw new Broken(null, 'forbidden', `${stream} is not the stream of the issuer ${issuer}`);
}

function addTo(streams, event) {
  requireIssuerStream(event);
  streams.get(event.stream)?.events.push(event);
}

/**
 * Verifies a bundle, and calls `onEvent` with each event.
 * @throws Broken if the first damaged record belongs to a hop
 * @throws Damage if it belongs to none, or other files are damaged
 */
function readBundle(directory, trustedKey, claimedRoots, hopOf, onEvent) {
  try {
    verifyBundle(directory, trustedKey, claimedRoots, (record, position) => {
      const event = parseRecord(record.toString('utf8'), position);
      if (event !== undefined) onEvent(event);
    });
  } catch (error) {
    throw (
      (error instanceof Damage && error.file === 'records.jsonl' && brokenHopError(directory, error, hopOf)) || error
    );
  }
}

/**
 * Returns the error for a damaged record of a hop, which it finds in the tiles, because they still have the original
 * hashes. Returns undefined if the record belongs to no hop.
 */
function brokenHopError(directory, { position }, hopOf) {
  if (position === null) return undefined;
  const [line, next] = linesAt(directory, position);
  const [hash, nextTileHash] = tileHashes(directory, position);
  const original = originalRecord(directory, position, hash) ?? line?.toString('utf8') ?? '';
  const event = parseRecord(original, position);
  const hop = hopOf(event?.stream, position) ?? hopOfExchange(event);
  if (hop === null || hash === undefined) return undefined;
  const [lineHash, nextHash] = [line, next].map((bytes) => (bytes === undefined ? undefined : leafHash(bytes)));
  const isShifted = lineHash === undefined || (nextTileHash !== undefined && lineHash.equals(nextTileHash));
  const kind = !isShifted ? 'altered' : nextHash?.equals(hash) ? 'reordered' : 'dropped';
  return new Broken(hop, kind, `the record at position ${position} of the bundle does not match its tile`);
}

function hopOfExchange(event) {
  return event !== undefined && isExchange(event) ? { number: event.data.depth, grant: grantOf(event) } : null;
}

function linesAt(directory, position) {
  const lines = [];
  let linePosition = 0;
  try {
    for (const line of linesOf(join(directory, 'records.jsonl'), () => linePosition + 1)) {
      linePosition += 1;
      if (linePosition >= position) lines.push(line);
      if (linePosition > position) break;
    }
  } catch {
    // The file ends within a line.
  }
  return lines;
}

/** Reads the leaf hashes of the record at the position and of the next record from the tiles. */
function tileHashes(directory, position) {
  return [position - 1, position].map((index) => {
    const bytes = readTile(directory, index, (path) => path);
    const offset = (index % 256) * HASH_BYTES;
    return bytes === undefined || bytes.length < offset + HASH_BYTES
      ? undefined
      : bytes.subarray(offset, offset + HASH_BYTES);
  });
}

/** Returns the record from its entry bundle, or undefined if its hash is not the one in the hash tile. */
function originalRecord(directory, position, hash) {
  const bytes = readTile(directory, position - 1, (path) => path.replace('tile/0/', 'tile/entries/')) ?? Buffer.of();
  let [offset, index] = [0, (position - 1) % 256];
  while (offset + 2 <= bytes.length) {
    const end = offset + 2 + bytes.readUInt16BE(offset);
    const record = bytes.subarray(offset + 2, end);
    if (index === 0) return hash !== undefined && leafHash(record).equals(hash) ? record.toString('utf8') : undefined;
    offset = end;
    index -= 1;
  }
  return undefined;
}

/** Reads the widest tile of a leaf, full or partial. Returns undefined if the leaf has no tile. */
function readTile(directory, index, toPath) {
  const number = Math.floor(index / 256);
  for (let width = 256; width > index % 256; width -= 1) {
    try {
      return readFileSync(join(directory, toPath(tilePath(0, number, width))));
    } catch {
      // Try the next width.
    }
  }
  return undefined;
}

// ---- the command ---------------------------------------------------------------------------------------

const lineOf = ({ grant, client, user, scope, expiresAt, end }, number) =>
  [
    `  ${number === 0 ? 'root' : `hop ${number}`}: grant ${grant}, client ${client}`,
    user === null ? 'for itself' : `for user ${user}`,
    scope.join(' '),
    expiresAt === null ? '' : `until ${new Date(expiresAt * 1000).toISOString()}`,
    end === null ? 'not ended' : `ended by event ${end.position} (${end.cause}, ${end.of})`,
  ]
    .filter((part) => part !== '')
    .join(', ');

function describe(hops) {
  return hops.map(lineOf).map(makePrintable).join('\n');
}

/** Names come from untrusted sources, so they must not contain terminal control characters. */
const makePrintable = (line) => line.replaceAll(/[\p{Cc}\p{Cf}]/gu, '\ufffd');

function print(...lines) {
  process.stdout.write(`${lines.join('\n')}\n`);
}

function printBroken({ hop, kind, message }) {
  const location = hop === null ? '' : ` ${hop.number === 0 ? 'root' : `hop ${hop.number}`} (grant ${hop.grant})`;
  print(makePrintable(`BROKEN${location}: ${kind}: ${message}`));
  return 1;
}

function verifyFiles({ file, key, bundle }) {
  if (file === undefined) {
    const { exchanges, chains, broken } = verifyAllChains(bundle, key);
    broken.forEach(printBroken);
    if (broken.length === 0) print(`verified: ${exchanges} exchanges in the chains of ${chains} grants`);
    return broken.length === 0 ? 0 : 1;
  }
  const verifiedChain = verifyChain(readFileSync(file, 'utf8'), key);
  const exchanges = verifiedChain.hops.filter(({ began }) => began === 'TokenExchanged').length;
  print(`verified: ${exchanges} exchanges, as of record ${verifiedChain.size} of the log ${verifiedChain.log}`);
  print(describe(verifiedChain.hops));
  if (bundle !== undefined) {
    const currentHops = verifyInBundle(verifiedChain, bundle, key);
    print('the bundle has the same chain, and no events that the proof leaves out; at its end:', describe(currentHops));
  }
  return 0;
}

function main(args) {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(USAGE);
    return 0;
  }
  const options = {};
  const files = [];
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index];
    if (argument === '--key' || argument === '--bundle') options[argument.slice(2)] = args[(index += 1)] ?? '';
    else files.push(argument);
  }
  const isValid =
    files.length <= 1 &&
    files[0]?.startsWith('-') !== true &&
    Object.values(options).every((value) => value !== '') &&
    (files.length === 1 || options.bundle !== undefined);
  if (!isValid) {
    process.stderr.write(USAGE);
    return 2;
  }
  try {
    const status = verifyFiles({ file: files[0], ...options });
    if (status === 0 && options.key === undefined)
      print('verified with the key in the file; pass --key to check whose key it is');
    return status;
  } catch (error) {
    if (error instanceof Broken) return printBroken(error);
    if (error instanceof Damage)
      return printBroken({ hop: null, kind: 'altered', message: `${error.file}: ${error.message}` });
    process.stderr.write(`cannot verify: ${error.message}\n`);
    return 2;
  }
}

const isCommand = process.argv[1] !== undefined && realpathSync(process.argv[1]) === import.meta.filename;
if (isCommand) process.exitCode = main(process.argv.slice(2));
