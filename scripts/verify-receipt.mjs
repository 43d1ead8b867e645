#!/usr/bin/env node
// Verifies a receipt for a consent without Grantlog: this file needs Node 20.19 or newer and nothing else. Read it
// before you trust it; it is short for that reason.
//
// Users download a receipt from the page of an authorized application. Its member `proof` has two records of the log
// (the consent, and the code, device or token that was authorized with it), each with its path to the root of a Merkle
// tree (RFC 6962 §2.1.1), and a signed checkpoint with that root (C2SP tlog-checkpoint). All other members repeat the
// contents of the records in plain terms. The receipt is valid if the checkpoint is signed, the paths lead to its
// root, and the other members follow from the records.

import { createHash, createPublicKey, verify } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

const USAGE = `Usage: node verify-receipt.mjs RECEIPT [--key KEY] [--views DIR]

Checks that every member of the receipt in the file RECEIPT follows from records that are in the log.
Without --key, the script trusts the key in the receipt. It is better to get the key separately, for
example from https://SERVER/o/log/key, and to pass it. With --views, also checks that the consent page
was made from the templates in DIR, the directory views in the source of the release that the server
ran. The page's messages are read from the directory src/language/messages beside DIR.

Exit status 0: the receipt verifies. 1: it does not. 2: the receipt cannot be checked.
`;

const FORMAT = 'grantlog-receipt-1';
const HASH_BYTES = 32;
const ED25519 = 1;
const SPKI = Buffer.from('302a300506032b6570032100', 'hex'); // RFC 8410: precedes the raw key in DER
const PAGES = ['authorize', 'device-consent'];
const LANGUAGES = ['en', 'de'];

/** Thrown when a receipt does not verify. */
export class Forged extends Error {}

/**
 * Verifies a receipt and returns its members.
 * @param text the content of the file
 * @param trustedKey the verifier key of the log; undefined to trust the one in the receipt
 * @throws Forged if the receipt was changed, or `text` is not a receipt
 */
