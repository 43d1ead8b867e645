import { expect } from 'chai';
import { decodeEvent } from '../../src/domain/events.ts';
import { JWT_BEARER_GRANT_TYPE } from '../../src/oauth/grant-types/jwt-bearer.ts';
import type { User } from '../../src/projections/users.ts';
import { browserSession, type BrowserSession, type Page } from '../support/browser-session.ts';
import { runningCluster, type Cluster, type ClusterNode } from '../support/cluster.ts';
import { addManager, create, merge, obtain, redeem, replace } from '../support/managed-grants.ts';
import { inviteEve } from '../support/invite-eve.ts';
import { isAccepted } from '../support/protocol-responses.ts';
import { mailbox } from '../support/mailbox.ts';
import { oneTimePassword } from '../support/one-time-passwords.ts';
import { signForeignToken, trustIssuer } from '../support/trusted-issuers.ts';
import type { TestResponse, TestUser } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
/** The session in which Ada adds an authenticator app. */
const SESSION = 'session-of-ada';
const NEW_PASSWORD = 'correct horse battery';

/** After this many seconds, all earlier codes from an authenticator app have expired. */
const CODE_LIFETIME_SECONDS = 90;

type Redeem = () => Promise<TestResponse>;

/** The ways to send one request to each of two nodes: one after the other, or both at the same time. */
const SCHEDULES = [
  [
    'is accepted by one node and refused by the other',
    async (first: Redeem, second: Redeem) => [await first(), await second()],
  ],
  [
    'yields one token if both nodes receive it at the same time',
    (first: Redeem, second: Redeem) => Promise.all([first(), second()]),
  ],
] as const;

