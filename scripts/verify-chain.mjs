#!/usr/bin/env node
// Verifies chains of token exchanges (RFC 8693) without Grantlog: this file and verify-bundle.mjs need Node 20.19
// or newer and nothing else. Read them before you trust them; they are short for that reason.
//
// A proof of `grantlog log prove --chain` has the records of each grant of a chain, and of the client, the account and
// the session that it ends with, each with its path to the root of a Merkle tree (RFC 6962 §2.1.1), and a signed
// checkpoint with that root (C2SP tlog-checkpoint). A signed statement says how many events each of these streams has,
// and which of them are in the proof, so no record can be left out later. Everything else follows from the records:
// this file rebuilds the chain from them by its own rules. A bundle of the whole log shows whether the server itself
// has left something out.

import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
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

const USAGE = `Usage: node verify-chain.mjs PROOF [--key KEY] [--bundle DIR]
       node verify-chain.mjs --bundle DIR [--key KEY]

Rebuilds the chain of exchanges in the file PROOF (from: grantlog log prove --chain GRANT), and names the hop that was
dropped, altered or reordered. With --bundle, also checks that the log in DIR (from: grantlog log export --bundle DIR)
says the same, and that the server has left nothing out. Without PROOF, rebuilds every chain in the log.
Without --key, it trusts the key in the proof or bundle: better obtain the key from elsewhere, such as
https://SERVER/o/log/key, and pass it.

Exit status 0: every chain verifies. 1: one does not. 2: they cannot be checked.
`;

const FORMAT = 'grantlog-chain-1';
const STATEMENT = 'grantlog chain statement';
const MAX_DEPTH = 4;
const HASH = 32; // bytes

/** A chain does not verify. `hop` is { number, grant }, where 0 is the root; null if no hop is to blame. */
export class Broken extends Error {
  /** @param kind dropped, altered, reordered, or forbidden: the server recorded what it must refuse */
  constructor(hop, kind, message) {
    super(message);
    this.hop = hop;
    this.kind = kind;
  }
}

/**
 * Verifies a proof and returns { log, size, root, grant, hops, statement }.
 * @param text the content of the file
 * @param trustedKey the verifier key of the log; undefined to trust the one in the proof
 * @throws Broken it was changed, or the chain breaks a rule
 */
