import type { EventOf } from '../../domain/events.ts';
import type { AuditedEvent } from './audited-event.ts';
import type { History } from './history.ts';
import { grantStreamOf } from './history/exchanges.ts';
import type { GrantRecord } from './history/grants.ts';
import { sessionEndOf } from './logins.ts';
import { findLimits } from './presented-tokens.ts';
import { finding, isSubset, type EventRule, type Violation } from './rule.ts';

type Exchange = EventOf<'TokenExchanged'>['data'];
type Party = Exchange['chain'][number];

/** Creates the check for a rule that applies only to exchanges. */
const checkExchange =
  (check: (exchange: Exchange, history: History) => string | undefined): EventRule['check'] =>
  ({ event: { type, data } }, history): Violation | undefined => {
    const message = type === 'TokenExchanged' ? check(data, history) : undefined;
    return message === undefined ? undefined : finding(message);
  };

const findGrant = (grantId: string, { grants }: History): Readonly<GrantRecord> | undefined =>
  grants.inStream(grantStreamOf(grantId));

const formatResources = (resource: readonly string[]): string => resource.join(' ') || 'every resource server';

function describeWidening(exchange: Exchange, history: History): string | undefined {
  const { scope, resource = [], parent, actor, expiresAt } = exchange;
  for (const token of [parent, actor])
    if (token !== undefined && 'issuer' in token && expiresAt > token.expiresAt)
      return `the token expires ${expiresAt - token.expiresAt} s after a token from ${token.issuer}`;
  const actorLimits = actor && 'grantId' in actor ? findLimits(actor, history) : undefined;
  if (actorLimits !== undefined) {
    if (!isSubset(scope, actorLimits.scope))
      return `the token has scope ${scope.join(' ')}, but its actor token has ${actorLimits.scope.join(' ')}`;
    if (expiresAt > actorLimits.expiresAt)
      return `the token expires ${expiresAt - actorLimits.expiresAt} s after its actor token`;
  }
  if ('issuer' in parent) return undefined;
  const limits = findLimits(parent, history);
  if (limits === undefined) return undefined; // another rule reports it
  if (!isSubset(scope, limits.scope))
    return `the token has scope ${scope.join(' ')}, but its subject token has ${limits.scope.join(' ')}`;
  if (limits.resource.length > 0 && (resource.length === 0 || !isSubset(resource, limits.resource))) {
    const allowedResources = formatResources(limits.resource);
    return `the token is for ${formatResources(resource)}, but its subject token is for ${allowedResources}`;
  }
  return expiresAt > limits.expiresAt
    ? `the token expires ${expiresAt - limits.expiresAt} s after its subject token`
    : undefined;
}

/** Returns the ids of the grants that an exchange depends on: those in its chain up to the root, and the actors'. */
function grantIdsAbove(exchange: Exchange, { exchanges }: History): readonly string[] {
  const chain = [exchange, ...exchanges.ancestorsOf(exchange)];
  return chain.flatMap(({ parent, actor }) =>
    [parent, actor].flatMap((token) => (token !== undefined && 'grantId' in token ? token.grantId : [])),
  );
}

function describeLateExchange(exchange: Exchange, history: History): string | undefined {
  for (const grantId of grantIdsAbove(exchange, history)) {
    const grant = findGrant(grantId, history);
    if (grant === undefined) continue;
    if (grant.isRevoked) return `the token was exchanged after the revocation of grant ${grantId}, which it depends on`;
    if (history.clients.find(grant.clientId)?.removedAt !== null)
      return `the token was exchanged after the removal of client ${grant.clientId}, which it depends on`;
    if ((history.clients.find(grant.clientId)?.disabledAt ?? null) !== null)
      return `the token was exchanged while client ${grant.clientId}, which it depends on, was disabled`;
    const accounts = [grant.userId, findForeignActor(grantId, history)];
    for (const userId of accounts) {
      const user = userId === null ? undefined : history.users.find(userId);
      if (user?.lastEnd && user.lastEnd.position > grant.position)
        return `the token was exchanged after user ${user.userId}, whom it depends on, was disabled or erased`;
    }
    if (sessionEndOf(grant, history) !== null)
      return `the token was exchanged after the end of session ${grant.login?.sessionHash}, which it depends on`;
    for (const issuer of listIssuers(grantId, history))
      if ((history.trustedIssuers.find(issuer)?.removedPosition ?? 0) > grant.position)
        return `the token was exchanged after the removal of issuer ${issuer}, which it depends on`;
  }
  return undefined;
}

/** Returns the user of the actor token if it is a JWT from another issuer; otherwise null. */
function findForeignActor(grantId: string, { exchanges }: History): Exchange['userId'] {
  const actor = exchanges.inStream(grantStreamOf(grantId))?.actor;
  return actor !== undefined && 'issuer' in actor ? actor.userId : null;
}

/** Returns the issuers whose JWTs started the grant. */
function listIssuers(grantId: string, { exchanges, trustedIssuers }: History): readonly string[] {
  const stream = grantStreamOf(grantId);
  const exchange = exchanges.inStream(stream);
  return [exchange?.parent, exchange?.actor, trustedIssuers.assertionOf(stream)].flatMap((token) =>
    token !== undefined && 'issuer' in token ? token.issuer : [],
  );
}

