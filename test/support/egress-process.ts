import { createSecretKey } from 'node:crypto';
import { createEgress } from '../../src/platform/egress/egress.ts';
import { systemTimer } from '../../src/platform/ports.ts';

/** Fetches the JSON documents at the given URLs, all from 127.0.0.1, and prints each document or error message. */
const egress = createEgress({
  settings: { outgoingHttp: false, outgoingNetworks: ['127.0.0.0/8'] },
  ticks: () => 0,
  startTimer: systemTimer,
  key: createSecretKey(Buffer.alloc(32)),
  observe: () => {},
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
});
for (const url of process.argv.slice(2)) {
  const line = await egress.getJson('sector-document', url).then(JSON.stringify, ({ message }: Error) => message);
  process.stdout.write(`${line}\n`);
}
