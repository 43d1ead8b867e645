import { ROTATIONS_PER_SUMMARY } from '../../../src/domain/authorization-grant.ts';
import { REDIRECT_URI, type BenchData } from '../grantlog/bench-data.ts';
import { createCodeIssuer } from '../grantlog/issue-codes.ts';
import { verifyReceipts, readReceipts } from '../grantlog/receipts.ts';
import { logHead, startGrantlog, type StartOptions } from '../grantlog/server.ts';
import type { LoadReport, LoadRequest } from '../load/protocol.ts';
import { ROW_NAMES, type RowName } from '../rows.ts';
import type { Contender, ContenderContext } from './contender.ts';
import { basicOf, postForm, redeem } from './http-text.ts';
import {
  bearerRequest,
  clientCredentialsRequest,
  codeRequest,
  introspectionRequest,
  refreshRequest,
} from './requests.ts';

export const GRANTLOG = 'Grantlog';

/** How many events an answer stands for, but for the summaries of refresh families. */
const EVENTS: Readonly<Record<RowName, number>> = {
  client_credentials: 1,
  code: 3,
  'code-cold': 3,
  refresh: 2,
  bearer: 0,
  introspection: 0,
};

/** Codes are redeemed seconds after their issue: in life there are never so many about that the server has to look for one on disk. */
const CODES_AT_ONCE = 8_000;

/** With the data that it was furnished with beforehand. */
export async function grantlog(
  { cores, connections }: Pick<ContenderContext, 'cores' | 'connections'>,
  furnished: BenchData,
  { name = GRANTLOG, ...how }: Omit<StartOptions, 'core'> & { readonly name?: string } = {},
): Promise<Contender> {
  const { dataDir, clientId, clientSecret, username, codes } = furnished;
  const server = await startGrantlog(dataDir, { core: cores?.server, ...how });
  const origin = `http://127.0.0.1:${server.port}`;
  const basic = basicOf(clientId, clientSecret);
  const issueCodes = await createCodeIssuer(server.port, furnished);
  let spent = connections;
  const { access_token: token } = await postForm(origin, '/o/token/', basic, { grant_type: 'client_credentials' });
  let chains = await Promise.all(codes.slice(0, connections).map((code) => redeem(origin, basic, code, REDIRECT_URI)));
  const furnishedAt = await logHead(server);
  const receipts = `${dataDir}.receipts`;
  let head = furnishedAt;
  let rotations = 0;
  let summaries = 0;

  async function prepare(row: RowName, count: number): Promise<LoadRequest> {
    switch (row) {
      case 'client_credentials':
        return clientCredentialsRequest(basic);
      case 'code': {
        const list = await issueCodes(Math.min(count, CODES_AT_ONCE));
        head = await logHead(server);
        return codeRequest(basic, REDIRECT_URI, list);
      }
      case 'code-cold':
        return codeRequest(basic, REDIRECT_URI, codes.slice(spent, spent + count));
      case 'refresh':
        return refreshRequest(basic, chains);
      case 'bearer':
        return bearerRequest(String(token), username);
      case 'introspection':
      default:
        return introspectionRequest(basic, String(token));
    }
  }

  /**
   * Exactly once: as many events as the answers stand for, no more and no fewer. Each chain of refreshes has a summary
   * after every so many rotations, and the chains do not grow alike, so of summaries the number is known but for one a
   * chain; `lookBack` looks for each token.
   */
  async function settle(row: RowName, { answers, chains: grown }: LoadReport): Promise<void> {
    if (row === 'code-cold') spent += answers;
    if (row === 'refresh') [chains, rotations] = [[...grown], rotations + answers];
    const before = head;
    head = await logHead(server);
    const expected = answers * EVENTS[row];
    const more = head - before - expected;
    if (row === 'refresh') summaries += more;
    const most = rotations / ROTATIONS_PER_SUMMARY;
    const isRight = row === 'refresh' ? summaries <= most && summaries > most - connections : more === 0;
    if (!isRight) {
      throw new Error(
        `${row}: ${answers} answers should have come with ${expected} events; the log has ${head - before} more`,
      );
    }
  }

  return {
    name,
    server,
    rows: ROW_NAMES,
    prepare,
    verify: settle,
    receipts,
    async verifyRecords() {
      await server.end('SIGKILL');
      const tokens = await verifyReceipts(dataDir, furnishedAt, readReceipts(receipts));
      return `${tokens} access tokens were answered; after kill -9 the log has each of them, once, and no other`;
    },
  };
}
