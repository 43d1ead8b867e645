import { expect } from 'chai';
import { JWT_BEARER_GRANT_TYPE } from '../../src/oauth/grant-types/jwt-bearer.ts';
import { clientKeys, keyPairFor } from '../support/assertions.ts';
import { runningService, type TestResponse, type RunningService, type TestClient } from '../support/running-service.ts';
import { expectAccessToken, introspect } from '../support/token-exchange.ts';
import { signForeignToken, trustIssuer } from '../support/trusted-issuers.ts';

const SERVER = 'http://localhost:8000';
const GRANTS = { grantTypes: ['jwt-bearer'], redirectUris: [] } as const;

describe('Among the tokens of other issuers,', () => {
  let running: RunningService;
  let app: TestClient;
  let api: TestClient;

  beforeEach(async () => {
    running = await runningService();
    app = await running.addClient({ name: 'Assistant', ...GRANTS });
    api = await running.addClient({ name: 'API', restrictedScopes: ['introspection'] });
  });
  afterEach(() => running.close());

  const redeem = (assertion: string, parameters: Readonly<Record<string, string>> = {}): Promise<TestResponse> =>
    running.token(app, { grant_type: JWT_BEARER_GRANT_TYPE, assertion, ...parameters });
  const redeemWithoutClient = (assertion: string): Promise<TestResponse> =>
    running.post('/o/token/', { grant_type: JWT_BEARER_GRANT_TYPE, assertion });
  const findRule = (response: TestResponse) =>
    running.service().explanations.find(response.headers.get('x-request-id') ?? '')?.rule;

  describe('an identity assertion (ID-JAG)', () => {
    const TYPE = { header: { typ: 'oauth-id-jag+jwt' } };
    const assertionFor = (username: string, extraClaims: object = {}) => ({
      ...TYPE,
      claims: { sub: username, client_id: app.id, scope: 'read', ...extraClaims },
    });

    it('lets the specified client act for the user, within the stated scope', async () => {
      const user = await running.addUser();
      await trustIssuer(running, app, { uses: ['identity-assertion'], mapping: 'user-name', scope: ['read', 'write'] });
      const response = await redeem(await signForeignToken(running, assertionFor(user.username)));
      expect(await introspect(running, api, expectAccessToken(response))).to.deep.include({
        username: user.username,
        client_id: app.id,
        scope: 'read',
      });
      const [redemptionEvent] = (await running.events()).filter(({ type }) => type === 'AssertionRedeemed');
      expect(redemptionEvent?.data).to.deep.include({ use: 'identity-assertion', mapping: 'user-name' });
    });

    it('works only for the specified client, with its own JWT type, from an issuer trusted for this use', async () => {
      const user = await running.addUser();
      await trustIssuer(running, app, { uses: ['identity-assertion'], mapping: 'user-name' });
      const otherClientResponse = await redeem(
        await signForeignToken(running, assertionFor(user.username, { client_id: api.id })),
      );
      expect(findRule(otherClientResponse)).to.equal('issuer-client');
      const noClientResponse = await redeem(
        await signForeignToken(running, assertionFor(user.username, { client_id: undefined })),
      );
      expect(findRule(noClientResponse)).to.equal('issuer-client');
      const { claims } = assertionFor(user.username);
      expect(findRule(await redeem(await signForeignToken(running, { claims })))).to.equal('issuer-use');
      await trustIssuer(running, app, { uses: ['assertion'], mapping: 'user-name' });
      expect(findRule(await redeem(await signForeignToken(running, assertionFor(user.username))))).to.equal(
        'issuer-use',
      );
    });

    it('does not authenticate a client', async () => {
      await trustIssuer(running, app, { uses: ['identity-assertion'] });
      const response = await redeemWithoutClient(await signForeignToken(running, assertionFor('anybody')));
      expect(response.status).to.be.oneOf([400, 401]);
    });
  });

  it('a Kubernetes service account token acts as the application for its namespace and account', async () => {
    const [issuer, keys] = ['https://kubernetes.default.svc.cluster.local', keyPairFor('RS256', 'cluster key')];
    await trustIssuer(
      running,
      app,
      {
        keys: await clientKeys(keys),
        audience: [SERVER],
        clients: [
          `${app.id} /kubernetes.io/namespace=production`,
          `${app.id} /kubernetes.io/serviceaccount/name=deployer`,
        ],
        maxAssertionAgeSeconds: 3_600,
      },
      issuer,
    );
    const now = Math.floor(running.clock.now() / 1000);
    const claimsFor = (namespace: string) => ({
      iss: issuer,
      aud: [SERVER],
      sub: `system:serviceaccount:${namespace}:deployer`,
      iat: now,
      nbf: now,
      exp: now + 3_600,
      jti: undefined,
      'kubernetes.io': {
        namespace,
        pod: { name: 'deployer-7d9', uid: '5e0a' },
        serviceaccount: { name: 'deployer', uid: 'f1c2' },
      },
    });
    const response = await redeemWithoutClient(
      await signForeignToken(running, { claims: claimsFor('production'), keys }),
    );
    expect((await introspect(running, api, expectAccessToken(response)))['client_id']).to.equal(app.id);
    expect(
      (await redeemWithoutClient(await signForeignToken(running, { claims: claimsFor('test'), keys }))).status,
    ).to.not.equal(200);
  });

  it('a GitHub Actions token acts as the application for its repository and branch', async () => {
    const [issuer, keys] = ['https://token.actions.githubusercontent.com', keyPairFor('RS256', 'actions key')];
    const subject = 'repo:acme/api:ref:refs/heads/main';
    await trustIssuer(
      running,
      app,
      { keys: await clientKeys(keys), claims: ['repository_owner=acme'], clients: [`${app.id} sub=${subject}`] },
      issuer,
    );
    const claimsFor = (sub: string) => ({
      iss: issuer,
      sub,
      repository: 'acme/api',
      repository_owner: 'acme',
      ref: 'refs/heads/main',
      sha: 'f'.repeat(40),
      run_id: '1234567890',
      event_name: 'push',
    });
    expect(
      (await redeemWithoutClient(await signForeignToken(running, { claims: claimsFor(subject), keys }))).status,
    ).to.equal(200);
    const forkClaims = claimsFor('repo:acme/api:pull_request');
    expect(
      (await redeemWithoutClient(await signForeignToken(running, { claims: forkClaims, keys }))).status,
    ).to.not.equal(200);
    expect(findRule(await redeem(await signForeignToken(running, { claims: forkClaims, keys })))).to.equal(
      'issuer-claim',
    );
  });

  it('a GitLab CI token acts as the application for its project and protected branch', async () => {
    const [issuer, keys] = ['https://gitlab.example', keyPairFor('RS256', 'gitlab key')];
    await trustIssuer(
      running,
      app,
      {
        keys: await clientKeys(keys),
        claims: ['ref_protected=true'],
        clients: [`${app.id} project_path=acme/api`, `${app.id} ref=main`],
      },
      issuer,
    );
    const claims = {
      iss: issuer,
      sub: 'project_path:acme/api:ref_type:branch:ref:main',
      project_id: '20',
      project_path: 'acme/api',
      namespace_path: 'acme',
      ref: 'main',
      ref_type: 'branch',
      ref_protected: 'true',
    };
    expect((await redeemWithoutClient(await signForeignToken(running, { claims, keys }))).status).to.equal(200);
    const unprotectedClaims = { ...claims, ref_protected: 'false' };
    expect(findRule(await redeem(await signForeignToken(running, { claims: unprotectedClaims, keys })))).to.equal(
      'issuer-claim',
    );
  });
});
