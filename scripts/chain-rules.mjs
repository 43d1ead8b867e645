// The rules for chains of token exchanges (RFC 8693), without dependencies. verify-chain.mjs uses them in Node, and the
// exchange chain page uses them in the browser. These two callers verify the hashes and signatures themselves.

/** The rules that a chain can break. The exchange chain page shows each in the user's language. */
export const RULES = {
  'json-form': 'its JSON is not in the form that the server writes',
  'no-records': 'it has no records',
  'no-record': 'the record of revision {revision} of {stream} is missing',
  member: 'a member does not follow from the records',
  'no-event': 'the record at position {position} is not a valid log record',
  order: 'the record at position {position} is out of order',
  'added-record': 'a record of {stream} was added',
  'hop-moved': 'its place in the list does not follow from the records',
  'hop-left-out': 'it is not listed',
  'hop-changed': 'it does not follow from the records',
  'hop-added': 'a hop was added',
  'no-begin': 'its first record is missing',
  'depth-below': 'it has depth {found}, but the hop below it needs depth {depth}',
  'too-deep': 'the chain is deeper than {most}',
  'no-token': 'the record of its token is missing',
  'other-token': 'its token does not match the exchange',
  mode: 'its mode is {mode}, which does not match its actor',
  'no-subject': 'its subject token has neither a grant nor an issuer',
  'depth-above': 'it has depth {depth}, but no exchange is above it',
  'other-root': 'it is the root, but refers to a different root',
  'own-actors': 'it is the root, but lists actors other than its own',
  'no-details': 'it has authorization details, but its subject token has none',
  'subject-party': 'its subject token belongs to a different client or user',
  'more-details': 'it has an authorization detail that its subject token lacks',
  'root-of-subject': 'its root differs from that of its subject token',
  'actors-of-subject': 'its actors are not its own actor and those of its subject token',
  'client-twice': 'its client makes two exchanges in the chain',
  'actor-client': 'its actor token was issued to a different client',
  'actor-exchanged': 'its actor token was exchanged',
  'actor-party': 'its actor token belongs to a different client or user',
  'actor-is-subject': 'its actor is the subject',
  'actor-twice': 'its actor acts twice in the chain',
  'no-issuer-record': 'the record of the issuer {issuer} is missing',
  issuer: 'the issuer {issuer} was not trusted',
  'issuer-use': 'the issuer {issuer} was not trusted for the use {use}',
  'issuer-client': 'its client may not present tokens from {issuer}',
  'issuer-scope': 'it has more scope than the record of {issuer} allows',
  'issuer-time': 'it outlives a token from {issuer}',
  'no-issuer': 'the records of the issuer {issuer} are missing',
  'two-issuers': 'the issuer {issuer} has two streams',
  'after-end': 'it was exchanged after the grant {grant} ended ({cause})',
  'no-exchanged-token': 'the record of the token that was exchanged is missing',
  'issued-later': 'its token was issued after the exchange',
  'no-access-token': 'the record of the access token that was issued with its ID token is missing',
  'no-actor': 'the record of the grant of its actor is missing',
  'no-last-record': 'the last record of {stream} is missing',
  'no-account': 'the records of the account are missing',
  'no-stream': 'the records of {stream} are missing',
  'no-json': 'it is not JSON',
  'no-object': 'a member is not an object',
  'subject-scope': 'it has more scope than its subject token',
  'subject-resources': 'it is for resource servers that its subject token is not for',
  'subject-time': 'it outlives its subject token',
  'actor-scope': 'it has more scope than its actor token',
  'actor-resources': 'it is for resource servers that its actor token is not for',
  'actor-time': 'it outlives its actor token',
};

/**
 * Thrown when a chain does not verify. `hop` is { number, grant }, where the number 0 is the root; null if the error
 * does not concern a single hop.
 */
export class Broken extends Error {
  /**
   * @param kind dropped, altered, reordered, or forbidden (the server recorded an exchange that it should have refused)
   * @param rule a name in RULES, or the text of a different rule
   * @param values the values for the placeholders in the rule
   */
  constructor(hop, kind, rule, values = {}) {
    const template = Object.hasOwn(RULES, rule) ? RULES[rule] : rule;
    super(template.replaceAll(/\{(\w+)\}/g, (match, name) => (Object.hasOwn(values, name) ? values[name] : match)));
    this.hop = hop;
    this.kind = kind;
    this.rule = Object.hasOwn(RULES, rule) ? rule : null;
    this.values = values;
  }
}

