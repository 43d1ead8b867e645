import { mayAudit } from '../../../domain/roles.ts';
import type { Slots } from '../../../platform/semaphore.ts';
import { sendDownload, type Download } from '../../pipeline/download.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { inTurn } from './in-turn.ts';

/**
 * Answers an auditor with a file. Resolves once it has begun; its slot is taken until it is over.
 * @throws PageError 503 too many are being read
 */
export async function answerDownload(
  ctx: RequestContext,
  file: Omit<Download, 'mayStillRead'>,
  slots: Slots,
): Promise<void> {
  await new Promise<void>((begin, refuse) => {
    const taken = inTurn(slots, async () => {
      const stream = sendDownload(ctx, { ...file, mayStillRead: () => isAuditor(ctx) });
      begin();
      await new Promise((resolve) => void stream.once('close', resolve));
    });
    taken.catch((error: unknown) => refuse(error instanceof Error ? error : new Error(String(error))));
  });
}

function isAuditor(ctx: RequestContext): boolean {
  const person = ctx.state.webSession.person();
  return person !== undefined && mayAudit(person.user.roles);
}
