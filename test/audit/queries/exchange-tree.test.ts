import { expect } from 'chai';
import fc from 'fast-check';
import type { TreeNode } from '../../../src/audit/queries/exchange-tree-node.ts';
import { exchangeTree, type ExchangeTree } from '../../../src/audit/queries/exchange-tree.ts';
import type { GrantId } from '../../../src/domain/values.ts';
import type { Projections } from '../../../src/projections/projections.ts';
import { hashOf, seconds } from '../../support/domain-values.ts';
import {
  forestStepWithPauses,
  growForest,
  projectionsAt,
  type Forest,
  type ForestStep,
} from '../../support/exchange-forest.ts';
import { repetitions } from '../../support/repetitions.ts';

const NO_LIMITS = { maxExchanges: 1_000, maxEvents: Infinity };
const NOW = { position: Infinity, time: Infinity };

const listNodes = (node: TreeNode): readonly TreeNode[] => [node, ...node.exchanges.flatMap(listNodes)];

async function readTree(
  { log, projections, now }: Forest,
  grantId: GrantId,
  { moment = NOW, limits = NO_LIMITS } = {},
): Promise<ExchangeTree> {
  const query = { grantId, moment, now: seconds(now), limits };
  return (await exchangeTree(query, { log, ...projections })) ?? expect.fail(`no tree for ${grantId}`);
}

function isValid(grantId: GrantId, now: number, { accessTokens, clients }: Projections): boolean {
  const token = accessTokens.find(hashOf(grantId), now);
  return token !== undefined && clients.find(token.clientId)?.disabledAt === undefined;
}

const BEGINNING: readonly ForestStep[] = [
  { kind: 'log-in', user: 0, passkey: false, continuesSession: false },
  { kind: 'log-in', user: 1, passkey: true, continuesSession: false },
  { kind: 'grant', client: 0, user: 0, openid: true },
  { kind: 'grant', client: 1, user: 1, openid: false },
  { kind: 'grant', client: 2, user: 2, openid: false },
];
const steps = fc
  .array(forestStepWithPauses, { minLength: 10, maxLength: 60, size: 'max' })
  .map((randomSteps) => [...BEGINNING, ...randomSteps]);

describe('the exchange tree of a random log', function () {
  this.timeout(60_000);

  it('shows a token as valid if and only if the projections do, and otherwise states the cause', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const forest = await growForest(sequence);
        const { accessTokens } = forest.projections;
        const validOrPaused = new Set([...accessTokens.liveOrPaused(forest.now)].map(({ grantId }) => grantId));
        for (const { id, exchange } of forest.grants) {
          const { root } = await readTree(forest, id);
          for (const { grantId, end, pause, expiresAt, first } of listNodes(root)) {
            const isTokenValid = isValid(grantId, forest.now, forest.projections);
            expect(end === null && pause === null, `${grantId}: ${String(end?.cause)}`).to.equal(isTokenValid);
            expect(end === null, `${grantId}, valid or paused`).to.equal(validOrPaused.has(grantId));
            if (pause !== null) expect(pause.event.type).to.equal('ClientDisabled');
            if (end?.cause === 'expired') expect(forest.now).to.be.at.least(expiresAt ?? Infinity);
            else if (end !== null) expect(end.event?.position).to.be.above(first.position);
          }
          expect(root.grantId).to.equal(exchange?.root.grantId ?? id);
        }
      }),
      { numRuns: repetitions(40) },
    );
  });

  it('at an earlier position shows the tokens that were valid at that position', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(), async (sequence, random) => {
        const forest = await growForest(sequence);
        const requestedPosition = 1 + (random % forest.log.head());
        const { last, ...earlier } = await projectionsAt(requestedPosition, forest.log);
        const position: number = last.position;
        const now = Math.floor(last.recordedAt / 1000);
        for (const { id } of forest.grants) {
          const sources = { log: forest.log, ...forest.projections };
          const moment = { position, time: Infinity };
          const limits = NO_LIMITS;
          const tree = await exchangeTree({ grantId: id, moment, now: seconds(now), limits }, sources);
          const first = (await readTree(forest, id)).root.first;
          expect(tree === undefined, `${id} at ${position}`).to.equal(firstPositionOf(id, forest) > position);
          if (tree === undefined) continue;
          expect(tree.root.first).to.deep.equal(first);
          expect(Math.max(...listNodes(tree.root).map((node) => node.first.position))).to.be.at.most(position);
          for (const { grantId, end, pause } of listNodes(tree.root))
            expect(end === null && pause === null, `${grantId} at ${position}: ${String(end?.cause)}`).to.equal(
              isValid(grantId, now, earlier),
            );
        }
      }),
      { numRuns: repetitions(40) },
    );
  });

  it('keeps the newest exchanges and their ancestors, and counts the omitted ones', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 6 }), async (sequence, keep) => {
        const forest = await growForest(sequence);
        for (const { id } of forest.grants) {
          const allNodes = listNodes((await readTree(forest, id)).root);
          const byId = new Map(allNodes.map((node) => [node.grantId, node]));
          const limitedTree = await readTree(forest, id, { limits: { maxExchanges: keep, maxEvents: Infinity } });
          expect(limitedTree.count).to.equal(allNodes.length - 1);
          expect(limitedTree.shown).to.equal(listNodes(limitedTree.root).length - 1);
          for (const node of listNodes(limitedTree.root)) {
            expect(node.exchanges.length + node.omitted).to.equal(byId.get(node.grantId)?.exchanges.length);
            expect(node.end).to.deep.equal(byId.get(node.grantId)?.end);
          }
          const shownIds = new Set(listNodes(limitedTree.root).map(({ grantId }) => grantId));
          const newest = allNodes
            .slice(1)
            .toSorted((a, b) => a.first.position - b.first.position)
            .slice(-keep);
          for (const { grantId } of newest) expect(shownIds.has(grantId)).to.equal(true);
          expect(shownIds.has(id)).to.equal(true);
        }
      }),
      { numRuns: repetitions(40) },
    );
  });

  it('finds every valid token, however limited the search', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat({ max: 80 }), async (sequence, maxEvents) => {
        const forest = await growForest(sequence);
        const hasErasure = sequence.some((step) => step.kind === 'account' && step.type === 'UserErased');
        for (const { id } of forest.grants) {
          const allNodes = listNodes((await readTree(forest, id)).root);
          const byId = new Map(allNodes.map((node) => [node.grantId, node]));
          const briefSearch = await readTree(forest, id, { limits: { maxExchanges: 1_000, maxEvents } });
          for (const node of listNodes(briefSearch.root)) {
            const { end } = byId.get(node.grantId) ?? expect.fail(`${node.grantId} is not in the full tree`);
            expect(node.end === null).to.equal(end === null);
            // The stream of an erased account is unknown, so the first event found may be a later one.
            if (!hasErasure) expect(node.end).to.deep.equal(end);
          }
          const validIds = allNodes.filter(({ end }) => end === null).map(({ grantId }) => grantId);
          expect(listNodes(briefSearch.root).map(({ grantId }) => grantId)).to.include.members(validIds);
        }
      }),
      { numRuns: repetitions(40) },
    );
  });
});

const firstPositionOf = (id: GrantId, { grants, positions }: Forest): number =>
  positions[grants.findIndex((grant) => grant.id === id)] ?? Infinity;