const FORMAT = 'grantlog-chain-1';
const STATEMENT = 'grantlog chain statement';
const MAX_DEPTH = 4;

/**
 * Reads a proof, without trusting anything in it. Returns { proof, hopOf, items }: `hopOf` finds hops for errors,
 * and each item is { event, record, path } of one record, in the order of the log.
 * @throws Broken if `text` is not the proof of a chain
 */
export function readProof(text) {
  const proof = parse(text, null);
  // JSON.parse drops the first of two members with the same name, but a human may read it.
  if (text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1') !== JSON.stringify(proof))
    throw new Broken(null, 'altered', 'json-form');
  const { records } = objectOf(proof.proof);
  if (!Array.isArray(records)) throw new Broken(null, 'altered', 'no-records');
  const hopOf = claimedHops(proof.hops);
  return { proof, hopOf, items: readRecords(records, hopOf) };
}

/**
 * Rebuilds the chain of a proof whose records are in the log and whose statement is signed. Returns { hops, streams }.
 * @param head the name and the size of the log, from the signed checkpoint
 * @param statedStreams the streams of the statement, from `readStatement`
 * @throws Broken if the proof was changed, or the chain breaks a rule
 */
export function checkProof({ proof, hopOf, items }, head, statedStreams) {
  const { key, checkpoint, statement, records } = proof.proof;
  const events = items.map(({ event }) => event);
  const streams = groupByStream(events, statedStreams, hopOf);
  const last = hopOf(`grant-${proof.grant}`)?.number ?? proof.hops?.length;
  const hops = rebuild(proof.grant, streams, last);
  for (const [stream, { missing }] of streams)
    if (missing.length > 0) throw new Broken(hopOf(stream), 'dropped', 'no-record', { revision: missing[0], stream });
  compareHops(proof.hops, hops);
  const expected = { format: FORMAT, log: head.name, size: head.size, grant: proof.grant, hops };
  const rebuiltProof = { ...expected, proof: { key, checkpoint, statement, records } };
  if (!isEqual(proof, rebuiltProof)) throw new Broken(null, 'altered', 'member');
  return { hops, streams };
}

/**
 * Splits a statement into its signed text, its signature lines, and `streams`: for each stream, the number of its
 * events and the revisions of its events in the proof, or null if the statement is about a different checkpoint.
 * Returns undefined if it is not a statement.
 * @param checkpoint the first three lines of the signed checkpoint
 */
export function readStatement(statement, checkpoint) {
  const [, signedText, lines, signatures] =
    /^((?:\S+ )*\S+\n((?:\S.*\n)+))\n(— \S+ \S+\n)$/u.exec(String(statement)) ?? [];
  if (lines === undefined) return undefined;
  const expected = [STATEMENT, ...checkpoint, ''].join('\n');
  return {
    signedText,
    signatures,
    streams: signedText.startsWith(expected) ? streamsIn(signedText.slice(expected.length, -1)) : null,
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
  let lastPosition = 0;
  return records.map((item) => {
    const { position, record, path, ...rest } = objectOf(item);
    const event = parseRecord(record, position);
    const hop = hopOf(event?.stream, position);
    const isWellFormed =
      Object.keys(rest).length === 0 && typeof record === 'string' && Array.isArray(path) && event !== undefined;
    if (!isWellFormed) throw new Broken(hop, 'altered', 'no-event', { position: String(position) });
    if (position <= lastPosition) throw new Broken(hop, 'reordered', 'order', { position });
    lastPosition = position;
    return { event, record, path };
  });
}

/**
 * Returns a function that finds the hop to which a stream or a position belongs, or null. It relies on the unverified
 * list of hops, so its results are only for error messages.
 */
export function claimedHops(hops) {
  const entries = (Array.isArray(hops) ? hops : []).map((hop) => hop ?? {});
  return (stream, position) => {
    const hasStream = (hop) =>
      stream === `grant-${hop.grant}` || stream === `grant-${hop.actor?.grant}` || stream === `client-${hop.client}`;
    const byPosition = entries.findIndex((hop) => hop.position !== undefined && hop.position === position);
    const byStreamName = entries.findIndex(hasStream);
    const number = byStreamName === -1 ? byPosition : byStreamName;
    return number === -1 ? null : { number, grant: entries[number].grant };
  };
}

function groupByStream(events, statedStreams, hopOf) {
  const streams = new Map();
  for (const [stream, { count, revisions }] of statedStreams) {
    const streamEvents = events.filter((event) => event.stream === stream);
    const missing = revisions.filter((revision) => !streamEvents.some((event) => event.revision === revision));
    streams.set(stream, { count, events: streamEvents, missing });
  }
  for (const { stream, revision } of events)
    if (!statedStreams.get(stream)?.revisions.includes(revision))
      throw new Broken(hopOf(stream), 'altered', 'added-record', { stream });
  return streams;
}

/** Checks that the list of hops in a proof equals the rebuilt list. */
export function compareHops(hopsInProof, hops) {
  const listedHops = Array.isArray(hopsInProof) ? hopsInProof : [];
  const hopAt = (number) => ({ number, grant: hops[number].grant });
  const droppedNumber = hops.findIndex(({ grant }) => !listedHops.some((hop) => hop?.grant === grant));
  for (const [number, hop] of hops.entries()) {
    if (isEqual(listedHops[number], hop)) continue;
    if (listedHops.some((candidate) => isEqual(candidate, hop)) && listedHops.length === hops.length)
      throw new Broken(hopAt(number), 'reordered', 'hop-moved');
    if (listedHops.length < hops.length && droppedNumber !== -1)
      throw new Broken(hopAt(droppedNumber), 'dropped', 'hop-left-out');
    throw new Broken(hopAt(number), 'altered', 'hop-changed');
  }
  if (listedHops.length !== hops.length) throw new Broken(null, 'altered', 'hop-added');
}

// ---- the chain -----------------------------------------------------------------------------------------

/**
 * Rebuilds the hops of the chain of a grant, from the root down.
 * @param lastNumber the number of the last hop in errors, if its record is missing
 */
export function rebuild(grant, streams, lastNumber = 0) {
  const firstEvents = firstEventsOf(grant, streams, lastNumber);
  const hops = [];
  let parentEnd = null;
  for (const [number, first] of firstEvents.entries()) {
    const hop = { number, grant: grantOf(first) };
    const actor = hasOwnActor(first) ? actorOf(first, hop, streams) : undefined;
    if (isExchange(first)) checkHop(hop, first, firstEvents.slice(0, number), actor, streams);
    const ownEnd = findEnd(first, hop, streams);
    const actorEnd = actor === undefined ? null : findEnd(actor, hop, streams);
    const end = findEarliest([
      ownEnd && { ...ownEnd, of: 'own' },
      actorEnd && { ...actorEnd, of: 'actor' },
      parentEnd && { ...parentEnd, of: parentEnd.of === 'actor' ? 'actor' : 'above' },
    ]);
    hops.push(hopFrom(first, end));
    parentEnd = end;
  }
  return hops;
}

/** Returns the first events of the grants, each found through the exchange below it. */
function firstEventsOf(grant, streams, lastNumber) {
  const firstEvents = [];
  let [id, depth] = [grant, lastNumber];
  while (id !== undefined) {
    const first = firstOf(id, streams);
    const hop = {
      number: firstEvents.length === 0 && first && isExchange(first) ? first.data.depth : depth,
      grant: id,
    };
    if (first === undefined) throw new Broken(hop, 'dropped', 'no-begin');
    const ownDepth = isExchange(first) ? first.data.depth : 0;
    if (firstEvents.length > 0 && ownDepth !== depth)
      throw new Broken(hop, 'reordered', 'depth-below', { found: ownDepth, depth });
    if (ownDepth > MAX_DEPTH || firstEvents.length > MAX_DEPTH)
      throw new Broken(hop, 'forbidden', 'too-deep', { most: MAX_DEPTH });
    firstEvents.unshift(first);
    // A subject token from another issuer has no grant here, so its exchange is the root.
    id = isExchange(first) ? first.data.parent?.grantId : undefined;
    depth = ownDepth - 1;
  }
  return firstEvents;
}

/** Checks one exchange, with its subject token and its actor token. */
function checkHop(hop, first, ancestors, actor, streams) {
  const { data, position } = first;
  const forbiddenError = (rule, values) => new Broken(hop, 'forbidden', rule, values);
  const parent = ancestors.at(-1);
  const tokenEvent = eventAt(`grant-${grantOf(first)}`, 2, streams);
  if (tokenEvent === undefined) throw new Broken(hop, 'dropped', 'no-token');
  const isOwnToken =
    tokenEvent.type === 'AccessTokenIssued' &&
    tokenEvent.data.exchanged === true &&
    tokenEvent.data.expiresAt === data.expiresAt &&
    isWithin(tokenEvent.data.scope, data.scope) &&
    isEqual((tokenEvent.data.details ?? []).map(typeAndHashOf), data.details ?? []);
  if (!isOwnToken) throw forbiddenError('other-token');
  if ((data.mode === 'delegation') !== (data.actor !== undefined)) throw forbiddenError('mode', { mode: data.mode });
  if (data.actor !== undefined) checkActor(hop, first, actor, streams);
  for (const [token, use] of foreignTokens(first)) checkForeignToken(token, use, hop, first, streams);
  const actors = data.actor === undefined ? [] : [partyOf(data.actor)];
  if (parent === undefined) {
    if (data.parent.issuer === undefined) throw forbiddenError('no-subject');
    if (data.depth !== 1) throw forbiddenError('depth-above', { depth: data.depth });
    const ownRoot = { grantId: grantOf(first), clientId: data.clientId };
    if (!isEqual(data.root, ownRoot)) throw forbiddenError('other-root');
    if (!isEqual(data.chain, actors)) throw forbiddenError('own-actors');
    if (data.details !== undefined) throw forbiddenError('no-details');
    return;
  }
  if (parent.data.clientId !== data.parent.clientId || parent.data.userId !== data.userId)
    throw forbiddenError('subject-party');
  const subjectLimits = limitsOf(
    data.parent,
    parent,
    { number: hop.number - 1, grant: grantOf(parent) },
    position,
    streams,
  );
  checkNarrower(data, subjectLimits, 'subject', forbiddenError);
  if (!(tokenEvent.data.details ?? []).every((detail) => isDetailWithin(detail, subjectLimits.details)))
    throw forbiddenError('more-details');
  if (actor !== undefined) {
    const actorLimits = limitsOf(data.actor, actor, hop, position, streams);
    checkNarrower({ ...data, resource: actorLimits.resource }, actorLimits, 'actor', forbiddenError);
  }
  const root = isExchange(parent) ? parent.data.root : { grantId: grantOf(parent), clientId: parent.data.clientId };
  if (!isEqual(data.root, root)) throw forbiddenError('root-of-subject');
  const earlierActors = isExchange(parent) ? parent.data.chain : [];
  if (!isEqual(data.chain, [...actors, ...earlierActors])) throw forbiddenError('actors-of-subject');
  const exchanges = ancestors.filter(isExchange);
  if (exchanges.some((exchange) => exchange.data.clientId === data.clientId)) throw forbiddenError('client-twice');
  for (const ancestor of ancestors) checkNotEnded(ancestor, first, hop, streams);
  for (const exchange of exchanges)
    if (hasOwnActor(exchange)) checkNotEnded(actorOf(exchange, hop, streams), first, hop, streams);
}

function checkActor(hop, first, actor, streams) {
  const { data } = first;
  const forbiddenError = (rule, values) => new Broken(hop, 'forbidden', rule, values);
  if (data.actor.clientId !== data.clientId) throw forbiddenError('actor-client');
  if (actor !== undefined) {
    if (isExchange(actor)) throw forbiddenError('actor-exchanged');
    if (!isEqual(partyOf(actor.data), partyOf(data.actor))) throw forbiddenError('actor-party');
  }
  const subject = { clientId: data.root.clientId, userId: data.userId };
  if (isSameParty(data.actor, subject)) throw forbiddenError('actor-is-subject');
  if (data.chain.slice(1).some((party) => isSameParty(data.actor, party))) throw forbiddenError('actor-twice');
  if (actor !== undefined) checkNotEnded(actor, first, hop, streams);
}

/** Returns the presented JWTs from other issuers, each with its use. */
function foreignTokens({ type, data }) {
  if (type !== 'TokenExchanged') return [];
  return [
    [data.parent, 'subject-token'],
    [data.actor, 'actor-token'],
  ].filter(([token]) => token?.issuer !== undefined);
}

/** Checks that the record of the issuer at the time of the exchange allows the use of its JWT. */
function checkForeignToken({ issuer, expiresAt }, use, hop, { data, position }, streams) {
  const forbiddenError = (rule, values) => new Broken(hop, 'forbidden', rule, values);
  const { events } = requireStream(issuerStream(issuer, hop, streams), streams, hop);
  const { type, data: record } = events.findLast((event) => event.position < position) ?? {};
  if (type === undefined) throw new Broken(hop, 'dropped', 'no-issuer-record', { issuer });
  const { uses = [], clients = [], scope = [] } = record.settings ?? {};
  if (record.issuer !== issuer || type !== 'TrustedIssuerSet') throw forbiddenError('issuer', { issuer });
  if (!uses.includes(use)) throw forbiddenError('issuer-use', { issuer, use });
  if (!clients.some(({ clientId }) => clientId === data.clientId)) throw forbiddenError('issuer-client', { issuer });
  if (!isWithin(data.scope, scope)) throw forbiddenError('issuer-scope', { issuer });
  if (data.expiresAt > expiresAt) throw forbiddenError('issuer-time', { issuer });
}

/**
 * Finds the only stream with records of the issuer by its content, because its name is a hash, which browsers compute
 * only asynchronously.
 */
function issuerStream(issuer, hop, streams) {
  const isOfIssuer = ([stream, { events }]) =>
    stream.startsWith('issuer-') && events.some(({ data }) => data.issuer === issuer);
  const [entry, duplicate] = [...streams].filter(isOfIssuer);
  if (entry === undefined) throw new Broken(hop, 'dropped', 'no-issuer', { issuer });
  if (duplicate !== undefined) throw new Broken(hop, 'altered', 'two-issuers', { issuer });
  return entry[0];
}

const hasOwnActor = ({ data }) => data.actor?.grantId !== undefined;

function checkNotEnded(ancestor, first, hop, streams) {
  const end = findEnd(ancestor, hop, streams);
  if (end !== null && end.position < first.position)
    throw new Broken(hop, 'forbidden', 'after-end', { grant: grantOf(ancestor), cause: end.cause });
}

/** Returns the limits of a presented token. An ID token represents the access token that was issued with it. */
function limitsOf({ tokenHash }, first, hop, position, streams) {
  const { events = [] } = streams.get(first.stream) ?? {};
  const tokenEvent = events.find(({ data }) => data.tokenHash === tokenHash);
  if (tokenEvent === undefined) throw new Broken(hop, 'dropped', 'no-exchanged-token');
  if (tokenEvent.position > position) throw new Broken(hop, 'reordered', 'issued-later');
  const isIdToken = tokenEvent.type === 'IdTokenIssued';
  const accessTokenEvent = isIdToken ? events.find((event) => isAccessTokenOf(event, tokenEvent)) : tokenEvent;
  if (accessTokenEvent === undefined) throw new Broken(hop, 'dropped', 'no-access-token');
  const retirement = events.find((event) => isRetirementOf(event, tokenHash) && event.position < position)?.data
    .retired;
  const { scope = first.data.scope, resource = [], details = [] } = accessTokenEvent.data;
  const { expiresAt } = tokenEvent.data;
  return {
    scope,
    resource,
    details: isIdToken ? [] : details,
    expiresAt: retirement === undefined ? expiresAt : Math.min(expiresAt, retirement.endsAt),
  };
}

/**
 * Reports whether an event issued the access token of an ID token. The event of a first refresh token can be between
 * them.
 */
const isAccessTokenOf = ({ type, revision }, idToken) =>
  type === 'AccessTokenIssued' && [1, 2].includes(idToken.revision - revision);
/** A refresh brings the expiry of the previous access token forward. */
const isRetirementOf = ({ type, data }, tokenHash) =>
  type === 'RefreshTokenRotated' && data.retired?.tokenHash === tokenHash;

const typeAndHashOf = ({ type, hash }) => ({ type, hash });

/**
 * Compares type and hash, because the contents are encrypted. Only the server can check that a detail that narrows
 * another one allows less, and that the details of the actor allow it.
 */
function isDetailWithin({ type, hash, narrows = hash }, details) {
  return details.some((detail) => detail.type === type && detail.hash === narrows);
}

function checkNarrower({ scope, resource = [], expiresAt }, limits, role, forbiddenError) {
  if (!isWithin(scope, limits.scope)) throw forbiddenError(`${role}-scope`);
  const isResourceWithin = limits.resource.length === 0 || (resource.length > 0 && isWithin(resource, limits.resource));
  if (!isResourceWithin) throw forbiddenError(`${role}-resources`);
  if (limits.expiresAt !== null && expiresAt > limits.expiresAt) throw forbiddenError(`${role}-time`);
}

function actorOf(first, hop, streams) {
  const actor = firstOf(first.data.actor.grantId, streams);
  if (actor === undefined) throw new Broken(hop, 'dropped', 'no-actor');
  return actor;
}

function hopFrom(first, end) {
  const { data, type, position } = first;
  const actor = data.actor; // has no grant if its token is from another issuer
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
const isWithin = (subset, superset) => subset.every((name) => superset.includes(name));
/** Reports whether two parties are the same user, through any client, or the same client acting on its own behalf. */
const isSameParty = (a, b) => a.userId === b.userId && (a.userId !== null || a.clientId === b.clientId);

// ---- the ends ------------------------------------------------------------------------------------------

/**
 * Finds the first event that ended a grant, ignoring the grants on which it depends. Returns null if it has not ended.
 */
function findEnd(first, hop, streams) {
  const { clientId, scope, login } = first.data;
  const lastEventOf = (stream) => {
    const { count, events } = requireStream(stream, streams, hop);
    const event = events.find(({ revision }) => revision === count);
    if (event === undefined) throw new Broken(hop, 'dropped', 'no-last-record', { stream });
    return event;
  };
  const lastGrantEvent = lastEventOf(first.stream);
  const lastClientEvent = lastEventOf(`client-${clientId}`);
  const accountEvents = userIdsOf(first).flatMap((id) => accountEventsOf(id, first, hop, streams));
  const endsWithSession =
    first.type === 'ConsentGiven' && scope.includes('openid') && !scope.includes('offline_access');
  return findEarliest([
    lastGrantEvent.type === 'GrantRevoked' ? { cause: 'revoked', position: lastGrantEvent.position } : null,
    lastClientEvent.type === 'ClientRemoved' ? { cause: 'client-removed', position: lastClientEvent.position } : null,
    ...accountEvents.flatMap(({ type, position }) => {
      if (type === 'UserErased') return [{ cause: 'user-erased', position }];
      return type === 'UserDisabled' ? [{ cause: 'user-disabled', position }] : [];
    }),
    ...issuersOf(first).flatMap((issuer) =>
      eventsSince(first.position, issuerStream(issuer, hop, streams), hop, streams)
        .filter(({ type }) => type === 'TrustedIssuerRemoved')
        .map(({ position }) => ({ cause: 'issuer-removed', position })),
    ),
    endsWithSession && login?.sessionHash
      ? findSessionEnd(login.sessionHash, first, accountEvents, hop, streams)
      : null,
    findClockEnd(first, hop, streams),
  ]);
}

/** Returns the ids of the users whose accounts can end a grant, ignoring the grants on which it depends. */
function userIdsOf({ type, data: { userId, parent, actor } }) {
  const isOfUser = type === 'ConsentGiven' || type === 'AssertionRedeemed' || parent?.issuer !== undefined;
  return [isOfUser ? userId : null, actor?.issuer === undefined ? null : actor.userId].filter((id) => id !== null);
}

/** Returns the issuers whose JWTs were presented for a grant. */
function issuersOf(first) {
  if (first.type === 'AssertionRedeemed') return [first.data.issuer];
  return foreignTokens(first).map(([{ issuer }]) => issuer);
}

/** Returns the events of an account after the first event of a grant. */
function accountEventsOf(userId, first, hop, streams) {
  const account = [...streams].find(
    ([stream, { events }]) => stream.startsWith('user-') && events.some(({ data }) => data.userId === userId),
  );
  if (account === undefined) throw new Broken(hop, 'dropped', 'no-account');
  return eventsSince(first.position, account[0], hop, streams).filter(({ data }) => data.userId === userId);
}

/** Finds the end of the session in which the user consented, or of the sessions that continued it. */
function findSessionEnd(sessionHash, first, accountEvents, hop, streams) {
  let [hash, startPosition] = [sessionHash, first.position];
  for (;;) {
    const events = eventsSince(0, `session-${hash}`, hop, streams);
    const { authentication } = events.find(({ type }) => type === 'SessionStarted')?.data ?? {};
    const passkey = (authentication?.secondFactor ?? authentication)?.passkeyId;
    const sessionEnd = events.find(({ type }) => type === 'SessionEnded');
    const accountEnd = accountEvents.find(({ type, position, data }) => {
      if (position <= startPosition) return false;
      if (type === 'PasskeyRemoved') return passkey !== undefined && data.passkeyId === passkey;
      return ['UserDisabled', 'UserErased', 'AllSessionsEnded', 'PasswordChanged'].includes(type);
    });
    const event = findEarliest([accountEnd ?? null, sessionEnd ?? null]);
    if (event === null) return null;
    if (event !== sessionEnd || sessionEnd.data.continuedBy === undefined)
      return { cause: 'session-ended', position: event.position };
    [hash, startPosition] = [sessionEnd.data.continuedBy, sessionEnd.position];
  }
}

/**
 * Finds a correction of the clock that ended the grant, because it has tokens that were issued while the clock was
 * ahead.
 */
function findClockEnd(first, hop, streams) {
  const events = streams.get(first.stream).events;
  const correction = eventsSince(first.position, 'clock', hop, streams).find(({ type, position, data }) => {
    if (type !== 'ClockSetBack') return false;
    const tokenEvents = events.filter((event) => event.position < position && isIssue(event));
    return (
      Math.max(...[first, ...tokenEvents].map(({ recordedAt }) => Math.floor(recordedAt / 1000))) > data.issuedAfter
    );
  });
  return correction === undefined ? null : { cause: 'clock-set-back', position: correction.position };
}

const isIssue = ({ type }) => ['AccessTokenIssued', 'RefreshTokenIssued', 'RefreshTokenRotated'].includes(type);

/** Returns all events of a stream after a position. Their records must all be present. */
function eventsSince(from, stream, hop, streams) {
  const { count, events } = requireStream(stream, streams, hop);
  const revisions = new Set(events.map(({ revision }) => revision));
  const lastRevision = Math.max(
    0,
    ...events.filter(({ position }) => position <= from).map(({ revision }) => revision),
  );
  for (let revision = lastRevision + 1; revision <= count; revision += 1)
    if (!revisions.has(revision)) throw new Broken(hop, 'dropped', 'no-record', { revision, stream });
  return events.filter(({ position }) => position > from);
}

function requireStream(name, streams, hop) {
  const stream = streams.get(name);
  if (stream === undefined) throw new Broken(hop, 'dropped', 'no-stream', { stream: name });
  return stream;
}

function findEarliest(events) {
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

/** Parses the record of an event. Returns undefined if it is not one. */
export function parseRecord(text, position) {
  try {
    const event = JSON.parse(text);
    const { stream, revision, type, data } = event;
    const isEvent =
      [stream, type].every((member) => typeof member === 'string') && Number.isSafeInteger(revision) && data;
    return isEvent ? { ...event, position } : undefined;
  } catch {
    return undefined;
  }
}

function parse(text, hop) {
  try {
    return objectOf(JSON.parse(text));
  } catch (error) {
    throw error instanceof Broken ? error : new Broken(hop, 'altered', 'no-json');
  }
}

function objectOf(value) {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new Broken(null, 'altered', 'no-object');
}

/** Compares JSON values; the order of members does not matter. */
function isEqual(left, right) {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isEqual(left[name], right[name]))
  );
}
