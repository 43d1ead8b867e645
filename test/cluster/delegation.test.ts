import { expect } from 'chai';
import { TOKEN_TYPES } from '../../src/oauth/exchange/token-types.ts';
import { JWT_BEARER_GRANT_TYPE } from '../../src/oauth/grant-types/jwt-bearer.ts';
import { ENGINES, type Servers } from '../support/forest-drill/engines.ts';
import { isAccepted } from '../support/protocol-responses.ts';
import {
  REDIRECT_URI,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';
import {
  expectAccessToken,
  allowExchange,
  exchange,
  exchangeForToken,
  ownToken,
  userTokens,
} from '../support/token-exchange.ts';
import { signForeignToken, OTHER_ISSUER, trustIssuer } from '../support/trusted-issuers.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const JWT = { subject_token_type: TOKEN_TYPES.jwt };
const ID_TOKEN = { subject_token_type: TOKEN_TYPES.idToken };

/** A request may reach a node that is behind. That node then catches up by itself, or its append is refused. */
for (const engine of ['postgres', 'nodes'] as const) {
  describe(`Delegation on several nodes that share a log (engine: ${engine})`, function () {
    this.timeout(60_000);
    let servers: Servers;
    let a: RunningService;
    let b: RunningService;
    let web: TestClient;
    let api: TestClient;
    let mid: TestClient;
    let ada: TestUser;

    beforeEach(async () => {
      servers = await ENGINES[engine]('delegation');
      [a, b] = servers.nodes as unknown as [RunningService, RunningService];
      const grantTypes = ['jwt-bearer', 'token-exchange', 'client-credentials'] as const;
      web = await a.addClient({ name: 'Web' });
      api = await a.addClient({ name: 'Api', grantTypes, redirectUris: [] });
      mid = await a.addClient({ name: 'Mid', grantTypes, redirectUris: [] });
      ada = await a.addUser('ada');
      await allowExchange(a, api, web);
      await allowExchange(a, mid, api);
      await trustIssuer(a, api, { uses: ['assertion', 'subject-token'], mapping: 'user-name' });
      await servers.settle();
    });
    afterEach(() => servers.close());

    const issuerJwt = (): Promise<string> => signForeignToken(a, { claims: { sub: 'ada' } });
    const redeem = (node: RunningService, assertion: string): Promise<TestResponse> =>
      node.token(api, { grant_type: JWT_BEARER_GRANT_TYPE, assertion });
    const revoke = (node: RunningService, client: TestClient, token: string): Promise<TestResponse> =>
      node.post('/o/revoke_token/', { token }, { authorization: client.basic });
    const countEvents = async (name: string): Promise<number> => {
      await servers.settle();
      return (await a.events()).filter(({ type }) => type === name).length;
    };
    async function authorize(): Promise<{ readonly access: string; readonly id: string }> {
      const code = await a.authorize(web, ada, { scope: 'openid read' });
      const response = await a.token(web, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
      return { access: expectAccessToken(response), id: String(response.json?.['id_token']) };
    }

    it('redeems an assertion on one node only, for sequential and concurrent requests', async () => {
      const first = await issuerJwt();
      expect((await redeem(a, first)).status).to.equal(200);
      expect((await redeem(b, first)).json).to.include({ error: 'invalid_grant' });
      const second = await issuerJwt();
      const responses = await Promise.all([redeem(b, second), redeem(a, second)]);
      expect(responses.map(({ status }) => status).toSorted((left, right) => left - right)).to.deep.equal([200, 400]);
      expect(await countEvents('AssertionRedeemed')).to.equal(2);
    });

    it('exchanges tokens that another node has just issued, hop by hop', async () => {
      const { access, id } = await authorize();
      const firstHop = await exchangeForToken(b, api, access);
      const secondHop = await exchangeForToken(a, mid, firstHop, { actor: await ownToken(b, mid) });
      expect(await isAccepted(b, secondHop)).to.equal(true);
      const { scope } = (await exchange(b, api, id, ID_TOKEN)).json ?? {};
      expect(scope).to.equal('read');
      const jwtExchange = await exchangeForToken(b, api, await issuerJwt(), JWT);
      expect(await isAccepted(a, await exchangeForToken(a, mid, jwtExchange))).to.equal(true);
    });

    it('invalidates a chain on every node when its root is revoked on one, and no other node extends it', async () => {
      const { access } = await userTokens(a, web, ada, { scope: 'read' });
      const exchangedToken = await exchangeForToken(b, api, access);
      expect((await revoke(a, web, access)).status).to.equal(200);
      const refusal = await exchange(b, mid, exchangedToken);
      expect([refusal.status, refusal.json?.['error']]).to.deep.equal([400, 'invalid_request']);
      expect(await countEvents('TokenExchanged')).to.equal(1);
      for (const node of [a, b]) expect(await isAccepted(node, exchangedToken)).to.equal(false);
    });

    it('issues no token on one node for a JWT from an issuer that was removed on the other', async () => {
      const token = expectAccessToken(await redeem(b, await issuerJwt()));
      await servers.settle();
      const { projections, trustedIssuerRegistry } = a.service();
      await trustedIssuerRegistry.remove(projections.trustedIssuers.find(OTHER_ISSUER) ?? expect.fail(), OPERATOR);
      for (const response of [await redeem(b, await issuerJwt()), await exchange(b, api, await issuerJwt(), JWT)])
        expect(response.status, response.text).to.equal(400);
      expect(await countEvents('AssertionRedeemed')).to.equal(1);
      expect(await countEvents('TokenExchanged')).to.equal(0);
      for (const node of [a, b]) expect(await isAccepted(node, token)).to.equal(false);
    });
  });
}
