import { createSecretKey } from 'node:crypto';
import { on } from 'node:events';
import { openRefusalStore, STORED_PER_CLIENT_PER_SECOND } from '../../src/oauth/refusals/refusal-store.ts';
import { systemEntropy } from '../../src/platform/ports.ts';

/**
 * `node --import tsx refusal-store-target.ts PATH ROUND`: stores refusals until it is killed, and reports the IDs of
 * those it has written. Each batch falls in a new second, so that all of it is admitted. The process waits while too
 * many batches are unconfirmed. Otherwise, a slow test would find its first refusals replaced by later ones.
 */
const [, , path = '', round = ''] = process.argv;
const MAX_UNCONFIRMED_BATCHES = 3;
let second = 0;
const confirmations = on(process, 'message');
const store = await openRefusalStore({
  path,
  key: createSecretKey(Buffer.alloc(32, 1)),
  entropy: systemEntropy(),
  ticks: () => second * 1000,
  notice: (line) => process.send?.({ notice: line }),
});
process.on('disconnect', () => process.exit(1)); // the test has ended
for (;;) {
  if (second >= MAX_UNCONFIRMED_BATCHES) await confirmations.next();
  second += 1;
  const ids = Array.from({ length: STORED_PER_CLIENT_PER_SECOND }, (_, index) => `${round}-${second}-${index}`);
  for (const id of ids) {
    store.add({
      id,
      at: second,
      method: 'POST',
      path: '/o/token/',
      error: 'invalid_client',
      clientId: `client-${round}-${second % 10}`,
      isProven: true,
      refusal: { rule: 'client-secret-missing' },
    });
  }
  await store.settled();
  process.send?.({ written: ids });
}
