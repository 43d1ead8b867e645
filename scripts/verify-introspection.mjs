#!/usr/bin/env node
// Compares signed introspection responses (RFC 9701) without Grantlog: this file and verify-bundle.mjs need
// Node 20.19 or newer and nothing else.
//
// Each response contains the head of the log that it is based on, in the claim log_head: the log's name, its
// size, and its root (RFC 6962 §2.1). The server signed it, so two responses with the same size and different
// roots prove that it has shown different histories.

import { createPublicKey, verify } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { Damage, verifyBundle } from './verify-bundle.mjs';

const USAGE = `Usage: node verify-introspection.mjs --keys FILE RESPONSE... [--bundle DIR [--key KEY]]

Verifies that the server signed each RESPONSE, a file with a JWT, and that no two of them contradict each other.
--keys is the key set of the server at the time of the signatures: https://SERVER/.well-known/jwks.json.
With --bundle, also checks that the log in DIR (from: grantlog log export --bundle DIR) had each of the heads.

Exit status 0: no contradiction. 1: a contradiction, or a response is not signed. 2: the responses cannot be checked.
`;

/** Nodes that share a log may be this many seconds behind each other. */
const MAX_SECONDS_BEHIND = 60;

const SCHEMES = {
  RS256: { digest: 'sha256', options: { padding: 1 } },
  PS256: { digest: 'sha256', options: { padding: 6, saltLength: 32 } },
  ES256: { digest: 'sha256', options: { dsaEncoding: 'ieee-p1363' } },
  EdDSA: { digest: null, options: {} },
};

/** Thrown when responses contradict each other, or one is not from the server. */
export class Contradiction extends Error {}

/**
 * Opens one response.
 * @returns its claims iss, aud and iat, and `head`, the claim log_head: { origin, size, root }
 * @throws Contradiction if the server did not sign it, or it has no head
 */
export function openResponse(jwt, { keys }) {
  const [header, payload, signature, ...rest] = jwt.trim().split('.');
  const { alg, kid, typ } = parseSegment(header);
  const key = keys.find((jwk) => jwk.kid === kid && jwk.alg === alg);
  const scheme = Object.hasOwn(SCHEMES, alg) ? SCHEMES[alg] : undefined;
  const isSupported =
    key !== undefined && scheme !== undefined && typ === 'token-introspection+jwt' && rest.length === 0;
  if (!isSupported) throw new Contradiction('it is not an introspection response signed with a key of the set');
  const publicKey = { key: createPublicKey({ key, format: 'jwk' }), ...scheme.options };
  const bytes = Buffer.from(signature ?? '', 'base64url');
  if (!verify(scheme.digest, Buffer.from(`${header}.${payload}`), publicKey, bytes))
    throw new Contradiction('its signature is invalid');
  const { iss, aud, iat, log_head: head } = parseSegment(payload);
  if (!Number.isSafeInteger(head?.size) || typeof head.root !== 'string')
    throw new Contradiction('it does not contain a head of the log');
  return { iss, aud, iat, head };
}

function parseSegment(segment = '') {
  try {
    return JSON.parse(Buffer.from(segment, 'base64url').toString('utf8')) ?? {};
  } catch {
    throw new Contradiction('it is not a JWT');
  }
}

/**
 * Compares each opened response with all others.
 * @throws Contradiction at the first contradiction
 */
export function compareResponses(responses) {
  for (const [index, first] of responses.entries()) {
    for (const second of responses.slice(index + 1)) {
      if (first.iss !== second.iss)
        throw new Contradiction(`they are from two servers, ${first.iss} and ${second.iss}`);
      const [earlier, later] = first.head.size <= second.head.size ? [first, second] : [second, first];
      if (earlier.head.size === later.head.size && earlier.head.root !== later.head.root)
        throw new Contradiction(
          `the log of ${earlier.head.size} records has two roots, ${earlier.head.root} and ${later.head.root}`,
        );
      if (earlier.head.size < later.head.size && earlier.iat > later.iat + MAX_SECONDS_BEHIND)
        throw new Contradiction(`the log first had ${later.head.size} records, and later only ${earlier.head.size}`);
    }
  }
}

// ---- the command ---------------------------------------------------------------------------------------

function main(args) {
  const options = {};
  /** @type {string[]} */
  const files = [];
  for (let index = 0; index < args.length; index += 1) {
    if (args[index] === '--help' || args[index] === '-h') return print(USAGE, 0);
    if (['--keys', '--bundle', '--key'].includes(args[index])) options[args[index]] = args[(index += 1)];
    else files.push(args[index]);
  }
  if (options['--keys'] === undefined || files.length === 0) return print(USAGE, 2);
  try {
    const keys = JSON.parse(readFileSync(options['--keys'], 'utf8'));
    const responses = files.map((file) => addFileName(file, () => openResponse(readFileSync(file, 'utf8'), keys)));
    compareResponses(responses);
    for (const [index, { head, aud, iat }] of responses.entries())
      print(`${files[index]}: for ${aud} at ${iat}, root ${head.root} of ${head.size} records\n`, 0);
    if (options['--bundle'] === undefined) return print('no contradiction\n', 0);
    const heads = new Map(responses.map(({ head }) => [head.size, Buffer.from(head.root, 'base64')]));
    const { size } = verifyBundle(options['--bundle'], options['--key'], heads);
    return print(`no contradiction: the log of ${size} records had all of these heads\n`, 0);
  } catch (error) {
    if (error instanceof Contradiction || error instanceof Damage) return print(`CONTRADICTION ${error.message}\n`, 1);
    return print(`cannot check: ${error.message}\n`, 2);
  }
}

function addFileName(file, open) {
  try {
    return open();
  } catch (error) {
    if (error instanceof Contradiction) throw new Contradiction(`${file}: ${error.message}`);
    throw error;
  }
}

function print(text, status) {
  (status === 2 ? process.stderr : process.stdout).write(text);
  return status;
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === import.meta.filename)
  process.exitCode = main(process.argv.slice(2));
