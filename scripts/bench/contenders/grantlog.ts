import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '../checkout.ts';
import { CODE_LIFETIME_SECONDS, furnish, REDIRECT_URI } from '../grantlog/furnish.ts';
import { holdAgainstLog, readReceipts } from '../grantlog/receipts.ts';
import type { LoadReport, LoadRequest } from '../load/protocol.ts';
import { ROW_NAMES, type RowName } from '../rows.ts';
import { startServer } from '../server-process.ts';
import type { Contender, Surroundings } from './contender.ts';
import { basicOf, postForm, redeem } from './http-text.ts';
import { bearerRequest, clientCredentialsRequest, codeRequest, introspectionRequest, refreshRequest } from './requests.ts';

export const GRANTLOG = 'Grantlog';

/** How many events an answer stands for. */
const EVENTS: Readonly<Record<RowName, number>> = { client_credentials: 1, code: 3, refresh: 2, bearer: 0, introspection: 0 };

/**
 * Built and started as operators do, with its settings as shipped but for one: codes live longer, for they are made before the start.
 * @param nodeOptions words for Node itself
 */
export async function grantlog({ directory, cores, connections, requests }: Surroundings, nodeOptions: readonly string[] = []): Promise<Contender> {
  const dataDir = join(directory, 'grantlog');
  mkdirSync(dataDir);
  const { clientId, clientSecret, username, codes } = await furnish(dataDir, requests.code + connections);
  const server = await startServer({
    command: [process.execPath, ...nodeOptions, 'dist/main.js', 'serve'], cwd: CHECKOUT, core: cores?.server, output: join(directory, 'grantlog.log'),
    env: { DATA_DIR: dataDir, PORT: '0', GRANTLOG_AUTHORIZATION_CODE_LIFETIME_SECONDS: String(CODE_LIFETIME_SECONDS) },
  });
  const origin = `http://127.0.0.1:${server.port}`;
  const basic = basicOf(clientId, clientSecret);
  let spent = connections;
  const { access_token: token } = await postForm(origin, '/o/token/', basic, { grant_type: 'client_credentials' });
  let chains = await Promise.all(codes.slice(0, connections).map((code) => redeem(origin, basic, code, REDIRECT_URI)));
  const furnishedAt = await logHead(origin);
  const receipts = join(directory, 'grantlog.receipts');
  let head = furnishedAt;

  function requestOf(row: RowName, count: number): LoadRequest {
    switch (row) {
      case 'client_credentials': return clientCredentialsRequest(basic);
      case 'code': return codeRequest(basic, REDIRECT_URI, codes.slice(spent, spent + count));
      case 'refresh': return refreshRequest(basic, chains);
      case 'bearer': return bearerRequest(String(token), username);
      case 'introspection': default: return introspectionRequest(basic, String(token));
    }
  }

  /** Exactly once: as many events as the answers stand for, no more and no fewer. */
  async function settle(row: RowName, { answers, chains: grown }: LoadReport): Promise<void> {
    if (row === 'code') spent += answers;
    if (row === 'refresh') chains = [...grown];
    const before = head;
    head = await logHead(origin);
    const expected = answers * EVENTS[row];
    if (head - before !== expected) throw new Error(`${row}: ${answers} answers should have come with ${expected} events; the log has ${head - before} more`);
  }

  return {
    name: GRANTLOG, server, rows: ROW_NAMES, settle, receipts,
    prepare: (row, count) => Promise.resolve(requestOf(row, count)),
    async lookBack() {
      await server.end('SIGKILL');
      const tokens = await holdAgainstLog(dataDir, furnishedAt, readReceipts(receipts));
      return `${tokens} access tokens were answered; after kill -9 the log has each of them, once, and no other`;
    },
  };
}

async function logHead(origin: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const head = /^grantlog_log_head_position (\d+)$/m.exec(text)?.[1];
  if (head === undefined) throw new Error(`no head position in the metrics: ${text.slice(0, 200)}`);
  return Number(head);
}
