import { join } from 'node:path';
import { ROW_NAMES } from '../rows.ts';
import { PROBE } from '../probe.ts';
import { startServer } from '../server-process.ts';
import { CHECKOUT } from '../checkout.ts';
import type { Contender, ContenderContext } from './contender.ts';
import { basicAuthHeader } from './http-text.ts';
import { clientCredentialsRequest } from './requests.ts';

export const BARE_KOA = 'bare Koa';

/** Starts the baseline for every row: a server that responds to all token requests with the same token. */
export async function startBareKoa(
  { directory, cores }: ContenderContext,
  { withProbe = false } = {},
): Promise<Contender> {
  const server = await startServer({
    command: [process.execPath, ...(withProbe ? PROBE : []), 'scripts/bench/servers/bare-koa.mjs'],
    cwd: CHECKOUT,
    core: cores?.server,
    output: join(directory, 'bare-koa.log'),
    hasIpc: withProbe,
    env: { NODE_ENV: 'production' },
  });
  const authorization = basicAuthHeader('0123456789abcdefghijkl', `gls${'0'.repeat(49)}`);
  return {
    name: BARE_KOA,
    server,
    rows: ROW_NAMES,
    prepare: () => Promise.resolve({ ...clientCredentialsRequest(authorization), returnsToken: false }),
    verify: () => Promise.resolve(),
  };
}