/** Nodes receive events only when a test calls `deliver`, so a node detects an earlier use only when it appends. */
describe('A single-use credential', () => {
  let cluster: Cluster;
  let a: ClusterNode;
  let b: ClusterNode;
  let ada: TestUser;

  beforeEach(async () => {
    cluster = await runningCluster(2, { mailTransport: mailbox().transport });
    [a, b] = cluster.nodes as unknown as [ClusterNode, ClusterNode];
    ada = await a.addUser('ada');
    cluster.deliver();
  });
  afterEach(() => cluster.close());

  const account = (node: ClusterNode): User => node.service().projections.users.findByName('ada') ?? expect.fail();
  const nowSeconds = (node: ClusterNode): number => Math.floor(node.clock.now() / 1000);
  const countEvents = async (name: string): Promise<number> => {
    cluster.deliver();
    return (await a.events()).filter(({ type }) => type === name).length;
  };

  async function addApp(): Promise<{ readonly secret: string; readonly recoveryCodes: readonly string[] }> {
    const { secondFactorChanges } = a.service();
    const { secret } = secondFactorChanges.offerApp(account(a), SESSION);
    const proof = {
      code: oneTimePassword(secret, nowSeconds(a)),
      session: SESSION,
      first: { method: 'password' },
    } as const;
    const addition = await secondFactorChanges.addApp(account(a), proof, OPERATOR);
    if (addition === undefined || addition === 'exists') return expect.fail('the app was not added');
    cluster.clock.advance(CODE_LIFETIME_SECONDS);
    return { secret, recoveryCodes: addition.recoveryCodes };
  }

  /** Submits the password on one node, and opens the second-step page. */
  async function openSecondStep(node: ClusterNode): Promise<{ readonly browser: BrowserSession; readonly page: Page }> {
    const browser = browserSession(() => node.origin());
    const { location } = await browser.logIn(ada.username, ada.password);
    return { browser, page: await browser.get(location ?? '') };
  }

  for (const kind of ['code', 'recovery_code'] as const) {
    it(`is accepted by one node and refused by the other: ${kind}`, async () => {
      const { secret, recoveryCodes } = await addApp();
      const fields = { [kind]: kind === 'code' ? oneTimePassword(secret, nowSeconds(a)) : (recoveryCodes[0] ?? '') };
      const statuses = [];
      for (const { browser, page } of [await openSecondStep(a), await openSecondStep(b)])
        statuses.push((await browser.submit(page, fields, '/accounts/login/second-step/')).status);
      expect(statuses).to.deep.equal([302, 422]);
      expect(await countEvents('SessionStarted')).to.equal(1);
    });

    it(`starts one session if both nodes receive it at the same time: ${kind}`, async () => {
      const { secret, recoveryCodes } = await addApp();
      const fields = { [kind]: kind === 'code' ? oneTimePassword(secret, nowSeconds(a)) : (recoveryCodes[0] ?? '') };
      const secondSteps = [await openSecondStep(a), await openSecondStep(b)];
      const responses = await Promise.all(
        secondSteps.map(({ browser, page }) => browser.submit(page, fields, '/accounts/login/second-step/')),
      );
      expect(responses.map(({ status }) => status).toSorted((left, right) => left - right)).to.deep.equal([302, 422]);
      expect(await countEvents('SessionStarted')).to.equal(1);
    });
  }

  for (const [outcome, send] of SCHEDULES)
    it(`${outcome}: an assertion from a trusted issuer`, async () => {
      const client = await a.addClient({ grantTypes: ['jwt-bearer'], redirectUris: [] });
      await trustIssuer(a, client);
      cluster.deliver();
      const assertion = await signForeignToken(a);
      const redeemAt = (node: ClusterNode) => () =>
        node.token(client, { grant_type: JWT_BEARER_GRANT_TYPE, assertion });
      const responses = await send(redeemAt(a), redeemAt(b));
      expect(responses.map(({ status }) => status).toSorted((left, right) => left - right)).to.deep.equal([200, 400]);
      expect(await countEvents('AssertionRedeemed')).to.equal(1);
    });

  for (const [outcome, send] of SCHEDULES)
    it(`${outcome}: the update of a managed grant`, async () => {
      const client = await addManager(a);
      cluster.deliver();
      const grant = await obtain(a, client, ada, { scope: 'read', ...create });
      cluster.deliver();
      const codes = [
        await a.authorize(client, ada, { scope: 'write', ...replace(grant.id) }),
        await b.authorize(client, ada, { scope: 'read write', ...merge(grant.id) }),
      ];
      cluster.deliver();
      const redeemAt =
        (node: ClusterNode, code = '') =>
        () =>
          redeem(node, client, code);
      const responses = await send(redeemAt(a, codes[0]), redeemAt(b, codes[1]));
      expect(responses.map(({ status }) => status).toSorted((left, right) => left - right)).to.deep.equal([200, 400]);
      cluster.deliver();
      const revocations = (await a.events()).map(decodeEvent).filter(({ type }) => type === 'GrantRevoked');
      expect(revocations.map(({ data }) => data)).to.have.length(1);
      for (const node of [a, b]) {
        expect(await isAccepted(node, grant.access)).to.equal(false);
        expect(node.service().projections.grants.findManaged(grant.id)?.management.action).to.be.oneOf([
          'replace',
          'merge',
        ]);
      }
    });

  /** Links in e-mails: `create` returns a link, `fields` completes its form, and `event` records its use. */
  const LINKS: Readonly<
    Record<
      string,
      { create(): string | Promise<string>; readonly fields: Record<string, string>; readonly event: string }
    >
  > = {
    'to reset a password': {
      create: async () => {
        await a.service().accounts.verifyEmail(account(a), OPERATOR);
        return a.service().accountLinks.resetUrl(account(a), nowSeconds(a));
      },
      fields: { new_password: NEW_PASSWORD },
      event: 'PasswordChanged',
    },
    'to verify an address': {
      create: () => a.service().accountLinks.verificationUrl(account(a), nowSeconds(a)),
      fields: {},
      event: 'EmailVerified',
    },
    'to create an account': {
      create: () => inviteEve(a),
      fields: { username: 'eve', password: NEW_PASSWORD },
      event: 'InvitationAccepted',
    },
  };

  for (const [kind, { create: createLink, fields, event }] of Object.entries(LINKS)) {
    it(`is accepted by one node and refused by the other: a link ${kind}`, async () => {
      await a.service().accounts.changeProfile(account(a), { email: 'ada@example.org' }, OPERATOR);
      const { pathname, search } = new URL(await createLink());
      cluster.deliver();
      const countBefore = await countEvents(event);
      const openedPages = await Promise.all(
        [a, b].map(async (node) => {
          const browser = browserSession(() => node.origin());
          return { browser, page: await browser.get(`${pathname}${search}`) };
        }),
      );
      expect(openedPages.map(({ page }) => page.status)).to.deep.equal([200, 200]);
      const statuses = [];
      for (const { browser, page } of openedPages) statuses.push((await browser.submit(page, fields)).status);
      expect(statuses).to.deep.equal([302, 404]);
      expect(await countEvents(event)).to.equal(countBefore + 1);
    });
  }
});
