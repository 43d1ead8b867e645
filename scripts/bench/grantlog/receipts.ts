import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLevelLog } from '../../../src/event-store/engines/level.ts';
import type { Position } from '../../../src/event-store/event-log.ts';

const RECEIPT_BYTES = 32;

/** Reads the hashes of the access tokens that the load generator received, in the encoding of the log. */
export function readReceipts(file: string): readonly string[] {
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  return Array.from({ length: bytes.length / RECEIPT_BYTES }, (_, index) =>
    bytes.toString('base64url', index * RECEIPT_BYTES, (index + 1) * RECEIPT_BYTES),
  );
}

/**
 * Checks that the access tokens issued after `afterPosition` are exactly those of `receipts`, and returns their
 * number.
 * @throws Error if a token is missing, duplicated or unexpected
 */
export async function verifyReceipts(
  dataDir: string,
  afterPosition: number,
  receipts: readonly string[],
): Promise<number> {
  const unmatchedReceipts = new Set(receipts);
  const log = await openLevelLog({ location: join(dataDir, 'log') });
  let issuedCount = 0;
  try {
    for await (const events of log.readAll(afterPosition as Position)) {
      for (const { type, data, position } of events) {
        if (type !== 'AccessTokenIssued') continue;
        issuedCount += 1;
        if (!unmatchedReceipts.delete((data as { readonly tokenHash: string }).tokenHash))
          throw new Error(`the token at position ${position} was not received, or is a duplicate`);
      }
    }
  } finally {
    await log.close();
  }
  if (unmatchedReceipts.size > 0)
    throw new Error(`${unmatchedReceipts.size} of ${receipts.length} access tokens are not in the log`);
  return issuedCount;
}
