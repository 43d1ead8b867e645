// The rules of chains of token exchanges (RFC 8693), apart from hashes and signatures: verify-chain.mjs checks those in
// Node, and the page of a chain in the browser. Needs nothing else.

/** A chain does not verify. `hop` is { number, grant }, where 0 is the root; null if no hop is to blame. */
export class Broken extends Error {
  /** @param kind dropped, altered, reordered, or forbidden: the server recorded what it must refuse */
  constructor(hop, kind, message) {
    super(message);
    this.hop = hop;
    this.kind = kind;
  }
}

const FORMAT = 'grantlog-chain-1';
const STATEMENT = 'grantlog chain statement';
const MAX_DEPTH = 4;

/**
 * Reads a proof, without trusting anything in it. Returns { proof, hopOf, items }: `hopOf` finds words for errors, and
 * each item is { event, record, path } of one record, in the order of the log.
 * @throws Broken it is not the proof of a chain
 */
export function readProof(text) {
  const proof = parse(text, null);
  // A member that is there twice would be read once here, and perhaps differently by a human.
  if (text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1') !== JSON.stringify(proof))
    throw new Broken(null, 'altered', 'its JSON is not as the server writes it');
  const { records } = objectOf(proof.proof);
  if (!Array.isArray(records)) throw new Broken(null, 'altered', 'it has no records');
  const hopOf = claimedHops(proof.hops);
  return { proof, hopOf, items: readRecords(records, hopOf) };
}

/**
 * Rebuilds the chain of a proof whose records are in the log and whose statement is signed. Returns { hops, streams }.
 * @param head the name and the size of the log, from the signed checkpoint
 * @param stated what `readStatement` returned
 * @throws Broken it was changed, or the chain breaks a rule
 */
export function checkProof({ proof, hopOf, items }, head, stated) {
  const { key, checkpoint, statement, records } = proof.proof;
  const events = items.map(({ event }) => event);
  const streams = byStream(events, stated, hopOf);
  const last = hopOf(`grant-${proof.grant}`)?.number ?? proof.hops?.length;
  const hops = rebuild(proof.grant, streams, last);
  for (const [stream, { missing }] of streams)
    if (missing.length > 0)
      throw new Broken(hopOf(stream), 'dropped', `the record of revision ${missing[0]} of ${stream} is missing`);
  compareHops(proof.hops, hops);
  const expected = { format: FORMAT, log: head.name, size: head.size, grant: proof.grant, hops };
  const rest = { ...expected, proof: { key, checkpoint, statement, records } };
  if (!isEqual(proof, rest)) throw new Broken(null, 'altered', 'a member does not follow from the records');
  return { hops, streams };
}

/**
 * Splits a statement into the text that is signed, its signature lines, and a function that reads what it states: the
 * number of events of each stream, and the revisions of those in the proof. Undefined if it is not a statement.
 * @param checkpoint the first three lines of the signed checkpoint
 */
export function readStatement(statement, checkpoint) {
  const [, signed, lines, signatures] = /^((?:\S+ )*\S+\n((?:\S.*\n)+))\n(— \S+ \S+\n)$/u.exec(String(statement)) ?? [];
  if (lines === undefined) return undefined;
  const expected = [STATEMENT, ...checkpoint, ''].join('\n');
  return {
    signed,
    signatures,
    stated: signed.startsWith(expected) ? streamsIn(signed.slice(expected.length, -1)) : null,
  };
}

function streamsIn(lines) {
  return new Map(
    lines.split('\n').map((line) => {
      const [stream, ...numbers] = line.split(' ');
      const [count, ...revisions] = numbers.map(Number);
      return [stream, { count, revisions }];
    }),
  );
}

function readRecords(records, hopOf) {
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
    return { event, record, path };
  });
}

