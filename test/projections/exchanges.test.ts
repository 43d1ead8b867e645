import { expect } from 'chai';
import fc from 'fast-check';
import type { DomainEvent, EventOf } from '../../src/domain/events.ts';
import type { Projection } from '../../src/event-store/projector.ts';
import type { Party } from '../../src/domain/token-exchange.ts';
import { MAX_EXCHANGE_DEPTH } from '../../src/domain/values.ts';
import { orderedProjections, createProjections, type Projections } from '../../src/projections/projections.ts';
import { CLIENT_SETTINGS } from '../support/client-settings.ts';
import { clientId, grantId, hashOf, seconds, userId } from '../support/domain-values.ts';
import { createRecording } from '../support/recording.ts';
import { repetitions } from '../support/repetitions.ts';

const CLIENTS = ['A', 'B', 'C', 'D', 'E'] as const;
const USERS = ['ada', 'bert'] as const;
const HOUR = 3_600;

const create = (): Projections => createProjections({ users: () => undefined, clients: () => undefined });

/** Creates projections that can be frozen and restored while they follow events. */
function setUp() {
  let projections = create();
  const follower: Projection = {
    name: 'following',
    apply: (event) => orderedProjections(projections).forEach((projection) => projection.apply(event)),
    contents: () => [],
    freeze: () => [],
    restore: () => {},
  };
  const { record } = createRecording(follower);
  for (const name of CLIENTS) {
    const data = { clientId: clientId(name), ownerId: null, secret: null, ...CLIENT_SETTINGS, name, grantTypes: [] };
    record(`client-${clientId(name)}`, { type: 'ClientRegistered', data });
  }
  return {
    record,
    exchanges: () => projections.exchanges,
    isValid: (token: string, now: number) => projections.accessTokens.find(hashOf(token), now) !== undefined,
    restart() {
      const next = create();
      const projectionsByName = new Map(orderedProjections(next).map((projection) => [projection.name, projection]));
      for (const projection of orderedProjections(projections)) {
        for (const piece of projection.freeze()) projectionsByName.get(projection.name)?.restore(piece);
      }
      const contentsOf = (all: Projections) => orderedProjections(all).map(({ contents }) => [...contents()]);
      expect(contentsOf(next)).to.deep.equal(contentsOf(projections));
      projections = next;
    },
  };
}

/** A grant in the model. Its only token has the same name. */
interface Node extends Party {
  readonly name: string;
  readonly parent: Node | undefined;
  readonly actor: Node | undefined;
  readonly depth: number;
  readonly expiresAt: number;
}

const buildChain = (node: Node): readonly Party[] => {
  const parentChain = node.parent === undefined ? [] : buildChain(node.parent);
  return node.actor === undefined ? parentChain : [partyOf(node.actor), ...parentChain];
};
const partyOf = ({ clientId: client, userId: user }: Party): Party => ({ clientId: client, userId: user });
const rootOf = (node: Node): Node => (node.parent === undefined ? node : rootOf(node.parent));

function createIssuanceEvent(node: Node): DomainEvent {
  const { name, clientId: client, userId: user, expiresAt } = node;
  const data = { tokenHash: hashOf(name), grantId: grantId(name), clientId: client, userId: user, scope: ['read'] };
  const exchangeMarker = node.parent === undefined ? {} : ({ exchanged: true } as const);
  return { type: 'AccessTokenIssued', data: { ...data, ...exchangeMarker, expiresAt: seconds(expiresAt) } };
}

function createStartEvent(node: Node): DomainEvent | undefined {
  const { name, clientId: client, userId: user, parent, actor, depth, expiresAt } = node;
  const common = { grantId: grantId(name), clientId: client, scope: ['read'] };
  if (parent === undefined)
    return user === null ? undefined : { type: 'ConsentGiven', data: { ...common, userId: user, basis: 'asked' } };
  const root = rootOf(parent);
  const data: EventOf<'TokenExchanged'>['data'] = {
    ...common,
    userId: user,
    mode: actor === undefined ? 'impersonation' : 'delegation',
    parent: {
      grantId: grantId(parent.name),
      clientId: parent.clientId,
      tokenHash: hashOf(parent.name),
      tokenType: 'access_token',
    },
    ...(actor && { actor: { ...partyOf(actor), grantId: grantId(actor.name), tokenHash: hashOf(actor.name) } }),
    chain: buildChain(node),
    depth,
    root: { grantId: grantId(root.name), clientId: root.clientId },
    requested: { scope: [] },
    expiresAt: seconds(expiresAt),
  };
  return { type: 'TokenExchanged', data };
}

