import { proveChain, type ChainProof, type ChainProofDeps } from '../../../audit/queries/chain-proof.ts';
import { redactedData } from '../../../audit/queries/redaction.ts';
import { mayAdminister } from '../../../domain/roles.ts';
import type { GrantId } from '../../../domain/values.ts';
import type { EventLog, RecordedEvent } from '../../../event-store/event-log.ts';
import { message } from '../../../language/message.ts';
import type { Semaphore } from '../../../platform/semaphore.ts';
import { missingItemError, PageError } from '../../pipeline/page-error.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { pageContextFor } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { sendPage } from '../send-page.ts';
import { readTreeLocals, type TreePageDeps } from './exchange-tree.ts';
import type { AuditPages } from './locals.ts';
import { readMomentQuery } from './moment-query.ts';
import { readTrimmedQuery } from './query.ts';
import { runQueued } from './run-queued.ts';

export interface ChainPagesDeps extends TreePageDeps, ChainProofDeps {
  readonly log: TreePageDeps['log'] & ChainProofDeps['log'] & Pick<EventLog, 'head'>;
  readonly users: TreePageDeps['users'];
  readonly pages: Pick<AuditPages, 'auditGrant'>;
}

/**
 * Adds the page that shows the exchanges around a grant, now or in the past, and the download with the proof of the
 * chain from the root to the grant.
 */
export function addChainPages(
  router: PageRouter,
  { searches, replays }: { readonly searches: Semaphore; readonly replays: Semaphore },
  deps: ChainPagesDeps,
): void {
  const { log, pages } = deps;

  async function existsNow(grantId: GrantId): Promise<boolean> {
    return (await runQueued(searches, () => readTreeLocals(grantId, undefined, deps))) !== undefined;
  }

  router.get('/grants/:grant', async (ctx) => {
    const grantId = requestedGrantId(ctx);
    const { entered, errors, moment } = readMomentQuery(readTrimmedQuery(ctx), log.head());
    const tree = await runQueued(moment === undefined ? searches : replays, () =>
      readTreeLocals(grantId, moment, deps),
    );
    if (Object.keys(errors).length > 0) ctx.status = 422;
    if (tree === undefined && (moment === undefined || !(await existsNow(grantId)))) throw missingItemError('grant');
    const query = { entered, errors };
    sendPage(ctx, pages.auditGrant({ ...pageContextFor(ctx, actingUser(ctx)), grantId, query, tree: tree ?? null }));
  });

  router.get('/grants/:grant/proof', async (ctx) => {
    const grantId = requestedGrantId(ctx);
    const proof = await runQueued(searches, () => proveChain(grantId, deps));
    if (proof === undefined) throw missingItemError('grant');
    if (!mayAdminister(actingUser(ctx).user.roles) && hasUserChosenSecret(proof))
      throw new PageError(
        403,
        message('grant.proof-for-administrators'),
        message('grant.proof-for-administrators-text'),
        message('grant.proof-for-administrators-advice'),
      );
    ctx.attachment(`chain-${grantId}.json`);
    ctx.type = 'application/json';
    ctx.set('Cache-Control', 'no-store');
    ctx.body = `${JSON.stringify(proof, null, 2)}\n`;
  });
}

function requestedGrantId(ctx: RequestContext): GrantId {
  const grantId = pathParameter(ctx, 'grant');
  if (!/^[\w-]{22}$/.test(grantId)) throw missingItemError('grant');
  return grantId as GrantId;
}

/**
 * Reports whether the proof contains the hash of a user-chosen secret. The proof needs complete records, so
 * the hash cannot be left out.
 */
function hasUserChosenSecret({ proof }: ChainProof): boolean {
  return proof.records.some(({ record }) => {
    const event = JSON.parse(record) as Pick<RecordedEvent, 'type' | 'data'>;
    return redactedData(event) !== event.data;
  });
}
