import { ownersOf, testUsersOf } from '../../../domain/members.ts';
import type { EpochSeconds, MemberRole } from '../../../domain/values.ts';
import type { InvitationMailer } from '../../../oauth/clients/invitation-mailer.ts';
import type { Memberships } from '../../../oauth/clients/memberships.ts';
import type { Client, ClientMember } from '../../../projections/clients.ts';
import type { Grants } from '../../../projections/grants.ts';
import type { Users } from '../../../projections/users.ts';
import type { ResubmissionGuard } from '../../pipeline/resubmission-guard.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import { pageContextFor, type FieldErrors } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import type { Pages } from '../render.ts';
import { sendPage } from '../send-page.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { applicationHeading } from './application-heading.ts';
import type { MemberLocals } from './locals.ts';
import type { RequireOwner } from './owner-routes.ts';

export interface PeoplePageDeps {
  readonly grants: Pick<Grants, 'countByClient'>;
  readonly users: Pick<Users, 'find' | 'findByPk'>;
  readonly invitationMailer: InvitationMailer;
  readonly memberships: Memberships;
  readonly resubmissionGuard: ResubmissionGuard;
  readonly now: () => EpochSeconds;
  readonly pages: Pick<Pages, 'applicationPeople'>;
}

/**
 * Adds the page with the owners and test users, the mode, and the number of users who have authorized the application.
 */
export function addPeoplePage(router: PageRouter, forOwner: RequireOwner, deps: PeoplePageDeps): void {
  router.get(
    '/:id/people',
    forOwner((ctx, client, caller) => showPeople(ctx, client, caller, {}, deps)),
  );
}

/**
 * Sends the page that lists an application's members.
 * @param errors the errors of the invitation form
 */
export async function showPeople(
  ctx: RequestContext,
  client: Client,
  caller: LoggedInUser,
  errors: FieldErrors,
  { grants, users, invitationMailer, memberships, resubmissionGuard, now, pages }: PeoplePageDeps,
): Promise<void> {
  if (Object.keys(errors).length > 0) ctx.status = 422;
  const toMemberLocals = (members: readonly ClientMember[]): readonly MemberLocals[] =>
    members.flatMap((member) => memberLocals(member, users, caller.user.userId));
  const withdrawals = await memberships.withdrawals(client);
  const withdrawalFormId = (role: MemberRole): string => resubmissionGuard.mintId(String(withdrawals[role]));
  sendPage(
    ctx,
    pages.applicationPeople({
      ...pageContextFor(ctx, caller),
      application: applicationHeading(client),
      owners: toMemberLocals(ownersOf(client)),
      testUsers: toMemberLocals(testUsersOf(client)),
      sendsMail: invitationMailer.isOn,
      errors,
      withdrawalFormIds: { owner: withdrawalFormId('owner'), 'test-user': withdrawalFormId('test-user') },
      authorizations: countAuthorizations(grants, client, now()),
    }),
  );
}

function memberLocals(
  { userId, since }: ClientMember,
  users: Pick<Users, 'find'>,
  callerId: LoggedInUser['user']['userId'],
): readonly MemberLocals[] {
  const user = users.find(userId);
  if (user === undefined) return [];
  return [{ id: user.id, username: user.username, since, isYou: userId === callerId, isActive: user.active }];
}

/** Enough to show the scale. Counting more would take too long. */
const MAX_COUNTED_GRANTS = 1_000;

/** Counts the application's valid authorizations, up to a limit, and the users who granted them. */
export function countAuthorizations(
  grants: Pick<Grants, 'countByClient'>,
  { clientId }: Pick<Client, 'clientId'>,
  now: EpochSeconds,
): ReturnType<Grants['countByClient']> {
  return grants.countByClient(clientId, now, MAX_COUNTED_GRANTS);
}