type Step =
  | { readonly kind: 'grant'; readonly client: number; readonly user: number }
  | {
      readonly kind: 'exchange';
      readonly index: number;
      readonly client: number;
      readonly actor: number;
      readonly lifetime: number;
    }
  | { readonly kind: 'revoke'; readonly index: number }
  | { readonly kind: 'remove'; readonly client: number }
  | { readonly kind: 'disable'; readonly user: number }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'restart' };

const number = fc.nat({ max: 100 });
const exchange: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('exchange' as const),
  index: number,
  client: number,
  actor: number,
  lifetime: fc.integer({ min: 60, max: 5 * HOUR }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant('grant' as const), client: number, user: number }), weight: 3 },
  { arbitrary: exchange, weight: 8 },
  { arbitrary: fc.record({ kind: fc.constant('revoke' as const), index: number }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant('remove' as const), client: number }), weight: 1 },
  { arbitrary: fc.record({ kind: fc.constant('disable' as const), user: number }), weight: 1 },
  { arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.nat({ max: HOUR }) }), weight: 2 },
  { arbitrary: fc.constant({ kind: 'restart' } as const), weight: 1 },
);

/** A token in the model is valid until something that it, or a token above it in the chain, depends on ends. */
function createModel() {
  const nodes: Node[] = [];
  const endedParts = new Set<unknown>();
  const isAlive = (node: Node | undefined): boolean =>
    node === undefined ||
    (!endedParts.has(node) &&
      !endedParts.has(node.clientId) &&
      !endedParts.has(node.userId) &&
      isAlive(node.parent) &&
      isAlive(node.actor));
  const pick = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % items.length];
  return {
    nodes,
    endedParts,
    pick,
    isValid: (node: Node, now: number) => now < node.expiresAt && isAlive(node),
    /**
     * Returns the next grant, or undefined if the step is impossible. Its subject may have ended, as in a damaged log.
     */
    next(choice: Extract<Step, { kind: 'grant' | 'exchange' }>, now: number): Node | undefined {
      const client = clientId(pick(CLIENTS, choice.client) ?? 'A');
      const name = String(nodes.length);
      if (choice.kind === 'grant') {
        const user = pick([...USERS, null], choice.user) ?? null;
        const owner = user === null ? null : userId(user);
        return {
          name,
          clientId: client,
          userId: owner,
          parent: undefined,
          actor: undefined,
          depth: 0,
          expiresAt: now + 4 * HOUR,
        };
      }
      const parent = pick(nodes, choice.index);
      if (parent === undefined || parent.depth === MAX_EXCHANGE_DEPTH || now >= parent.expiresAt) return undefined;
      const roots = nodes.filter(({ depth, expiresAt }) => depth === 0 && now < expiresAt);
      const actor = choice.actor % 2 === 0 ? undefined : pick(roots, choice.actor);
      const expiresAt = Math.min(now + choice.lifetime, parent.expiresAt, actor?.expiresAt ?? Infinity);
      return { name, clientId: client, userId: parent.userId, parent, actor, depth: parent.depth + 1, expiresAt };
    },
  };
}

function runSteps(steps: readonly Step[]): void {
  const { record, isValid, restart } = setUp();
  const model = createModel();
  let now = 0;
  for (const nextStep of steps) {
    if (nextStep.kind === 'grant' || nextStep.kind === 'exchange') {
      const node = model.next(nextStep, now);
      if (node === undefined) continue;
      model.nodes.push(node);
      for (const event of [createStartEvent(node), createIssuanceEvent(node)])
        if (event !== undefined) record(`grant-${grantId(node.name)}`, event, now);
    } else if (nextStep.kind === 'revoke') {
      const node = model.pick(model.nodes, nextStep.index);
      if (node === undefined || now >= node.expiresAt) continue;
      model.endedParts.add(node);
      record(`grant-${grantId(node.name)}`, { type: 'GrantRevoked', data: { reason: 'revoked-by-client' } }, now);
    } else if (nextStep.kind === 'remove') {
      const client = clientId(model.pick(CLIENTS, nextStep.client) ?? 'A');
      if (model.endedParts.has(client)) continue;
      model.endedParts.add(client);
      record(`client-${client}`, { type: 'ClientRemoved', data: {} }, now);
    } else if (nextStep.kind === 'disable') {
      const user = userId(model.pick(USERS, nextStep.user) ?? 'ada');
      if (model.endedParts.has(user)) continue;
      model.endedParts.add(user);
      record('user-x', { type: 'UserDisabled', data: { userId: user } }, now);
    } else if (nextStep.kind === 'wait') now += nextStep.seconds;
    else restart();
    for (const node of model.nodes)
      expect(isValid(node.name, now), `token ${node.name} at ${now}`).to.equal(model.isValid(node, now));
  }
}

