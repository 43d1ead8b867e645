import { expect } from 'chai';
import { LINK_LIFETIMES } from '../../src/accounts/mail-links.ts';
import type { User } from '../../src/projections/users.ts';
import type { BrowserSession, Page } from '../support/browser-session.ts';
import { inviteEve } from '../support/invite-eve.ts';
import { mailbox } from '../support/mailbox.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const WEEK = 604_800;

/** A server with a user whose address is not verified, another user, and an application that the first user owns. */
interface World {
  readonly running: RunningService;
  readonly invite: () => Promise<string>;
}

interface LinkKind {
  make(world: World): string | Promise<string>;
  readonly lifetimeSeconds: number;
  readonly fields: Readonly<Record<string, string>>;
  /** The user who must be logged in to use the link. By default, no login is required. */
  readonly userName?: string;
  /** The response status for a link that no longer works. */
  readonly refusedStatus: number;
}

const account = ({ running }: World, name = 'ada'): User =>
  running.service().projections.users.findByName(name) ?? expect.fail();
const nowInSeconds = ({ running }: World): number => Math.floor(running.clock.now() / 1000);

const KINDS: Readonly<Record<string, LinkKind>> = {
  'that verifies an address': {
    make: (world) => world.running.service().accountLinks.verificationUrl(account(world), nowInSeconds(world)),
    lifetimeSeconds: LINK_LIFETIMES.verify,
    fields: {},
    refusedStatus: 404,
  },
  'for a new password': {
    async make(world) {
      if (!account(world).emailVerified) await world.running.service().accounts.verifyEmail(account(world), OPERATOR);
      return world.running.service().accountLinks.resetUrl(account(world), nowInSeconds(world));
    },
    lifetimeSeconds: LINK_LIFETIMES.reset,
    fields: { new_password: 'correct horse battery' },
    refusedStatus: 404,
  },
  'with an invitation to create an account': {
    make: ({ running }) => inviteEve(running),
    lifetimeSeconds: LINK_LIFETIMES.invitation,
    fields: { username: 'eve', password: 'correct horse battery' },
    refusedStatus: 404,
  },
  'with an invitation to an application': {
    make: ({ invite }) => invite(),
    lifetimeSeconds: WEEK,
    fields: {},
    userName: 'bob',
    refusedStatus: 410,
  },
};

describe('Every link sent by e-mail', () => {
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

  /** Opens a new browser, and logs in the user of the link if the link requires it. */
  async function openBrowser({ userName }: LinkKind): Promise<BrowserSession> {
    const browser = world.running.browser();
    if (userName !== undefined) await browser.logIn(userName, `${userName}'s password`);
    return browser;
  }

  async function useLink(link: string, kind: LinkKind): Promise<number> {
    const { pathname, search } = new URL(link);
    const browser = await openBrowser(kind);
    const page: Page = await browser.get(`${pathname}${search}`);
    return page.status === 200 ? (await browser.submit(page, kind.fields)).status : page.status;
  }

  for (const [name, kind] of Object.entries(KINDS)) {
    describe(name, () => {
      it('works in a different browser from the one that first opened it', async () => {
        const link = await kind.make(world);
        const { pathname, search } = new URL(link);
        expect((await (await openBrowser(kind)).get(`${pathname}${search}`)).status).to.equal(200);
        expect(await useLink(link, kind)).to.equal(302);
      });

      it('works once', async () => {
        const link = await kind.make(world);
        expect([await useLink(link, kind), await useLink(link, kind)]).to.deep.equal([302, kind.refusedStatus]);
      });

      it('works up to the last second of its lifetime, but not later', async () => {
        const [firstLink, secondLink] = [await kind.make(world), await kind.make(world)];
        world.running.clock.advance(kind.lifetimeSeconds - 1);
        const { pathname, search } = new URL(secondLink);
        expect((await (await openBrowser(kind)).get(`${pathname}${search}`)).status).to.equal(200);
        world.running.clock.advance(1);
        expect([await useLink(firstLink, kind), await useLink(secondLink, kind)]).to.deep.equal([
          kind.refusedStatus,
          kind.refusedStatus,
        ]);
      });

      it('works even if a newer link exists, and then invalidates the newer one', async () => {
        const olderLink = await kind.make(world);
        world.running.clock.advance(5);
        const newerLink = await kind.make(world);
        expect(await useLink(olderLink, kind)).to.equal(302);
        const head = world.running.log.head();
        const newerLinkStatus = await useLink(newerLink, kind);
        expect(newerLinkStatus).to.be.oneOf([kind.refusedStatus, 409]);
        const newTypes = (await world.running.events()).slice(head).map(({ type }) => type);
        expect(newTypes.filter((type) => type !== 'SessionStarted')).to.deep.equal([]);
      });
    });
  }
});
