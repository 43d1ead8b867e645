import { REFRESHES_PER_SUMMARY } from '../../../src/domain/authorization-grant.ts';
import { REDIRECT_URI, type BenchData } from '../grantlog/bench-data.ts';
import { createCodeIssuer } from '../grantlog/issue-codes.ts';
import { verifyReceipts, readReceipts } from '../grantlog/receipts.ts';
import { logHead, readIssuer, startGrantlog, type StartOptions } from '../grantlog/server.ts';
import type { LoadReport, LoadRequest } from '../load/protocol.ts';
import { ID_TOKEN_ALGORITHMS, ROW_NAMES, type RowName } from '../rows.ts';
import { assertionRequest, jwtBearerRequest } from './assertions.ts';
import type { Contender, ContenderContext } from './contender.ts';
import { basicAuthHeader, postForm, redeem } from './http-text.ts';
import { createExchangingClients } from './exchanges.ts';
import { createDpopClient } from './proofs.ts';
import {
  bearerRequest,
  clientCredentialsRequest,
  codeRequest,
  introspectionRequest,
  openIdRequest,
  refreshRequest,
} from './requests.ts';

export const GRANTLOG = 'Grantlog';

/** Events per response, not counting the summaries of refresh token families. */
const EVENTS: Readonly<Record<RowName, number>> = {
  client_credentials: 1,
  code: 3,
  'code-cold': 3,
  'openid-rs256': 4,
  'openid-eddsa': 4,
  private_key_jwt: 2,
  'private_key_jwt-rs256': 2,
  dpop: 1,
  jwt_bearer: 2,
  exchange: 2,
  refresh: 2,
  bearer: 0,
  'bearer-deep': 0,
  'dpop-userinfo': 0,
  introspection: 0,
  'introspection-deep': 0,
};

const OPENID_SCOPE = 'openid read write';

/** The maximum number of unredeemed codes. In production, codes are redeemed within seconds, while still cached. */
const MAX_UNREDEEMED_CODES = 8_000;

/** Starts Grantlog on prepared data. */
export async function startGrantlogContender(
  { cores, connections }: Pick<ContenderContext, 'cores' | 'connections'>,
  data: BenchData,
  { name = GRANTLOG, ...options }: Omit<StartOptions, 'core'> & { readonly name?: string } = {},
): Promise<Contender> {
  const { dataDir, clientId, clientSecret, username, codes } = data;
  const server = await startGrantlog(dataDir, { core: cores?.server, ...options });
  const origin = `http://127.0.0.1:${server.port}`;
  const authorization = basicAuthHeader(clientId, clientSecret);
  const issueCodes = await createCodeIssuer(server.port, data);
  const openId = {
    RS256: await openIdClient('RS256'),
    EdDSA: await openIdClient('EdDSA'),
  };
  let usedCodes = connections;
  const { access_token: token } = await postForm(origin, '/o/token/', authorization, {
    grant_type: 'client_credentials',
  });
  let chains = await Promise.all(
    codes.slice(0, connections).map((code) => redeem(origin, authorization, code, REDIRECT_URI)),
  );
  const issuer = await readIssuer(server);
  const dpop = createDpopClient({ origin, issuer });
  const [boundCode = ''] = await openId.RS256.issue(1);
  const boundToken = await dpop.redeem(openId.RS256.authorization, boundCode, REDIRECT_URI);
  const initialHead = await logHead(server);
  const receipts = `${dataDir}.receipts`;
  const exchangers = createExchangingClients(origin, data, issueCodes, receipts);
  let head = initialHead;
  let rotations = 0;
  let summaries = 0;

  async function openIdClient(algorithm: 'RS256' | 'EdDSA') {
    const client = data.openIdClients[algorithm];
    const clientAuthorization = basicAuthHeader(client.clientId, client.clientSecret);
    const issue = await createCodeIssuer(server.port, { ...data, ...client }, OPENID_SCOPE);
    // introduces the signing key
    for (const code of await issue(1)) await redeem(origin, clientAuthorization, code, REDIRECT_URI);
    return { authorization: clientAuthorization, issue };
  }

  /** Advances `head` past the events of the setup, so that they are not counted. */
  async function skipSetupEvents(request: LoadRequest): Promise<LoadRequest> {
    head = await logHead(server);
    return request;
  }

  async function prepare(row: RowName, count: number): Promise<LoadRequest> {
    switch (row) {
      case 'client_credentials':
        return clientCredentialsRequest(authorization);
      case 'code': {
        const issuedCodes = await issueCodes(Math.min(count, MAX_UNREDEEMED_CODES));
        head = await logHead(server);
        return codeRequest(authorization, REDIRECT_URI, issuedCodes);
      }
      case 'code-cold':
        return codeRequest(authorization, REDIRECT_URI, codes.slice(usedCodes, usedCodes + count));
      case 'openid-rs256':
      case 'openid-eddsa': {
        const client = openId[ID_TOKEN_ALGORITHMS[row]];
        const issuedCodes = await client.issue(Math.min(count, MAX_UNREDEEMED_CODES));
        head = await logHead(server);
        return openIdRequest(client.authorization, REDIRECT_URI, issuedCodes);
      }
      case 'private_key_jwt':
        return assertionRequest(data.assertionClients.ES256, issuer, count);
      case 'private_key_jwt-rs256':
        return assertionRequest(data.assertionClients.RS256, issuer, count);
      case 'dpop':
        return dpop.tokenRequest(authorization, count);
      case 'jwt_bearer':
        return jwtBearerRequest(data.trustedClient, issuer, count);
      case 'refresh':
        return refreshRequest(authorization, chains);
      case 'bearer':
        return bearerRequest(String(token), username);
      case 'exchange':
        return skipSetupEvents(await exchangers.exchange(count));
      case 'bearer-deep':
        return skipSetupEvents(await exchangers.bearer());
      case 'introspection-deep':
        return skipSetupEvents(await exchangers.introspection());
      case 'dpop-userinfo':
        return dpop.userinfoRequest(boundToken, count);
      case 'introspection':
        return introspectionRequest(authorization, String(token));
    }
  }

  /**
   * Checks that the log has grown by exactly the number of events that the responses imply. The number of summaries can
   * differ by one per chain, because chains grow at different rates. `verifyRecords` checks each token.
   */
  async function verify(row: RowName, { responses, chains: newChains }: LoadReport): Promise<void> {
    if (row === 'code-cold') usedCodes += responses;
    if (row === 'refresh') [chains, rotations] = [[...newChains], rotations + responses];
    const previousHead = head;
    head = await logHead(server);
    const expected = responses * EVENTS[row];
    const extraEvents = head - previousHead - expected;
    if (row === 'refresh') summaries += extraEvents;
    const maxSummaries = rotations / REFRESHES_PER_SUMMARY;
    const isExpected =
      row === 'refresh' ? summaries <= maxSummaries && summaries > maxSummaries - connections : extraEvents === 0;
    if (!isExpected) {
      throw new Error(`${row}: expected ${expected} events for ${responses} responses, got ${head - previousHead}`);
    }
  }

  return {
    name,
    server,
    rows: ROW_NAMES,
    prepare,
    verify,
    receipts,
    async verifyRecords() {
      await server.end('SIGKILL');
      const tokens = await verifyReceipts(dataDir, initialHead, readReceipts(receipts));
      return `${tokens} access tokens were issued; after kill -9, the log contains each exactly once, and no others`;
    },
  };
}