describe('a forest of exchanged tokens', () => {
  it('has exactly the valid tokens of a small model, for every kind of end, and after a restart', function () {
    this.timeout(60_000);
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), (steps) => {
        const initialSteps: readonly Step[] = [
          { kind: 'grant', client: 0, user: 0 },
          { kind: 'grant', client: 1, user: 2 },
        ];
        runSteps([...initialSteps, ...steps]);
      }),
      { numRuns: repetitions(100) },
    );
  });
});

describe('the exchanges in the log', () => {
  const node = (name: string, client: string, parent?: Node, changes: Partial<Node> = {}): Node => ({
    name,
    clientId: clientId(client),
    userId: userId('ada'),
    parent,
    actor: undefined,
    depth: parent === undefined ? 0 : parent.depth + 1,
    expiresAt: HOUR,
    ...changes,
  });
  const root = node('root', 'A');
  const [firstChild, secondChild] = [node('one', 'B', root), node('other', 'C', root)];
  const grandchild = node('deep', 'D', firstChild, { actor: node('actor', 'D', undefined, { userId: null }) });

  function recordForest() {
    const forest = setUp();
    for (const member of [root, grandchild.actor ?? root, firstChild, secondChild, grandchild])
      for (const event of [createStartEvent(member), createIssuanceEvent(member)])
        if (event !== undefined) forest.record(`grant-${grantId(member.name)}`, event, 0);
    return forest;
  }
  const ids = (exchanges: readonly { readonly grantId: string }[]): readonly string[] =>
    exchanges.map(({ grantId: id }) => id);

  it('include the exchanges below a grant, and the chain above an exchange with its actors and its root', () => {
    const exchanges = recordForest().exchanges();
    expect(ids(exchanges.listByRoot(grantId('root')))).to.deep.equal([
      grantId('one'),
      grantId('other'),
      grantId('deep'),
    ]);
    expect(exchanges.listByRoot(grantId('deep'))).to.deep.equal([]);
    expect(ids(exchanges.listAncestry(grantId('deep')))).to.deep.equal([grantId('deep'), grantId('one')]);
    expect(exchanges.listAncestry(grantId('root'))).to.deep.equal([]);
    expect(['root', 'one', 'unknown'].map((name) => exchanges.countByRoot(grantId(name)))).to.deep.equal([3, 0, 0]);
    expect(exchanges.find(grantId('deep'))).to.deep.include({
      mode: 'delegation',
      root: { grantId: grantId('root'), clientId: clientId('A') },
      chain: [{ clientId: clientId('D'), userId: null }],
      isRevoked: false,
    });
  });

  it('remain available after they have ended, until an hour after their tokens have expired', () => {
    const { record, exchanges } = recordForest();
    record(`grant-${grantId('one')}`, { type: 'GrantRevoked', data: { reason: 'revoked-by-client' } }, 10);
    expect(exchanges().find(grantId('one'))).to.include({ isRevoked: true });
    expect(exchanges().find(grantId('deep'))).to.include({ isRevoked: false });
    expect(exchanges().isLive(grantId('deep'))).to.equal(false);
    record('group-x', { type: 'GroupCreated', data: { groupId: 'g'.repeat(22) as never, name: 'x' } }, 3 * HOUR);
    expect(exchanges().find(grantId('one'))).to.equal(undefined);
    expect(exchanges().listByRoot(grantId('root'))).to.deep.equal([]);
    expect(exchanges().countByRoot(grantId('root'))).to.equal(0);
  });

  it('are not live if their parent is missing, which does not affect other exchanges', () => {
    const { record, exchanges, isValid } = recordForest();
    const orphan = node('orphan', 'E', node('lost', 'B', root));
    for (const event of [createStartEvent(orphan), createIssuanceEvent(orphan)])
      if (event !== undefined) record(`grant-${grantId('orphan')}`, event, 0);
    expect(exchanges().isLive(grantId('orphan'))).to.equal(false);
    expect(exchanges().isLive(grantId('unknown'))).to.equal(false);
    expect(isValid('orphan', 1)).to.equal(false);
    expect(isValid('deep', 1)).to.equal(true);
  });
});
