import { createSecretKey } from 'node:crypto';
import { openRefusalStore, STORED_PER_CLIENT_AND_SECOND } from '../../src/oauth/refusals/refusal-store.ts';
import { systemEntropy } from '../../src/platform/ports.ts';

/**
 * `node --import tsx refusal-store-target.ts PATH ROUND`: stores refusals until it is killed, and sends the ids
 * of those that are written. Each batch has a second of its own, so that all of it is admitted.
 */
const [, , path = '', round = ''] = process.argv;
let second = 0;
const store = await openRefusalStore({
  path,
  key: createSecretKey(Buffer.alloc(32, 1)),
  entropy: systemEntropy(),
  ticks: () => second * 1000,
  notice: (line) => process.send?.({ notice: line }),
});
process.on('disconnect', () => process.exit(1)); // the test has ended
for (;;) {
  second += 1;
  const ids = Array.from({ length: STORED_PER_CLIENT_AND_SECOND }, (_, at) => `${round}-${second}-${at}`);
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
