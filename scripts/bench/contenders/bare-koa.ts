import { join } from 'node:path';
import { ROW_NAMES } from '../rows.ts';
import { startServer } from '../server-process.ts';
import { CHECKOUT } from '../checkout.ts';
import { NO_VALUES, type Contender, type Surroundings } from './contender.ts';
import { basicOf, formPost } from './http-text.ts';

export const BARE_KOA = 'bare Koa';

/** 1.0 in every row: the same request in each, the form of a token request, answered with a token that is always the same. */
export async function bareKoa({ directory, cores }: Surroundings): Promise<Contender> {
  const server = await startServer({
    command: [process.execPath, 'scripts/bench/servers/bare-koa.mjs'], cwd: CHECKOUT, core: cores?.server, output: join(directory, 'bare-koa.log'),
    env: { NODE_ENV: 'production' },
  });
  const basic = basicOf('0123456789abcdefghijkl', `gls${'0'.repeat(49)}`);
  return {
    name: BARE_KOA, server, rows: ROW_NAMES,
    prepare: () => Promise.resolve({ before: formPost('/o/token/', basic, 'grant_type=client_credentials'), after: '', values: NO_VALUES, expects: '"access_token":"', bringsToken: false }),
    settle: () => Promise.resolve(),
  };
}