export function verifyReceipt(text, trustedKey) {
  const receipt = parse(text, 'the receipt');
  // JSON.parse drops the first of two members with the same name, but a human may read it.
  if (text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1') !== JSON.stringify(receipt))
    throw new Forged('its JSON is not in the form that the server writes');
  const { key, checkpoint, records } = requireObject(receipt.proof, 'proof');
  if (!Array.isArray(records) || records.length !== 2) throw new Forged('it must have two records');
  const head = openCheckpoint(checkpoint, readKey(key, trustedKey));
  for (const record of records) checkInclusion(requireObject(record, 'a record'), head);
  const expected = { ...statementOf(head.origin, records), proof: { key, checkpoint, records } };
  for (const name of new Set([...Object.keys(expected), ...Object.keys(receipt)]))
    if (!isDeepStrictEqual(receipt[name], expected[name]))
      throw new Forged(`the member ${name} does not follow from the records`);
  return expected;
}

/** Returns the name of the consent page that has this text version with the templates in `views`, if one has. */
export function pageOf(textVersion, views) {
  const texts = readTexts(join(views, '../src/language/messages'));
  return PAGES.find((page) =>
    LANGUAGES.some((language) => textVersionOf(page, views, texts[language]) === textVersion),
  );
}

// ---- the records ---------------------------------------------------------------------------------------

function statementOf(log, records) {
  const [consent, secondRecord] = records.map(({ record }) => parse(record, 'a record'));
  const { type, stream, recordedAt, data } = consent;
  if (type !== 'ConsentGiven' || stream !== `grant-${data.grantId}`)
    throw new Forged('the first record is not a consent');
  checkSecondRecord(consent, secondRecord);
  const { shown } = data;
  return {
    format: FORMAT,
    log,
    grant: data.grantId,
    user: data.userId,
    client: { id: data.clientId, name: shown?.application ?? null, documentHash: data.documentHash ?? null },
    scopes: data.scope.map((name) => {
      const shownScope = shown?.scopes.find((scope) => scope.name === name);
      return shownScope === undefined
        ? { name, text: null, claims: null }
        : { name, text: shownScope.text, claims: shownScope.claims ?? [] };
    }),
    claims: shown === undefined ? null : (shown.claims ?? []),
    ...(data.details && {
      details: data.details.map((detail) => ({
        type: detail.type,
        hash: detail.hash,
        text: shown?.details?.find((text) => text.type === detail.type)?.text ?? null,
      })),
    }),
    resources: secondRecord.data.resource ?? [],
    redirectUri: secondRecord.type === 'AuthorizationCodeIssued' ? secondRecord.data.redirectUri : null,
    consentedAt: new Date(recordedAt).toISOString(),
    basis: data.basis,
    textVersion: shown?.textVersion ?? null,
  };
}

/**
 * Checks that the second record, which contains the resource servers and the redirect URI, directly follows the consent
 * in its stream.
 */
function checkSecondRecord(consent, secondRecord) {
  if (secondRecord.stream !== consent.stream || secondRecord.revision !== consent.revision + 1)
    throw new Forged('the second record does not belong to the consent');
}

// ---- the tree ------------------------------------------------------------------------------------------

function sha256(...parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

const leafHash = (record) => sha256(Buffer.of(0), record);
const nodeHash = (left, right) => sha256(Buffer.of(1), left, right);

/** Verifies an inclusion proof (RFC 9162 §2.1.3.2). The leaf of the record at position p has the index p - 1. */
function checkInclusion({ position, record, path, ...rest }, { size, root }) {
  const isWellFormed = Object.keys(rest).length === 0 && typeof record === 'string' && Array.isArray(path);
  if (!isWellFormed) throw new Forged('a record must have the members position, record and path');
  if (!Number.isSafeInteger(position) || position < 1 || position > size)
    throw new Forged('a record is outside the log');
  let [node, last, hash] = [position - 1, size - 1, leafHash(record)];
  for (const sibling of path.map((text) => hashFrom(text))) {
    if (last === 0) throw new Forged('a path is too long');
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(sibling, hash);
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else hash = nodeHash(hash, sibling);
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  if (last !== 0 || !hash.equals(root)) throw new Forged(`the record at position ${position} is not in the log`);
}

function hashFrom(text) {
  const bytes = fromBase64(text);
  if (bytes?.length !== HASH_BYTES) throw new Forged('a path has an element that is not a hash');
  return bytes;
}

// ---- signatures ----------------------------------------------------------------------------------------

/** Decodes base64 strictly; undefined if the encoding is not canonical. */
function fromBase64(text) {
  const bytes = Buffer.from(String(text), 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

const keyIdOf = (name, typedKey) => sha256(`${name}\n`, typedKey).toString('hex', 0, 4);

/** A verifier key is <name>+<key id>+<base64 of the algorithm and the public key> (C2SP signed-note). */
function readKey(key, trustedKey) {
  const [, name, keyId, base64] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(String(key)) ?? [];
  const typedKey = base64 === undefined ? undefined : fromBase64(base64);
  if (typedKey?.length !== 1 + HASH_BYTES || typedKey[0] !== ED25519 || keyId !== keyIdOf(name, typedKey))
    throw new Forged('its key is not the verifier key of an Ed25519 key');
  // Names may differ: the log's name is its address, which may have changed since the key was stored.
  const isDifferentKey = trustedKey !== undefined && trustedKey.trim().split('+').slice(2).join('+') !== base64;
  if (isDifferentKey) throw new Forged('it is not signed with the given key');
  return { name, typedKey };
}

/** A checkpoint has three lines (name of the log, size, root), an empty line, and signature lines. */
function openCheckpoint(note, { name, typedKey }) {
  const [, text, origin, size, base64Root, signer, base64] =
    /^((\S+)\n(0|[1-9]\d{0,15})\n(\S+)\n)\n— (\S+) (\S+)\n$/u.exec(String(note)) ?? [];
  const [root, signature] = [fromBase64(base64Root), fromBase64(base64)];
  if (root?.length !== HASH_BYTES || signature === undefined) throw new Forged('it has no signed checkpoint');
  const keyId = keyIdOf(name, typedKey);
  const publicKey = createPublicKey({ key: Buffer.concat([SPKI, typedKey.subarray(1)]), format: 'der', type: 'spki' });
  const isSigned =
    origin === name &&
    signer === name &&
    signature.toString('hex', 0, 4) === keyId &&
    verify(null, Buffer.from(text), publicKey, signature.subarray(4));
  if (!isSigned) throw new Forged('its checkpoint is not signed with the key');
  return { origin, size: Number(size), root };
}

// ---- the page ------------------------------------------------------------------------------------------

const byName = ([left], [right]) => (left < right ? -1 : 1);

/**
 * Reads the messages of each language by key. Parses their source, because this script does not run code of the
 * release.
 */
function readTexts(directory) {
  const texts = { en: new Map(), de: new Map() };
  for (const file of readdirSync(directory).filter((name) => name.endsWith('.ts'))) {
    const [en, de = ''] = readFileSync(join(directory, file), 'utf8').split('\nconst de:');
    for (const [language, source] of Object.entries({ en, de }))
      for (const [, key, literals] of source.matchAll(/^ {2}'([^']+)':((?:\s*\+?\s*'[^'\\]*')+),$/gm))
        texts[language].set(key, [...literals.matchAll(/'([^']*)'/g)].map(([, text]) => text).join(''));
  }
  return texts;
}

/**
 * Computes the SHA-256 of the template and its partials, in the order of their names, and of the messages that they
 * use, in the order of their keys.
 */
function textVersionOf(page, views, texts) {
  const sources = new Map();
  const readTemplate = (name) => {
    if (sources.has(name)) return;
    sources.set(name, readFileSync(join(views, `${name}.ejs`), 'utf8'));
    for (const [, partial] of sources.get(name).matchAll(/\bpartial\('([\w-]+)'/g)) readTemplate(`partials/${partial}`);
  };
  readTemplate(page);
  const templates = [...sources].toSorted(byName).map(([, source]) => source);
  const isUsed = ([key]) => templates.some((source) => source.includes(`'${key}'`));
  const entries = [...texts].filter(isUsed).toSorted(byName);
  return sha256(...templates, ...entries.map(([key, text]) => `${key}\n${text}\n`)).toString('hex');
}

// ---- the command ---------------------------------------------------------------------------------------

function parse(text, name) {
  try {
    return requireObject(JSON.parse(text), name);
  } catch (error) {
    throw error instanceof Forged ? error : new Forged(`${name} is not JSON`);
  }
}

function requireObject(value, name) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Forged(`${name} is not an object`);
  return value;
}

function describe({ client, scopes, claims, details = [], resources, consentedAt, basis, proof }) {
  const lines = [
    `verified: at ${consentedAt}, the user authorized ${client.name ?? 'the application'} (${client.id})`,
    ...(client.documentHash === null ? [] : [`  with the metadata document ${client.documentHash}`]),
    ...scopes.map(({ name, text, claims: claimNames }) =>
      [`  ${name}`, ...(text ?? []), ...(claimNames?.length ? [`shares: ${claimNames.join(', ')}`] : [])].join(' · '),
    ),
    ...(claims?.length ? [`  also shares: ${claims.join(', ')}`] : []),
    ...details.map(({ type, hash, text }) => `  ${[type, text ?? [], `hash ${hash}`].flat().join(' · ')}`),
    resources.length === 0 ? '  for every resource server' : `  only for ${resources.join(' ')}`,
    ...(basis === 'asked' || basis === 'device' ? [] : [`  without a consent page (${basis})`]),
    `the consent is record ${proof.records[0].position} of the log ${proof.checkpoint.split('\n', 1)[0]}`,
  ];
  return `${lines.map(makePrintable).join('\n')}\n`;
}

/** Names come from untrusted sources, so they must not contain terminal control characters. */
const makePrintable = (line) => line.replaceAll(/[\p{Cc}\p{Cf}]/gu, '\ufffd');

function main(args) {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(USAGE);
    return 0;
  }
  const options = {};
  const files = [];
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index];
    if (argument === '--key' || argument === '--views') options[argument.slice(2)] = args[(index += 1)] ?? '';
    else files.push(argument);
  }
  const isValid = files.length === 1 && !files[0].startsWith('-') && options.key !== '' && options.views !== '';
  if (!isValid) {
    process.stderr.write(USAGE);
    return 2;
  }
  try {
    const receipt = verifyReceipt(readFileSync(files[0], 'utf8'), options.key);
    process.stdout.write(describe(receipt));
    if (options.key === undefined)
      process.stdout.write('verified with the key in the receipt; pass --key to check whose key it is\n');
    if (options.views === undefined) return 0;
    readdirSync(options.views);
    const page = pageOf(receipt.textVersion, options.views);
    if (page === undefined) throw new Forged(`the consent page was not made from the templates in ${options.views}`);
    process.stdout.write(`the consent page was made from ${page}.ejs in ${options.views}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof Forged)) {
      process.stderr.write(`cannot verify: ${error.message}\n`);
      return 2;
    }
    process.stdout.write(`DOES NOT VERIFY: ${error.message}\n`);
    return 1;
  }
}

const isCommand = process.argv[1] !== undefined && realpathSync(process.argv[1]) === import.meta.filename;
if (isCommand) process.exitCode = main(process.argv.slice(2));
