import { expect } from 'chai';
import fc from 'fast-check';
import { audit } from '../../src/audit/rules/auditor.ts';
import { START } from '../../src/event-store/event-log.ts';
import { hiddenFields, type BrowserSession, type Page } from '../support/browser-session.ts';
import { runningService, type RunningService } from '../support/running-service.ts';
import { repetitions } from '../support/repetitions.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const RUN_COUNT = repetitions(15);
const NAMES = ['ada', 'bob', 'eve'] as const;
const ROLES = ['owner', 'test-user'] as const;
type Name = (typeof NAMES)[number];
type Role = (typeof ROLES)[number];

type Step =
  | { readonly kind: 'invite'; readonly actor: Name; readonly role: Role }
  | { readonly kind: 'withdraw'; readonly actor: Name; readonly role: Role }
  | { readonly kind: 'accept'; readonly actor: Name; readonly invitation: number }
  | { readonly kind: 'remove'; readonly actor: Name; readonly member: Name }
  | { readonly kind: 'erase'; readonly member: Name };

const [arbitraryName, arbitraryRole] = [fc.constantFrom(...NAMES), fc.constantFrom(...ROLES)];
const arbitraryStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('invite' as const), actor: arbitraryName, role: arbitraryRole }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('withdraw' as const), actor: arbitraryName, role: arbitraryRole }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('accept' as const), actor: arbitraryName, invitation: fc.nat(3) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('remove' as const), actor: arbitraryName, member: arbitraryName }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('erase' as const), member: arbitraryName }) },
);

interface Invitation {
  readonly secret: string;
  readonly role: Role;
  readonly actor: Name;
  isOpen: boolean;
}

/** The expected state of the application. */
interface Model {
  readonly members: Map<Name, Role>;
  readonly erased: Set<Name>;
  readonly invitations: Invitation[];
}

function endInvitations(model: Model, isAffected: (invitation: Invitation) => boolean): void {
  for (const invitation of model.invitations) if (isAffected(invitation)) invitation.isOpen = false;
}

/** Performs the step, and updates the model with its expected result. */
async function performStep(step: Step, model: Model, running: RunningService, path: string, browsers: Browsers) {
  const { members, erased, invitations } = model;
  const send = (actor: Name, target: string, fields: Readonly<Record<string, string>> = {}): Promise<Page> =>
    browsers[actor].post(target, { csrf_token: browsers.csrf[actor], ...fields });
  const isOwner = (member: Name): boolean => members.get(member) === 'owner';
  const findUser = (member: Name) => running.service().projections.users.findByName(member);
  if (step.kind === 'invite') {
    const { location } = await send(step.actor, `${path}people/invite/`, { member_role: step.role });
    if (!isOwner(step.actor)) return;
    const { html } = await browsers[step.actor].get(location ?? '');
    const secret = new URL(/id="invitation"[^>]*>([^<]+)</.exec(html)?.[1] ?? '').searchParams.get('invitation') ?? '';
    invitations.push({ secret, role: step.role, actor: step.actor, isOpen: true });
  } else if (step.kind === 'withdraw') {
    await send(step.actor, `${path}people/withdraw/`, { member_role: step.role });
    if (isOwner(step.actor)) endInvitations(model, ({ role: invitedRole }) => invitedRole === step.role);
  } else if (step.kind === 'accept') {
    const invitation = invitations.at(-1 - (step.invitation % Math.max(1, invitations.length)));
    if (invitation === undefined) return;
    await send(step.actor, '/o/invitations/', { invitation: invitation.secret });
    const hasRole = isOwner(step.actor) || members.get(step.actor) === invitation.role;
    if (!invitation.isOpen || hasRole || erased.has(step.actor)) return;
    members.set(step.actor, invitation.role);
    invitation.isOpen = false;
  } else if (step.kind === 'remove') {
    await send(step.actor, `${path}people/${findUser(step.member)?.id ?? 0}/remove/`);
    const owners = [...members.values()].filter((memberRole) => memberRole === 'owner').length;
    if (!isOwner(step.actor) || (isOwner(step.member) && owners === 1)) return;
    members.delete(step.member);
    endInvitations(model, ({ actor }) => actor === step.member);
  } else {
    const user = findUser(step.member);
    if (user !== undefined) await running.service().accounts.erase(user, OPERATOR);
    members.delete(step.member);
    erased.add(step.member);
    endInvitations(model, ({ actor }) => actor === step.member);
  }
}

type Browsers = Readonly<Record<Name, BrowserSession>> & { readonly csrf: Readonly<Record<Name, string>> };

async function logInAll(running: RunningService): Promise<Browsers> {
  const browsers = {} as Record<Name, BrowserSession>;
  const csrf = {} as Record<Name, string>;
  for (const member of NAMES) {
    const user = await running.addUser(member);
    browsers[member] = running.browser();
    await browsers[member].logIn(user.username, user.password);
    csrf[member] = hiddenFields((await browsers[member].get('/o/applications/register/')).html)['csrf_token'] ?? '';
  }
  return { ...browsers, csrf };
}

describe('Any sequence of invitations, acceptances, removals and erasures', () => {
  it('leaves the expected members, keeps an owner unless an account was erased, and shows pages only to owners', () =>
    fc.assert(
      fc.asyncProperty(fc.array(arbitraryStep, { minLength: 8, maxLength: 25 }), async (steps) => {
        const running = await runningService();
        const browsers = await logInAll(running);
        const app = await running.addClient({ owner: 'ada' });
        const path = `/o/applications/${app.id}/`;
        const model: Model = { members: new Map([['ada', 'owner']]), erased: new Set(), invitations: [] };
        for (const step of steps) {
          await performStep(step, model, running, path, browsers);
          const { clients, users } = running.service().projections;
          const actual = (clients.find(app.id)?.members ?? []).map(
            (member) => [users.find(member.userId)?.username, member.role] as const,
          );
          expect(Object.fromEntries(actual), JSON.stringify(step)).to.deep.equal(Object.fromEntries(model.members));
          const hasOwner = actual.some(([, memberRole]) => memberRole === 'owner');
          expect(hasOwner || model.erased.size > 0, 'an owner remains').to.equal(true);
          for (const member of NAMES) {
            const { status } = await browsers[member].get(`${path}rotate_secret/`);
            expect(status === 200, `whether ${member} sees the page that rotates the secret`).to.equal(
              model.members.get(member) === 'owner',
            );
          }
        }
        for await (const item of audit(running.log.readAll(START))) expect(item).not.to.have.property('rule');
        await running.close();
      }),
      { numRuns: RUN_COUNT, seed: 20_261_123 },
    ));
});