export function verifyChain(text, trustedKey) {
  const proof = parse(text, null);
  // A member that is there twice would be read once here, and perhaps differently by a human.
  if (text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1') !== JSON.stringify(proof))
    throw new Broken(null, 'altered', 'its JSON is not as the server writes it');
  const { key, checkpoint, statement, records } = objectOf(proof.proof);
  if (!Array.isArray(records)) throw new Broken(null, 'altered', 'it has no records');
  const hopOf = claimedHops(proof.hops);
  const head = trusted(() => openHead(key, checkpoint, trustedKey));
  const events = readRecords(records, head, hopOf);
  const streams = byStream(
    events,
    trusted(() => openStatement(statement, head)),
    hopOf,
  );
  const last = hopOf(`grant-${proof.grant}`)?.number ?? proof.hops?.length;
  const hops = rebuild(proof.grant, streams, last);
  for (const [stream, { missing }] of streams)
    if (missing.length > 0)
      throw new Broken(hopOf(stream), 'dropped', `the record of revision ${missing[0]} of ${stream} is missing`);
  compareHops(proof.hops, hops);
  const expected = { format: FORMAT, log: head.name, size: head.size, grant: proof.grant, hops };
  const rest = { ...expected, proof: { key, checkpoint, statement, records } };
  if (!isDeepStrictEqual(proof, rest)) throw new Broken(null, 'altered', 'a member does not follow from the records');
  return { ...expected, root: head.root.toString('base64'), streams };
}

// ---- the proof -----------------------------------------------------------------------------------------

/** Names the hop that a stream belongs to, according to the proof. It only finds words for an error. */
function claimedHops(hops) {
  const claimed = (Array.isArray(hops) ? hops : []).map((hop) => hop ?? {});
  return (stream, position) => {
    const isOf = (hop) =>
      stream === `grant-${hop.grant}` || stream === `grant-${hop.actor?.grant}` || stream === `client-${hop.client}`;
    const byPosition = claimed.findIndex((hop) => hop.position !== undefined && hop.position === position);
    const found = claimed.findIndex(isOf);
    const number = found === -1 ? byPosition : found;
    return number === -1 ? null : { number, grant: claimed[number].grant };
  };
}

function trusted(open) {
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
    throw new Damage('checkpoint', 'it is not signed by the key alone');
  return { name, size, root, typedKey, text: note.split('\n', 3) };
}

/** The number of events of each stream, and the revisions of those in the proof. */
function openStatement(statement, { name, typedKey, text }) {
  const [, signed, lines, signatures] = /^((?:\S+ )*\S+\n((?:\S.*\n)+))\n(— \S+ \S+\n)$/u.exec(String(statement)) ?? [];
  if (lines === undefined) throw new Damage('statement', 'it is not a signed statement');
  checkSignatures('statement', { name, text: signed, signatures }, typedKey);
  const expected = [STATEMENT, ...text, ''].join('\n');
  if (!signed.startsWith(expected)) throw new Damage('statement', 'it is about another state of the log');
  const streams = signed.slice(expected.length, -1).split('\n');
  return new Map(
    streams.map((line) => {
      const [stream, ...numbers] = line.split(' ');
      const [count, ...revisions] = numbers.map(Number);
      return [stream, { count, revisions }];
    }),
  );
}

function readRecords(records, head, hopOf) {
  let last = 0;
  return records.map((item) => {
    const { position, record, path, ...rest } = objectOf(item);
    const event = parseRecord(record, position);
    const hop = hopOf(event?.stream, position);
    const isShaped =
      Object.keys(rest).length === 0 && typeof record === 'string' && Array.isArray(path) && event !== undefined;
    if (!isShaped) throw new Broken(hop, 'altered', `the record at position ${String(position)} is not one of a log`);
    if (position <= last) throw new Broken(hop, 'reordered', `the record at position ${position} is out of order`);
    last = position;
    if (!isIncluded(position, record, path, head))
      throw new Broken(hop, 'altered', `the record at position ${position} is not in the log`);
    return event;
  });
}

/** RFC 9162 §2.1.3.2. The leaf of the record at position p has the index p - 1. */
function isIncluded(position, record, path, { size, root }) {
  if (!Number.isSafeInteger(position) || position < 1 || position > size) return false;
  let [node, last, hash] = [position - 1, size - 1, leafHash(record)];
  for (const sibling of path.map((text) => fromBase64(String(text)))) {
    if (last === 0 || sibling?.length !== HASH) return false;
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(sibling, hash);
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else hash = nodeHash(hash, sibling);
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 && hash.equals(root);
}

function byStream(events, stated, hopOf) {
  const streams = new Map();
  for (const [stream, { count, revisions }] of stated) {
    const own = events.filter((event) => event.stream === stream);
    const missing = revisions.filter((revision) => !own.some((event) => event.revision === revision));
    streams.set(stream, { count, events: own, missing });
  }
  for (const { stream, revision } of events)
    if (!stated.get(stream)?.revisions.includes(revision))
      throw new Broken(hopOf(stream), 'altered', `a record of ${stream} was added`);
  return streams;
}

function compareHops(claimed, hops) {
  const given = Array.isArray(claimed) ? claimed : [];
  const nameOf = (number) => ({ number, grant: hops[number].grant });
  const dropped = hops.findIndex(({ grant }) => !given.some((hop) => hop?.grant === grant));
  for (const [number, hop] of hops.entries()) {
    if (isDeepStrictEqual(given[number], hop)) continue;
    if (given.some((each) => isDeepStrictEqual(each, hop)) && given.length === hops.length)
      throw new Broken(nameOf(number), 'reordered', 'it is not where the records say');
    if (given.length < hops.length && dropped !== -1) throw new Broken(nameOf(dropped), 'dropped', 'it is not listed');
    throw new Broken(nameOf(number), 'altered', 'it does not follow from the records');
  }
  if (given.length !== hops.length) throw new Broken(null, 'altered', 'a hop was added');
}

// ---- the chain -----------------------------------------------------------------------------------------

/**
 * The hops of the chain of a grant, from the root down.
 * @param length names the last hop if nothing else says where it belongs
 */
function rebuild(grant, streams, length = 0) {
  const firsts = firstsOf(grant, streams, length);
  const hops = [];
  let above = null;
  for (const [number, first] of firsts.entries()) {
    const name = { number, grant: grantOf(first) };
    const actor = hasOwnActor(first) ? actorOf(first, name, streams) : undefined;
    if (isExchange(first)) checkHop(name, first, firsts.slice(0, number), actor, streams);
    const own = endOf(first, name, streams);
    const ofActor = actor === undefined ? null : endOf(actor, name, streams);
    const end = earliest([
      own && { ...own, of: 'own' },
      ofActor && { ...ofActor, of: 'actor' },
      above && { ...above, of: above.of === 'actor' ? 'actor' : 'above' },
    ]);
    hops.push(hopFrom(first, end));
    above = end;
  }
  return hops;
}

/** The first events of the grants, each found through the exchange below it. */
function firstsOf(grant, streams, length) {
  const firsts = [];
  let [id, depth] = [grant, length];
  while (id !== undefined) {
    const first = firstOf(id, streams);
    const name = { number: firsts.length === 0 && first && isExchange(first) ? first.data.depth : depth, grant: id };
    if (first === undefined) throw new Broken(name, 'dropped', 'the record that began it is missing');
    const found = isExchange(first) ? first.data.depth : 0;
    if (firsts.length > 0 && found !== depth)
      throw new Broken(name, 'reordered', `it has depth ${found}, and the hop below needs depth ${depth}`);
    if (found > MAX_DEPTH || firsts.length > MAX_DEPTH)
      throw new Broken(name, 'forbidden', `the chain is deeper than ${MAX_DEPTH}`);
    firsts.unshift(first);
    // The subject token of another issuer has no grant here, so its exchange is the root.
    id = isExchange(first) ? first.data.parent?.grantId : undefined;
    depth = found - 1;
  }
  return firsts;
}

/** The rules of one exchange, with its subject token and its actor token. */
function checkHop(name, first, above, actor, streams) {
  const { data, position } = first;
  const forbid = (message) => new Broken(name, 'forbidden', message);
  const parent = above.at(-1);
  const issued = eventAt(`grant-${grantOf(first)}`, 2, streams);
  if (issued === undefined) throw new Broken(name, 'dropped', 'the record of its token is missing');
  const isOwnToken =
    issued.type === 'AccessTokenIssued' &&
    issued.data.exchanged === true &&
    issued.data.expiresAt === data.expiresAt &&
    isWithin(issued.data.scope, data.scope) &&
    isDeepStrictEqual((issued.data.details ?? []).map(nameOf), data.details ?? []);
  if (!isOwnToken) throw forbid('its token is not the one that was exchanged');
  if ((data.mode === 'delegation') !== (data.actor !== undefined))
    throw forbid(`it is ${data.mode}, but the actor is not`);
  if (data.actor !== undefined) checkActor(name, first, actor, streams);
  for (const [token, use] of foreignTokens(first)) checkForeign(token, use, name, first, streams);
  const actors = data.actor === undefined ? [] : [partyOf(data.actor)];
  if (parent === undefined) {
    if (data.parent.issuer === undefined) throw forbid('its subject token is of no grant and no issuer');
    if (data.depth !== 1) throw forbid(`it has depth ${data.depth}, and no exchange is above it`);
    const own = { grantId: grantOf(first), clientId: data.clientId };
    if (!isDeepStrictEqual(data.root, own)) throw forbid('it is the root, and names another one');
    if (!isDeepStrictEqual(data.chain, actors)) throw forbid('its actors are not those of its own');
    if (data.details !== undefined) throw forbid('it has details, and its subject token has none');
    return;
  }
  if (parent.data.clientId !== data.parent.clientId || parent.data.userId !== data.userId)
    throw forbid('its subject token has another client or user');
  const subject = issueOf(data.parent, parent, { number: name.number - 1, grant: grantOf(parent) }, position, streams);
  checkNarrower(data, subject, 'subject token', forbid);
  if (!(issued.data.details ?? []).every((detail) => isDetailWithin(detail, subject.details)))
    throw forbid('it has an authorization detail that its subject token lacks');
  if (actor !== undefined) {
    const acting = issueOf(data.actor, actor, name, position, streams);
    checkNarrower({ ...data, resource: acting.resource }, acting, 'actor token', forbid);
  }
  const root = isExchange(parent) ? parent.data.root : { grantId: grantOf(parent), clientId: parent.data.clientId };
  if (!isDeepStrictEqual(data.root, root)) throw forbid('it names another root than its subject token');
  const before = isExchange(parent) ? parent.data.chain : [];
  if (!isDeepStrictEqual(data.chain, [...actors, ...before]))
    throw forbid('its actors do not continue those of its subject token');
  const exchanges = above.filter(isExchange);
  if (exchanges.some((each) => each.data.clientId === data.clientId)) throw forbid('its client exchanges twice');
  for (const each of above) checkNotEnded(each, first, name, streams);
  for (const each of exchanges)
    if (hasOwnActor(each)) checkNotEnded(actorOf(each, name, streams), first, name, streams);
}

function checkActor(name, first, actor, streams) {
  const { data } = first;
  const forbid = (message) => new Broken(name, 'forbidden', message);
  if (data.actor.clientId !== data.clientId) throw forbid('its actor token was issued to another client');
  if (actor !== undefined) {
    if (isExchange(actor)) throw forbid('its actor token was exchanged');
    if (!isDeepStrictEqual(partyOf(actor.data), partyOf(data.actor)))
      throw forbid('its actor token has another client or user');
  }
  const subject = { clientId: data.root.clientId, userId: data.userId };
  if (isSame(data.actor, subject)) throw forbid('its actor is the subject');
  if (data.chain.slice(1).some((party) => isSame(data.actor, party))) throw forbid('its actor acts twice');
  if (actor !== undefined) checkNotEnded(actor, first, name, streams);
}

/** The JWTs of other issuers that were presented, each with its use. */
function foreignTokens({ type, data }) {
  if (type !== 'TokenExchanged') return [];
  return [
    [data.parent, 'subject-token'],
    [data.actor, 'actor-token'],
  ].filter(([token]) => token?.issuer !== undefined);
}

/** The record of the issuer, as it was then, must allow the exchange. */
function checkForeign({ issuer, expiresAt }, use, name, { data, position }, streams) {
  const forbid = (message) => new Broken(name, 'forbidden', message);
  const { events } = wanted(issuerStream(issuer), streams, name);
  const { type, data: record } = events.findLast((event) => event.position < position) ?? {};
  if (type === undefined) throw new Broken(name, 'dropped', `the record of the issuer ${issuer} is missing`);
  const { uses = [], clients = [], scope = [] } = record.settings ?? {};
  if (record.issuer !== issuer || type !== 'TrustedIssuerSet') throw forbid(`the issuer ${issuer} was not trusted`);
  if (!uses.includes(use)) throw forbid(`the issuer ${issuer} was not trusted for the use ${use}`);
  if (!clients.some(({ clientId }) => clientId === data.clientId))
    throw forbid(`its client may not present tokens of ${issuer}`);
  if (!isWithin(data.scope, scope)) throw forbid(`it has more scope than the record of ${issuer} allows`);
  if (data.expiresAt > expiresAt) throw forbid(`it outlives a token of ${issuer}`);
}

const issuerStream = (issuer) => `issuer-${createHash('sha256').update(issuer).digest('base64url')}`;
const hasOwnActor = ({ data }) => data.actor?.grantId !== undefined;

function checkNotEnded(depended, first, name, streams) {
  const end = endOf(depended, name, streams);
  if (end !== null && end.position < first.position)
    throw new Broken(name, 'forbidden', `it was exchanged after the end of ${grantOf(depended)} (${end.cause})`);
}

/** The limits of a token that was presented. */
function issueOf({ tokenHash }, first, name, position, streams) {
  const issued = streams.get(first.stream)?.events.find(({ data }) => data.tokenHash === tokenHash);
  if (issued === undefined) throw new Broken(name, 'dropped', 'the record of the token that was exchanged is missing');
  if (issued.position > position) throw new Broken(name, 'reordered', 'its token was issued after the exchange');
  const { scope = first.data.scope, resource = [], details = [], expiresAt } = issued.data;
  return { scope, resource, details, expiresAt };
}

const nameOf = ({ type, hash }) => ({ type, hash });

/**
 * By type and hash, because the texts are encrypted: whether a detail that narrows another one really allows less, and
 * whether the details of the actor allow it, only the server can tell.
 */
function isDetailWithin({ type, hash, narrows = hash }, details) {
  return details.some((one) => one.type === type && one.hash === narrows);
}

function checkNarrower({ scope, resource = [], expiresAt }, limits, what, forbid) {
  if (!isWithin(scope, limits.scope)) throw forbid(`it has more scope than its ${what}`);
  const isForFewer = limits.resource.length === 0 || (resource.length > 0 && isWithin(resource, limits.resource));
  if (!isForFewer) throw forbid(`it is for other resource servers than its ${what}`);
  if (limits.expiresAt !== null && expiresAt > limits.expiresAt) throw forbid(`it outlives its ${what}`);
}

function actorOf(first, name, streams) {
  const actor = firstOf(first.data.actor.grantId, streams);
  if (actor === undefined) throw new Broken(name, 'dropped', 'the record of the grant of its actor is missing');
  return actor;
}

function hopFrom(first, end) {
  const { data, type, position } = first;
  const actor = data.actor; // of another issuer, it has no grant
  return {
    grant: grantOf(first),
    began: type,
    position,
    client: data.clientId,
    user: data.userId,
    mode: data.mode ?? null,
    actor: actor === undefined ? null : { grant: actor.grantId ?? null, client: actor.clientId, user: actor.userId },
    scope: data.scope,
    expiresAt: isExchange(first) ? data.expiresAt : null,
    end: end && { cause: end.cause, position: end.position, of: end.of },
  };
}

const isExchange = ({ type }) => type === 'TokenExchanged';
const grantOf = ({ stream }) => stream.slice('grant-'.length);
const partyOf = ({ clientId, userId }) => ({ clientId, userId });
const isWithin = (some, all) => some.every((name) => all.includes(name));
/** The same user through any client, or the same client for itself. */
const isSame = (one, other) => one.userId === other.userId && (one.userId !== null || one.clientId === other.clientId);

// ---- the ends ------------------------------------------------------------------------------------------

/** The event that ended a grant first, apart from the grants that it depends on; null if none did. */
function endOf(first, name, streams) {
  const { clientId, scope, login } = first.data;
  const last = (stream) => {
    const { count, events } = wanted(stream, streams, name);
    const event = events.find(({ revision }) => revision === count);
    if (event === undefined) throw new Broken(name, 'dropped', `the last record of ${stream} is missing`);
    return event;
  };
  const revoked = last(first.stream);
  const removed = last(`client-${clientId}`);
  const ofAccount = accountsOf(first).flatMap((id) => accountOf(id, first, name, streams));
  const endsWithSession =
    first.type === 'ConsentGiven' && scope.includes('openid') && !scope.includes('offline_access');
  return earliest([
    revoked.type === 'GrantRevoked' ? { cause: 'revoked', position: revoked.position } : null,
    removed.type === 'ClientRemoved' ? { cause: 'client-removed', position: removed.position } : null,
    ...ofAccount.flatMap(({ type, position }) => {
      if (type === 'UserErased') return [{ cause: 'user-erased', position }];
      return type === 'UserDisabled' ? [{ cause: 'user-disabled', position }] : [];
    }),
    ...issuersOf(first).flatMap((issuer) =>
      since(first.position, issuerStream(issuer), name, streams)
        .filter(({ type }) => type === 'TrustedIssuerRemoved')
        .map(({ position }) => ({ cause: 'issuer-removed', position })),
    ),
    endsWithSession && login?.sessionHash ? endOfSession(login.sessionHash, first, ofAccount, name, streams) : null,
    endByClock(first, name, streams),
  ]);
}

/** The users whose accounts a grant by itself ends with. */
function accountsOf({ type, data: { userId, parent, actor } }) {
  const isOfUser = type === 'ConsentGiven' || type === 'AssertionRedeemed' || parent?.issuer !== undefined;
  return [isOfUser ? userId : null, actor?.issuer === undefined ? null : actor.userId].filter((id) => id !== null);
}

/** The issuers whose JWTs a grant began with. */
function issuersOf(first) {
  if (first.type === 'AssertionRedeemed') return [first.data.issuer];
  return foreignTokens(first).map(([{ issuer }]) => issuer);
}

/** The events of an account since a grant began. */
function accountOf(userId, first, name, streams) {
  const own = [...streams].find(
    ([stream, { events }]) => stream.startsWith('user-') && events.some(({ data }) => data.userId === userId),
  );
  if (own === undefined) throw new Broken(name, 'dropped', 'the records of the account are missing');
  return since(first.position, own[0], name, streams).filter(({ data }) => data.userId === userId);
}

/** Follows the session in which the user consented, and those that continued it. */
function endOfSession(sessionHash, first, ofAccount, name, streams) {
  let [hash, from] = [sessionHash, first.position];
  for (;;) {
    const events = since(0, `session-${hash}`, name, streams);
    const { authentication } = events.find(({ type }) => type === 'SessionStarted')?.data ?? {};
    const passkey = (authentication?.secondFactor ?? authentication)?.passkeyId;
    const ended = events.find(({ type }) => type === 'SessionEnded');
    const byAccount = ofAccount.find(({ type, position, data }) => {
      if (position <= from) return false;
      if (type === 'PasskeyRemoved') return passkey !== undefined && data.passkeyId === passkey;
      return ['UserDisabled', 'UserErased', 'AllSessionsEnded', 'PasswordChanged'].includes(type);
    });
    const event = earliest([byAccount ?? null, ended ?? null]);
    if (event === null) return null;
    if (event !== ended || ended.data.continuedBy === undefined)
      return { cause: 'session-ended', position: event.position };
    [hash, from] = [ended.data.continuedBy, ended.position];
  }
}

/** A correction of the clock ends what was issued while it was ahead. */
function endByClock(first, name, streams) {
  const events = streams.get(first.stream).events;
  const corrected = since(first.position, 'clock', name, streams).find(({ type, position, data }) => {
    if (type !== 'ClockSetBack') return false;
    const issued = events.filter((event) => event.position < position && isIssue(event));
    return Math.max(...[first, ...issued].map(({ recordedAt }) => Math.floor(recordedAt / 1000))) > data.issuedAfter;
  });
  return corrected === undefined ? null : { cause: 'clock-set-back', position: corrected.position };
}

const isIssue = ({ type }) => ['AccessTokenIssued', 'RefreshTokenIssued', 'RefreshTokenRotated'].includes(type);

/** All events of a stream after a position. The one before it must be there, or it must be the first. */
function since(from, stream, name, streams) {
  const { count, events } = wanted(stream, streams, name);
  const revisions = new Set(events.map(({ revision }) => revision));
  const before = Math.max(0, ...events.filter(({ position }) => position <= from).map(({ revision }) => revision));
  for (let revision = before + 1; revision <= count; revision += 1)
    if (!revisions.has(revision))
      throw new Broken(name, 'dropped', `the record of revision ${revision} of ${stream} is missing`);
  return events.filter(({ position }) => position > from);
}

function wanted(stream, streams, name) {
  const found = streams.get(stream);
  if (found === undefined) throw new Broken(name, 'dropped', `the records of ${stream} are missing`);
  return found;
}

function earliest(events) {
  return events.reduce(
    (first, event) => (event !== null && (first === null || event.position < first.position) ? event : first),
    null,
  );
}

const firstOf = (grant, streams) => eventAt(`grant-${grant}`, 1, streams);

function eventAt(stream, revision, streams) {
  return streams.get(stream)?.events.find((event) => event.revision === revision);
}

// ---- the whole log -------------------------------------------------------------------------------------

/**
 * Verifies that the log in a bundle has the chain of a verified proof, and nothing that the proof leaves out. Returns
 * its hops as they are at the end of the bundle.
 * @throws Broken the bundle was changed, or the server left something out
 * @throws Damage the bundle was changed elsewhere
 */
export function verifyInBundle({ grant, hops, size, root, streams }, directory, trustedKey) {
  const claimed = new Map([[size, Buffer.from(root, 'base64')]]);
  const all = new Map([...streams.keys()].map((stream) => [stream, { count: 0, events: [], missing: [] }]));
  const hopOf = claimedHops(hops);
  readBundle(directory, trustedKey, claimed, hopOf, (event) => addTo(all, event));
  const then = new Map(
    [...all].map(([stream, { events }]) => [stream, whole(events.filter((e) => e.position <= size))]),
  );
  for (const [stream, { count }] of streams)
    if (then.get(stream).count !== count)
      throw new Broken(hopOf(stream), 'dropped', `${stream} has ${then.get(stream).count} records, and not ${count}`);
  compareHops(hops, rebuild(grant, then));
  return rebuild(grant, new Map([...all].map(([stream, { events }]) => [stream, whole(events)])));
}

/**
 * Rebuilds every chain in a bundle. Returns { exchanges, chains, broken }: the number of exchanges and of their roots,
 * and a Broken for each exchange that breaks a rule.
 * @throws Damage the bundle was changed
 */
export function verifyAllChains(directory, trustedKey) {
  const exchanges = [];
  const streams = new Map([['clock', whole([])]]);
  const want = (stream) => streams.has(stream) || streams.set(stream, whole([]));
  let position = 0;
  for (const line of linesOf(join(directory, 'records.jsonl'), () => position + 1)) {
    position += 1;
    const event = line.includes('"TokenExchanged"') ? parseRecord(line.toString('utf8'), position) : undefined;
    if (event?.type !== 'TokenExchanged') continue;
    exchanges.push(grantOf(event));
    for (const each of [event.data, event.data.parent, event.data.actor ?? {}, event.data.root ?? {}]) {
      if (each?.grantId !== undefined) want(`grant-${each.grantId}`);
      if (each?.clientId !== undefined) want(`client-${each.clientId}`);
    }
  }
  if (exchanges.length > 0)
    readBundle(
      directory,
      trustedKey,
      new Map(),
      () => null,
      (event) => {
        if (isOfAccount(event) || isOfSession(event) || isOfIssuer(event)) want(event.stream);
        addTo(streams, event);
      },
    );
  else verifyBundle(directory, trustedKey);
  // Accounts and sessions lack the events that end nothing, so what is left is numbered anew.
  const complete = new Map([...streams].map(([stream, { events }]) => [stream, renumbered(stream, events)]));
  const broken = exchanges.flatMap((grant) => {
    try {
      rebuild(grant, complete);
      return [];
    } catch (error) {
      if (error instanceof Broken) return [error];
      throw error;
    }
  });
  const roots = new Set(exchanges.map((grant) => firstOf(grant, complete)?.data.root?.grantId));
  return { exchanges: exchanges.length, chains: roots.size, broken: distinct(broken) };
}

const isOfAccount = ({ stream, type }) =>
  stream.startsWith('user-') && /^(?:User(?:Registered|Disabled|Erased)|AllSess|PasswordCh|PasskeyRem)/.test(type);
const isOfIssuer = ({ stream }) => stream.startsWith('issuer-');
const isOfSession = ({ type }) => type === 'SessionStarted' || type === 'SessionEnded';

/** The exchanges below a broken one are broken with it. */
function distinct(broken) {
  const seen = new Set();
  return broken.filter(({ hop, message }) => {
    const name = `${hop?.grant} ${message}`;
    return !seen.has(name) && seen.add(name);
  });
}

const whole = (events) => ({ count: events.at(-1)?.revision ?? 0, events, missing: [] });

function renumbered(stream, events) {
  const isPart = stream.startsWith('user-') || stream.startsWith('session-');
  return isPart ? whole(events.map((event, at) => ({ ...event, revision: at + 1 }))) : whole(events);
}

function addTo(streams, event) {
  streams.get(event.stream)?.events.push(event);
}

/** Verifies the bundle, and names the hop of a record that was dropped, altered or reordered in it. */
function readBundle(directory, trustedKey, claimed, hopOf, onEvent) {
  try {
    verifyBundle(directory, trustedKey, claimed, (record, position) => {
      const event = parseRecord(record.toString('utf8'), position);
      if (event !== undefined) onEvent(event);
    });
  } catch (error) {
    throw (error instanceof Damage && error.file === 'records.jsonl' && damagedHop(directory, error, hopOf)) || error;
  }
}

/** Undefined if the damaged record belongs to no chain. The tiles still have the hashes of the right records. */
function damagedHop(directory, { position }, hopOf) {
  if (position === null) return undefined;
  const [line, next] = linesAt(directory, position);
  const [hash, hashOfNext] = tileHashes(directory, position);
  const original = originalRecord(directory, position, hash) ?? line?.toString('utf8') ?? '';
  const event = parseRecord(original, position);
  const hop = hopOf(event?.stream, position) ?? hopOfExchange(event);
  if (hop === null || hash === undefined) return undefined;
  const [is, isNext] = [line, next].map((each) => (each === undefined ? undefined : leafHash(each)));
  const isShifted = is === undefined || (hashOfNext !== undefined && is.equals(hashOfNext));
  const kind = !isShifted ? 'altered' : isNext?.equals(hash) ? 'reordered' : 'dropped';
  return new Broken(hop, kind, `the record at position ${position} of the bundle`);
}

function hopOfExchange(event) {
  return event !== undefined && isExchange(event) ? { number: event.data.depth, grant: grantOf(event) } : null;
}

function linesAt(directory, position) {
  const found = [];
  let at = 0;
  try {
    for (const line of linesOf(join(directory, 'records.jsonl'), () => at + 1)) {
      at += 1;
      if (at >= position) found.push(line);
      if (at > position) break;
    }
  } catch {
    // The file ends within a line.
  }
  return found;
}

/** The leaf hashes of the record at the position and of the next one, as the tiles have them. */
function tileHashes(directory, position) {
  return [position - 1, position].map((index) => {
    const bytes = readTile(directory, index, (path) => path);
    const at = (index % 256) * HASH;
    return bytes === undefined || bytes.length < at + HASH ? undefined : bytes.subarray(at, at + HASH);
  });
}

/** From the entries beside the tiles, if they have the record that the tile says. */
function originalRecord(directory, position, hash) {
  const bytes = readTile(directory, position - 1, (path) => path.replace('tile/0/', 'tile/entries/')) ?? Buffer.of();
  let [at, index] = [0, (position - 1) % 256];
  while (at + 2 <= bytes.length) {
    const end = at + 2 + bytes.readUInt16BE(at);
    const record = bytes.subarray(at + 2, end);
    if (index === 0) return hash !== undefined && leafHash(record).equals(hash) ? record.toString('utf8') : undefined;
    at = end;
    index -= 1;
  }
  return undefined;
}

/** The tile of a leaf, which can be partial. */
function readTile(directory, index, toPath) {
  const number = Math.floor(index / 256);
  for (let width = 256; width > index % 256; width -= 1) {
    try {
      return readFileSync(join(directory, toPath(tilePath(0, number, width))));
    } catch {
      // It has another width.
    }
  }
  return undefined;
}

// ---- the command ---------------------------------------------------------------------------------------

function parseRecord(text, position) {
  try {
    const event = JSON.parse(text);
    const { stream, revision, type, data } = event;
    const isEvent = [stream, type].every((each) => typeof each === 'string') && Number.isSafeInteger(revision) && data;
    return isEvent ? { ...event, position } : undefined;
  } catch {
    return undefined;
  }
}

function parse(text, hop) {
  try {
    return objectOf(JSON.parse(text));
  } catch (error) {
    throw error instanceof Broken ? error : new Broken(hop, 'altered', 'it is not JSON');
  }
}

function objectOf(value) {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new Broken(null, 'altered', 'a member is not an object');
}

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
  return hops.map(lineOf).map(printable).join('\n');
}

/** Names are chosen by others, so they must not control the terminal. */
const printable = (line) => line.replaceAll(/[\p{Cc}\p{Cf}]/gu, '\ufffd');

function say(...lines) {
  process.stdout.write(`${lines.join('\n')}\n`);
}

function sayBroken({ hop, kind, message }) {
  const where = hop === null ? '' : ` ${hop.number === 0 ? 'root' : `hop ${hop.number}`} (grant ${hop.grant})`;
  say(printable(`BROKEN${where}: ${kind}: ${message}`));
  return 1;
}

function verifyWords({ file, key, bundle }) {
  if (file === undefined) {
    const { exchanges, chains, broken } = verifyAllChains(bundle, key);
    broken.forEach(sayBroken);
    if (broken.length === 0) say(`verified: ${exchanges} exchanges in the chains of ${chains} grants`);
    return broken.length === 0 ? 0 : 1;
  }
  const proven = verifyChain(readFileSync(file, 'utf8'), key);
  say(`verified: ${proven.hops.length - 1} exchanges, as of record ${proven.size} of the log ${proven.log}`);
  say(describe(proven.hops));
  if (bundle !== undefined) {
    const now = verifyInBundle(proven, bundle, key);
    say('the bundle has the same chain, and nothing that the proof leaves out; at its end:', describe(now));
  }
  return 0;
}

function main(words) {
  if (words.includes('--help') || words.includes('-h')) {
    process.stdout.write(USAGE);
    return 0;
  }
  const options = {};
  const files = [];
  for (let at = 0; at < words.length; at += 1) {
    if (words[at] === '--key' || words[at] === '--bundle') options[words[at].slice(2)] = words[(at += 1)] ?? '';
    else files.push(words[at]);
  }
  const isUsage =
    files.length <= 1 &&
    files[0]?.startsWith('-') !== true &&
    Object.values(options).every((value) => value !== '') &&
    (files.length === 1 || options.bundle !== undefined);
  if (!isUsage) {
    process.stderr.write(USAGE);
    return 2;
  }
  try {
    const status = verifyWords({ file: files[0], ...options });
    if (status === 0 && options.key === undefined) say('the key was not given; pass --key to be sure whose it is');
    return status;
  } catch (error) {
    if (error instanceof Broken) return sayBroken(error);
    if (error instanceof Damage)
      return sayBroken({ hop: null, kind: 'altered', message: `${error.file}: ${error.message}` });
    process.stderr.write(`cannot verify: ${error.message}\n`);
    return 2;
  }
}

const isCommand = process.argv[1] !== undefined && realpathSync(process.argv[1]) === import.meta.filename;
if (isCommand) process.exitCode = main(process.argv.slice(2));
