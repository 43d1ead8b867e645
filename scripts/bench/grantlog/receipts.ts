import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLevelLog } from '../../../src/event-store/engines/level.ts';
import type { Position } from '../../../src/event-store/event-log.ts';

const RECEIPT_BYTES = 32;

/** What the load generator left of each access token it was given, in the form in which the log keeps it. */
export function readReceipts(file: string): readonly string[] {
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  return Array.from({ length: bytes.length / RECEIPT_BYTES }, (_, index) =>
    bytes.toString('base64url', index * RECEIPT_BYTES, (index + 1) * RECEIPT_BYTES),
  );
}

/**
 * How many access tokens the log has after `after`, which are those of `receipts`, each once.
 * @throws Error the log has another one, one twice, or lacks one
 */
export async function verifyReceipts(dataDir: string, after: number, receipts: readonly string[]): Promise<number> {
  const answered = new Set(receipts);
  const log = await openLevelLog({ location: join(dataDir, 'log') });
  let issued = 0;
  try {
    for await (const events of log.readAll(after as Position)) {
      for (const { type, data, position } of events) {
        if (type !== 'AccessTokenIssued') continue;
        issued += 1;
        if (!answered.delete((data as { readonly tokenHash: string }).tokenHash))
          throw new Error(`the token at position ${position} of the log was never answered, or is there twice`);
      }
    }
  } finally {
    await log.close();
  }
  if (answered.size > 0)
    throw new Error(`${answered.size} of ${receipts.length} access tokens were answered and are not in the log`);
  return issued;
}
