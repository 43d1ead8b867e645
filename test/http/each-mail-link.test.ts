import { expect } from 'chai';
import { LINK_LIFETIMES } from '../../src/accounts/mail-links.ts';
import type { User } from '../../src/projections/users.ts';
import type { BrowserSession, Page } from '../support/browser-session.ts';
import { mailbox } from '../support/mailbox.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const WEEK = 604_800;

/** A server with a user whose address is not verified, another user, and an application of the first user. */
interface World {
  readonly running: RunningService;
  readonly invite: () => Promise<string>;
}

interface LinkKind {
  make(world: World): string | Promise<string>;
  /** Seconds. */
  readonly lifetime: number;
  readonly fields: Readonly<Record<string, string>>;
  /** The name of the user who must be logged in to use the link; nobody by default. */
  readonly as?: string;
  /** The status for a link that does not work any more. */
  readonly refused: number;
}

const account = ({ running }: World, name = 'ada'): User =>
  running.service().projections.users.findByName(name) ?? expect.fail();
const secondsOf = ({ running }: World): number => Math.floor(running.clock.now() / 1000);

const KINDS: Readonly<Record<string, LinkKind>> = {
  'that verifies an address': {
    make: (world) => world.running.service().accountLinks.verification(account(world), secondsOf(world)),
    lifetime: LINK_LIFETIMES.verify,
    fields: {},
    refused: 404,
  },
  'for a new password': {
    async make(world) {
      if (!account(world).emailVerified) await world.running.service().accounts.verifyEmail(account(world), OPERATOR);
      return world.running.service().accountLinks.reset(account(world), secondsOf(world));
    },
    lifetime: LINK_LIFETIMES.reset,
    fields: { new_password: 'correct horse battery' },
    refused: 404,
  },
  'that invites to create an account': {
    make: ({ running }) =>
      running.service().invitations.invite({ email: 'eve@example.org', roles: [], invitedBy: null }).link,
    lifetime: LINK_LIFETIMES.invitation,
    fields: { username: 'eve', password: 'correct horse battery' },
    refused: 404,
  },
  'that invites to an application': {
    make: ({ invite }) => invite(),
    lifetime: WEEK,
    fields: {},
    as: 'bob',
    refused: 410,
  },
};

describe('Each link of a mail', () => {
  let world: World;

  beforeEach(async () => {
    const running = await runningService({ mailTransport: mailbox().transport });
    const app = await running.addClient({ owner: (await running.addUser('ada')).username });
    await running.addUser('bob');
    const { accounts, memberships, projections } = running.service();
    world = {
      running,
      async invite() {
        const client = projections.clients.find(app.id) ?? expect.fail();
        const invitation = await memberships.invite(client, 'test-user', account(world).userId);
        return `http://localhost:8000/o/invitations/?${new URLSearchParams({ invitation }).toString()}`;
      },
    };
    await accounts.changeProfile(account(world), { email: 'ada@example.org' }, OPERATOR);
  });
  afterEach(() => world.running.close());

  /** A new browser, in which the user of the link is logged in if the link requires it. */
  async function anotherBrowser({ as }: LinkKind): Promise<BrowserSession> {
    const browser = world.running.browser();
    if (as !== undefined) await browser.logIn(as, `${as}'s password`);
    return browser;
  }

  async function use(link: string, kind: LinkKind): Promise<number> {
    const { pathname, search } = new URL(link);
    const browser = await anotherBrowser(kind);
    const page: Page = await browser.get(`${pathname}${search}`);
    return page.status === 200 ? (await browser.submit(page, kind.fields)).status : page.status;
  }

  for (const [name, kind] of Object.entries(KINDS)) {
    describe(name, () => {
      it('works in another browser than the one that opened it first', async () => {
        const link = await kind.make(world);
        const { pathname, search } = new URL(link);
        expect((await (await anotherBrowser(kind)).get(`${pathname}${search}`)).status).to.equal(200);
        expect(await use(link, kind)).to.equal(302);
      });

      it('works once', async () => {
        const link = await kind.make(world);
        expect([await use(link, kind), await use(link, kind)]).to.deep.equal([302, kind.refused]);
      });

      it('works in the last second of its lifetime, and not later', async () => {
        const [first, second] = [await kind.make(world), await kind.make(world)];
        world.running.clock.advance(kind.lifetime - 1);
        const { pathname, search } = new URL(second);
        expect((await (await anotherBrowser(kind)).get(`${pathname}${search}`)).status).to.equal(200);
        world.running.clock.advance(1);
        expect([await use(first, kind), await use(second, kind)]).to.deep.equal([kind.refused, kind.refused]);
      });

      it('works while a newer one exists, which then has no further effect for the same user', async () => {
        const older = await kind.make(world);
        world.running.clock.advance(5);
        const newer = await kind.make(world);
        expect(await use(older, kind)).to.equal(302);
        const head = world.running.log.head();
        const again = await use(newer, kind);
        expect(again).to.be.oneOf([kind.refused, 409]);
        const newTypes = (await world.running.events()).slice(head).map(({ type }) => type);
        expect(newTypes.filter((type) => type !== 'SessionStarted')).to.deep.equal([]);
      });
    });
  }
});