/** Names the hop that a stream belongs to, according to the proof. It only finds words for an error. */
export function claimedHops(hops) {
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

export function compareHops(claimed, hops) {
  const given = Array.isArray(claimed) ? claimed : [];
  const nameOf = (number) => ({ number, grant: hops[number].grant });
  const dropped = hops.findIndex(({ grant }) => !given.some((hop) => hop?.grant === grant));
  for (const [number, hop] of hops.entries()) {
    if (isEqual(given[number], hop)) continue;
    if (given.some((each) => isEqual(each, hop)) && given.length === hops.length)
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
export function rebuild(grant, streams, length = 0) {
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
    isEqual((issued.data.details ?? []).map(nameOf), data.details ?? []);
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
    if (!isEqual(data.root, own)) throw forbid('it is the root, and names another one');
    if (!isEqual(data.chain, actors)) throw forbid('its actors are not those of its own');
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
  if (!isEqual(data.root, root)) throw forbid('it names another root than its subject token');
  const before = isExchange(parent) ? parent.data.chain : [];
  if (!isEqual(data.chain, [...actors, ...before]))
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
    if (!isEqual(partyOf(actor.data), partyOf(data.actor))) throw forbid('its actor token has another client or user');
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
  const { events } = wanted(issuerStream(issuer, name, streams), streams, name);
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

/** The only stream with records of the issuer. Its name is a hash, which a browser cannot compute at once. */
function issuerStream(issuer, name, streams) {
  const isOfIssuer = ([stream, { events }]) =>
    stream.startsWith('issuer-') && events.some(({ data }) => data.issuer === issuer);
  const [found, other] = [...streams].filter(isOfIssuer);
  if (found === undefined) throw new Broken(name, 'dropped', `the records of the issuer ${issuer} are missing`);
  if (other !== undefined) throw new Broken(name, 'altered', `the issuer ${issuer} has two streams`);
  return found[0];
}

const hasOwnActor = ({ data }) => data.actor?.grantId !== undefined;

function checkNotEnded(depended, first, name, streams) {
  const end = endOf(depended, name, streams);
  if (end !== null && end.position < first.position)
    throw new Broken(name, 'forbidden', `it was exchanged after the end of ${grantOf(depended)} (${end.cause})`);
}

/** The limits of a token that was presented. An ID token stands for the access token that was issued with it. */
function issueOf({ tokenHash }, first, name, position, streams) {
  const { events = [] } = streams.get(first.stream) ?? {};
  const issued = events.find(({ data }) => data.tokenHash === tokenHash);
  if (issued === undefined) throw new Broken(name, 'dropped', 'the record of the token that was exchanged is missing');
  if (issued.position > position) throw new Broken(name, 'reordered', 'its token was issued after the exchange');
  const isIdToken = issued.type === 'IdTokenIssued';
  const access = isIdToken ? events.find((event) => isBeside(event, issued)) : issued;
  if (access === undefined) throw new Broken(name, 'dropped', 'the record beside that of its ID token is missing');
  const retired = events.find((event) => retires(event, tokenHash) && event.position < position)?.data.retired;
  const { scope = first.data.scope, resource = [], details = [] } = access.data;
  const { expiresAt } = issued.data;
  return {
    scope,
    resource,
    details: isIdToken ? [] : details,
    expiresAt: retired === undefined ? expiresAt : Math.min(expiresAt, retired.endsAt),
  };
}

/** The first refresh token can come between the two. */
const isBeside = ({ type, revision }, idToken) =>
  type === 'AccessTokenIssued' && [1, 2].includes(idToken.revision - revision);
/** A refresh shortens the life of the access token before it. */
const retires = ({ type, data }, tokenHash) => type === 'RefreshTokenRotated' && data.retired?.tokenHash === tokenHash;

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

export const isExchange = ({ type }) => type === 'TokenExchanged';
export const grantOf = ({ stream }) => stream.slice('grant-'.length);
const partyOf = ({ clientId, userId }) => ({ clientId, userId });
const isWithin = (some, all) => some.every((name) => all.includes(name));
/** The same user through any client, or the same client for itself. */
const isSame = (a, b) => a.userId === b.userId && (a.userId !== null || a.clientId === b.clientId);

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
      since(first.position, issuerStream(issuer, name, streams), name, streams)
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

export const firstOf = (grant, streams) => eventAt(`grant-${grant}`, 1, streams);

function eventAt(stream, revision, streams) {
  return streams.get(stream)?.events.find((event) => event.revision === revision);
}

// ---- JSON ---------------------------------------------------------------------------------------------

/** Undefined if it is not the record of an event. */
export function parseRecord(text, position) {
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

/** Of JSON values; the order of members does not matter. */
function isEqual(one, other) {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name]))
  );
}
