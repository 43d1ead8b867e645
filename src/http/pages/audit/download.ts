import { mayAudit } from '../../../domain/roles.ts';
import type { Semaphore } from '../../../platform/semaphore.ts';
import { sendDownload, type Download } from '../../pipeline/download.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { runQueued } from './run-queued.ts';

/**
 * Sends a file to an auditor. Resolves when the download starts. The download holds a semaphore permit until it ends.
 * @throws PageError 503 if too many downloads are running
 */
export async function sendAuditDownload(
  ctx: RequestContext,
  file: Omit<Download, 'mayStillRead'>,
  semaphore: Semaphore,
): Promise<void> {
  await new Promise<void>((resolveStarted, reject) => {
    const task = runQueued(semaphore, async () => {
      const stream = sendDownload(ctx, { ...file, mayStillRead: () => isAuditor(ctx) });
      resolveStarted();
      await new Promise((resolve) => void stream.once('close', resolve));
    });
    task.catch((error: unknown) => reject(error instanceof Error ? error : new Error(String(error))));
  });
}

function isAuditor(ctx: RequestContext): boolean {
  const caller = ctx.state.webSession.loggedInUser();
  return caller !== undefined && mayAudit(caller.user.roles);
}
