import { expect } from 'chai';
import { TOKEN_TYPES } from '../../src/oauth/exchange/token-types.ts';
import { JWT_BEARER_GRANT_TYPE } from '../../src/oauth/grant-types/jwt-bearer.ts';
import type { AffectedRow, RevocationResult } from '../../src/operations/blast-radius.ts';
import type { Chain } from '../../src/operations/exchange-chain.ts';
import { operate } from '../../src/operations/operations.ts';
import { openSession } from '../support/authorize-requests.ts';
import { clientKeys } from '../support/assertions.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from '../support/running-service.ts';
import {
  expectAccessToken,
  allowExchange,
  exchangeForToken,
  introspect,
  userTokens,
} from '../support/token-exchange.ts';
import { signForeignToken, issuerKeys, OTHER_ISSUER, trustIssuer } from '../support/trusted-issuers.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const JWT = { subject_token_type: TOKEN_TYPES.jwt };

describe('A chain whose root is at another issuer', () => {
  let running: RunningService;
  let web: TestClient;
  let api: TestClient;
  let tool: TestClient;
  let ada: TestUser;

  beforeEach(async () => {
    running = await runningService();
    const grantTypes = ['token-exchange', 'client-credentials', 'jwt-bearer', 'password'] as const;
    web = await running.addClient({ name: 'Web', grantTypes });
    api = await running.addClient({ name: 'Api', grantTypes });
    tool = await running.addClient({ name: 'Tool', grantTypes });
    ada = await running.addUser('ada');
    await trustOtherIssuer();
    await allowExchange(running, api, web);
    await allowExchange(running, tool, api);
  });
  afterEach(() => running.close());

  const trustOtherIssuer = () =>
    trustIssuer(running, api, { uses: ['assertion', 'subject-token', 'actor-token'], mapping: 'user-name' });
  async function call<Item>(name: string, input: object): Promise<readonly Item[]> {
    const items: unknown[] = [];
    for await (const item of operate(running.service())(name, input, new AbortController().signal)) items.push(item);
    return items as Item[];
  }
  const findChain = async (token: string): Promise<Chain> =>
    (await call<Chain>('log chain', { token, limit: 100 }))[0] ?? expect.fail();
  const listBlastRadius = async (source: object) =>
    (await call<AffectedRow>('log blast-radius', source))
      .slice(1)
      .map(({ is, application, user, via }) => [is, application, user, via.replace(/ .*/, '')]);
  const createJwt = (sub = 'ada') => signForeignToken(running, { claims: { sub } });
  async function exchangeTwice() {
    const apiToken = await exchangeForToken(running, api, await createJwt(), JWT);
    return { apiToken, toolToken: await exchangeForToken(running, tool, apiToken) };
  }
  const removeTrust = async (): Promise<void> => {
    const { projections, trustedIssuerRegistry } = running.service();
    await trustedIssuerRegistry.remove(projections.trustedIssuers.find(OTHER_ISSUER) ?? expect.fail(), OPERATOR);
  };

  it('starts at the exchange of the JWT, with its issuer', async () => {
    const { apiToken, toolToken } = await exchangeTwice();
    for (const token of [apiToken, toolToken]) {
      const { tree, exchanges } = await findChain(token);
      expect(tree).to.deep.include({
        is: 'exchange',
        application: 'Api',
        user: 'ada',
        mode: 'impersonation',
        live: true,
      });
      expect(tree.says).to.equal(
        `Api exchanged a token from the issuer ${OTHER_ISSUER} for one with read, acting for ada`,
      );
      expect(tree.exchanges.map(({ application, live }) => [application, live])).to.deep.equal([['Tool', true]]);
      expect(exchanges).to.equal(1);
    }
  });

  it('is found by the JWT itself if exactly one grant began with it', async () => {
    const jwt = await createJwt();
    const { grant } = await findChain(await exchangeForToken(running, api, jwt, JWT));
    expect((await findChain(jwt)).grant).to.equal(grant);
    await exchangeForToken(running, api, jwt, JWT);
    const refusal = await findChain(jwt).catch((error: Error) => error.message);
    expect(refusal)
      .to.match(/^2 grants began with this token, such as [\w-]{22}, [\w-]{22}: specify one of them$/)
      .and.include(grant);
  });

  it('shows why it ended: the issuer was removed, or its user or an actor was disabled', async () => {
    const { toolToken } = await exchangeTwice();
    const bert = await running.addUser('bert');
    const { access } = await userTokens(running, web, ada, { scope: 'read' });
    const actor = { actor: await createJwt(bert.username), actor_token_type: TOKEN_TYPES.jwt };
    const delegatedToken = await exchangeForToken(running, api, access, actor);
    const assertion = { grant_type: JWT_BEARER_GRANT_TYPE, assertion: await createJwt(bert.username) };
    const assertedToken = expectAccessToken(await running.token(api, assertion));
    expect((await findChain(assertedToken)).tree).to.deep.include({ is: 'assertion', live: true, login: null });
    const { accounts, projections } = running.service();
    await accounts.disable(projections.users.findByName('bert') ?? expect.fail(), OPERATOR);
    const [delegation] = (await findChain(delegatedToken)).tree.exchanges;
    expect(delegation?.says).to.match(
      /with bert as the actor, identified by a token from the issuer https:\/\/issuer\.example$/,
    );
    expect([delegation?.ended?.cause, delegation?.ended?.of]).to.deep.equal(['user-disabled', 'own']);
    expect((await findChain(assertedToken)).tree.ended?.cause).to.equal('user-disabled');
    expect((await findChain(toolToken)).tree.live).to.equal(true);
    await removeTrust();
    await trustOtherIssuer();
    const { tree } = await findChain(toolToken);
    expect([tree.ended?.cause, tree.ended?.of]).to.deep.equal(['issuer-removed', 'own']);
    expect(tree.exchanges.map(({ ended }) => [ended?.cause, ended?.of])).to.deep.equal([['issuer-removed', 'above']]);
  });

  it("is in the blast radius of its token, its client and the issuer's key, and ends with it", async () => {
    const { apiToken, toolToken } = await exchangeTwice();
    const exchanges = [
      ['exchange', 'Api', 'ada', 'source'],
      ['exchange', 'Tool', 'ada', 'subject'],
    ];
    const [key] = await clientKeys(issuerKeys());
    expect(await listBlastRadius({ token: apiToken })).to.deep.equal(exchanges);
    expect(await listBlastRadius({ client: api.id })).to.deep.equal(exchanges);
    expect(await listBlastRadius({ key: key?.keyId })).to.deep.equal(exchanges);
    expect(await listBlastRadius({ token: toolToken })).to.deep.equal([['exchange', 'Tool', 'ada', 'source']]);
    const [result] = await call<RevocationResult>('log blast-radius end', { key: key?.keyId });
    expect([result?.ended.length, result?.left]).to.deep.equal([2, 0]);
    for (const token of [apiToken, toolToken])
      expect(await introspect(running, tool, token)).to.deep.equal({ active: false });
  });

  it('is shown to its user as one authorization, with the applications to which access was passed on', async () => {
    await exchangeTwice();
    const browser = await openSession(running, ada);
    const listPage = (await browser.get('/o/authorized_tokens/')).html;
    expect(listPage.match(/>Api</g)).to.have.length(2); // in the entry and in the confirmation
    const page = (await browser.get(`/o/authorized_tokens/applications/${api.id}`)).html.replaceAll(/<[^>]*>/g, '');
    const text = page.replaceAll(/\s+/g, ' ');
    expect(text).to.include('Api passed access on to Tool, for read').and.to.not.include('Api passed access on to Api');
    expect(text).to.include('1 authorization');
  });
});
