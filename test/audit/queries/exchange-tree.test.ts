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

const ALL = { keep: 1_000, effort: Infinity };
const NOW = { position: Infinity, time: Infinity };

const nodesOf = (node: TreeNode): readonly TreeNode[] => [node, ...node.exchanges.flatMap(nodesOf)];

async function treeOf(
  { log, projections, now }: Forest,
  grantId: GrantId,
  { moment = NOW, limits = ALL, at = now } = {},
): Promise<ExchangeTree> {
  const question = { grantId, moment, now: seconds(at), limits };
  return (await exchangeTree(question, { log, ...projections })) ?? expect.fail(`no tree of ${grantId}`);
}

function isValid(grantId: GrantId, now: number, { accessTokens, clients }: Projections): boolean {
  const token = accessTokens.find(hashOf(grantId), now);
  return token !== undefined && clients.find(token.clientId)?.disabledAt === undefined;
}

const BEGINNING: readonly ForestStep[] = [
  { is: 'log-in', user: 0, passkey: false, again: false },
  { is: 'log-in', user: 1, passkey: true, again: false },
  { is: 'grant', client: 0, user: 0, openid: true },
  { is: 'grant', client: 1, user: 1, openid: false },
  { is: 'grant', client: 2, user: 2, openid: false },
];
const steps = fc
  .array(forestStepWithPauses, { minLength: 10, maxLength: 60, size: 'max' })
  .map((random) => [...BEGINNING, ...random]);

describe('the tree of exchanges of a random log', function () {
  this.timeout(60_000);

  it('has exactly the valid tokens of the projections, and an event before for each that is not', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (played) => {
        const forest = await growForest(played);
        const { accessTokens } = forest.projections;
        const validOrPaused = new Set([...accessTokens.liveOrPaused(forest.now)].map(({ grantId }) => grantId));
        for (const { id, exchange } of forest.grants) {
          const { root } = await treeOf(forest, id);
          for (const { grantId, end, pause, expiresAt, first } of nodesOf(root)) {
            const valid = isValid(grantId, forest.now, forest.projections);
            expect(end === null && pause === null, `${grantId}: ${String(end?.cause)}`).to.equal(valid);
            expect(end === null, `${grantId}, valid or paused`).to.equal(validOrPaused.has(grantId));
            if (pause !== null) expect(pause.event.type).to.equal('ClientDisabled');
            if (end?.cause === 'expired') expect(forest.now).to.be.at.least(expiresAt ?? Infinity);
            else if (end !== null) expect(end.event?.position).to.be.above(first.position);
          }
          expect(root.grantId).to.equal(exchange?.root.grantId ?? id);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('is the same for an earlier moment as it was then, by position and by time', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(), async (played, at) => {
        const forest = await growForest(played);
        const requestedPosition = 1 + (at % forest.log.head());
        const { last, ...then } = await projectionsAt(requestedPosition, forest.log);
        const position: number = last.position;
        const now = Math.floor(last.recordedAt / 1000);
        for (const { id } of forest.grants) {
          const question = { log: forest.log, ...forest.projections };
          const moment = { position, time: Infinity };
          const limits = ALL;
          const tree = await exchangeTree({ grantId: id, moment, now: seconds(now), limits }, question);
          const first = (await treeOf(forest, id)).root.first;
          expect(tree === undefined, `${id} at ${position}`).to.equal(beginningOf(id, forest) > position);
          if (tree === undefined) continue;
          expect(tree.root.first).to.deep.equal(first);
          expect(Math.max(...nodesOf(tree.root).map((node) => node.first.position))).to.be.at.most(position);
          for (const { grantId, end, pause } of nodesOf(tree.root))
            expect(end === null && pause === null, `${grantId} at ${position}: ${String(end?.cause)}`).to.equal(
              isValid(grantId, now, then),
            );
        }
      }),
      { numRuns: 40 },
    );
  });

  it('keeps the newest exchanges with all above them, and counts the others, in a search of any length', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 6 }), fc.nat({ max: 80 }), async (played, keep, effort) => {
        const forest = await growForest(played);
        const hasErasure = played.some((step) => step.is === 'account' && step.type === 'UserErased');
        for (const { id } of forest.grants) {
          const whole = nodesOf((await treeOf(forest, id)).root);
          const byId = new Map(whole.map((node) => [node.grantId, node]));
          const few = await treeOf(forest, id, { limits: { keep, effort: Infinity } });
          expect(few.count).to.equal(whole.length - 1);
          expect(few.shown).to.equal(nodesOf(few.root).length - 1);
          for (const node of nodesOf(few.root)) {
            expect(node.exchanges.length + node.omitted).to.equal(byId.get(node.grantId)?.exchanges.length);
            expect(node.end).to.deep.equal(byId.get(node.grantId)?.end);
          }
          const shown = new Set(nodesOf(few.root).map(({ grantId }) => grantId));
          const newest = whole
            .slice(1)
            .toSorted((a, b) => a.first.position - b.first.position)
            .slice(-keep);
          for (const { grantId } of newest) expect(shown.has(grantId)).to.equal(true);
          expect(shown.has(id)).to.equal(true);

          const short = await treeOf(forest, id, { limits: { keep: 1_000, effort } });
          for (const node of nodesOf(short.root)) {
            const { end } = byId.get(node.grantId) ?? expect.fail('unknown');
            expect(node.end === null).to.equal(end === null);
            // The stream of an erased account is not known any more, so a later event can be the first one found.
            if (!hasErasure) expect(node.end).to.deep.equal(end);
          }
          const valid = whole.filter(({ end }) => end === null).map(({ grantId }) => grantId);
          expect(nodesOf(short.root).map(({ grantId }) => grantId)).to.include.members(valid);
        }
      }),
      { numRuns: 40 },
    );
  });
});

const beginningOf = (id: GrantId, { grants, positions }: Forest): number =>
  positions[grants.findIndex((grant) => grant.id === id)] ?? Infinity;