function describeBrokenChain(exchange: Exchange, history: History): string | undefined {
  const { grantId, clientId, parent, userId, depth, root, chain, actor, mode } = exchange;
  const defaultRoot = 'issuer' in parent ? { grantId, clientId } : parent;
  if ('grantId' in parent) {
    const subjectGrant = findGrant(parent.grantId, history);
    if (subjectGrant === undefined) return `no grant ${parent.grantId} was recorded earlier`;
    if (subjectGrant.clientId !== parent.clientId || subjectGrant.userId !== userId)
      return `grant ${parent.grantId} belongs to a different client or user`;
    if (parent.tokenType === 'id_token' && subjectGrant.idToken?.tokenHash !== parent.tokenHash)
      return `the subject token is not the newest ID token of grant ${parent.grantId}`;
  }
  const previousExchange = 'issuer' in parent ? undefined : history.exchanges.inStream(grantStreamOf(parent.grantId));
  const subjectChain = previousExchange ?? {
    depth: 0,
    root: { grantId: defaultRoot.grantId, clientId: defaultRoot.clientId },
    chain: [],
  };
  if (depth !== subjectChain.depth + 1) return `the depth is ${depth}, expected ${subjectChain.depth + 1}`;
  if (root.grantId !== subjectChain.root.grantId || root.clientId !== subjectChain.root.clientId)
    return 'the root differs from that of the subject token';
  const actors = actor === undefined ? subjectChain.chain : [actor, ...subjectChain.chain];
  if (chain.length !== actors.length || !chain.every((party, index) => isSameParty(party, actors[index])))
    return 'the chain of actors does not continue that of the subject token';
  return (mode === 'delegation') === (actor !== undefined)
    ? undefined
    : `the mode is ${mode}, but the exchange has ${actor === undefined ? 'no' : 'an'} actor`;
}

const isSameParty = (party: Party, other: Party | undefined): boolean =>
  party.clientId === other?.clientId && party.userId === other.userId;

/** Reports whether both parties are the same user, through any client, or the same client without a user. */
const isSameSubject = (party: Party, other: Party): boolean =>
  party.userId === other.userId && (party.userId !== null || party.clientId === other.clientId);

function describeWrongParty(exchange: Exchange, history: History): string | undefined {
  const { clientId, userId, actor, root, chain } = exchange;
  if (history.exchanges.ancestorsOf(exchange).some((ancestor) => ancestor.clientId === clientId))
    return `client ${clientId} makes two exchanges in one chain`;
  if (actor === undefined) return undefined;
  if (actor.clientId !== clientId) return 'the actor token was issued to a different client';
  if ('grantId' in actor) {
    const actorGrant = findGrant(actor.grantId, history);
    if (actorGrant?.clientId !== actor.clientId || actorGrant.userId !== actor.userId)
      return `the actor's grant ${actor.grantId} belongs to a different client or user`;
    if (history.exchanges.inStream(grantStreamOf(actor.grantId)) !== undefined)
      return 'the actor token came from an exchange';
  }
  if (isSameSubject(actor, { clientId: root.clientId, userId })) return 'the actor is the subject';
  return chain.slice(1).some((party) => isSameSubject(actor, party)) ? 'the actor acts twice in the chain' : undefined;
}

function describePolicyViolation(
  { clientId, parent, mode, scope, resource = [] }: Exchange,
  history: History,
): string | undefined {
  if ('issuer' in parent) return undefined; // the settings of the trusted issuer are the policy
  const settings = history.exchangePolicies.find(clientId, parent.clientId)?.settings ?? null;
  if (settings === null) return `no policy lets client ${clientId} exchange tokens issued to client ${parent.clientId}`;
  if (!settings.modes.includes(mode)) return `the policy does not allow ${mode}`;
  if (settings.scope !== null && !isSubset(scope, settings.scope))
    return 'the token has more scope than the policy allows';
  const { resources } = settings;
  return resources !== null && (resource.length === 0 || !isSubset(resource, resources))
    ? 'the token is for resource servers that the policy does not allow'
    : undefined;
}

function checkToken({ event: { type, data }, record: { stream } }: AuditedEvent, history: History) {
  if (type !== 'AccessTokenIssued') return undefined;
  const exchange = history.exchanges.inStream(stream);
  if (exchange === undefined)
    return data.exchanged === undefined
      ? undefined
      : finding('a token is recorded as exchanged, but its grant has no exchange');
  const matchesExchange =
    data.exchanged === true && data.expiresAt === exchange.expiresAt && isSubset(exchange.scope, data.scope);
  return matchesExchange ? undefined : finding('the token differs from the one that the exchange describes');
}

export const exchangeRules: readonly EventRule[] = [
  {
    name: 'exchanges-only-narrow',
    description:
      'A token issued by an exchange has no scope or resource server that its subject token lacks and no scope that ' +
      'its actor token lacks, and expires no later than either.',
    check: checkExchange(describeWidening),
  },
  {
    name: 'nothing-is-exchanged-after-an-end',
    description:
      'No token is exchanged after a grant that it depends on was revoked, after the client or the issuer of such a ' +
      'grant was removed, after its account was disabled or erased, after its session ended, or while its client is ' +
      'disabled.',
    check: checkExchange(describeLateExchange),
  },
  {
    name: 'chains-are-whole',
    description:
      'An exchange continues the chain of its subject token: its subject, its root, its depth and its actors follow ' +
      'from the previous exchange.',
    check: checkExchange(describeBrokenChain),
  },
  {
    name: 'chains-have-no-circles',
    description:
      "A client makes at most one exchange in a chain, and the exchange's actor token was issued to that client, did " +
      'not come from an exchange, and belongs to neither the subject nor an earlier actor.',
    check: checkExchange(describeWrongParty),
  },
  {
    name: 'exchanges-follow-a-policy',
    description:
      "For each exchange of one of this server's tokens, an exchange policy is set and allows the mode, the scope " +
      'and the resource servers.',
    check: checkExchange(describePolicyViolation),
  },
  {
    name: 'exchanged-tokens-are-as-recorded',
    description:
      'The token of an exchange has the recorded scope and expiry, and only such a token is recorded as exchanged.',
    check: checkToken,
  },
];
