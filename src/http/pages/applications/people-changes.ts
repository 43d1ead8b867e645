import { spendMailLink } from '../../../accounts/mail-link-limits.ts';
import { FORM_FIELDS } from '../../../config/input-limits.ts';
import { roleOf } from '../../../domain/members.ts';
import { observedClient } from '../../../domain/streams.ts';
import { CLIENT_MODES, MEMBER_ROLES, type MemberRole } from '../../../domain/values.ts';
import type { MessageKey } from '../../../language/catalog.ts';
import { message } from '../../../language/message.ts';
import type { Registration } from '../../../oauth/clients/registration.ts';
import type { RateLimits } from '../../../platform/limits/rate-limits.ts';
import { isMailAddress } from '../../../platform/mail/mail-sender.ts';
import type { Client } from '../../../projections/clients.ts';
import type { User } from '../../../projections/users.ts';
import { notFound, outdatedFormError, PageError } from '../../pipeline/page-error.ts';
import { formOf, requireCsrfToken } from '../../pipeline/page-form.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import { readerLanguage } from '../../pipeline/reader-language.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import { pageContextFor, type PageContext } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import type { Pages } from '../render.ts';
import { sendPage } from '../send-page.ts';
import { applicationHeading } from './application-heading.ts';
import { applicationPath } from './application-page.ts';
import { invitationUrl } from './invitation-page.ts';
import type { ApplicationConfirmLocals } from './locals.ts';
import type { RequireOwner } from './owner-routes.ts';
import { showPeople, type PeoplePageDeps } from './people-page.ts';
import type { SecretsShownOnce } from './secrets-shown-once.ts';
import { unreadableFormError } from '../../pipeline/form.ts';

export interface PeopleChangesDeps extends PeoplePageDeps {
  readonly registration: Pick<Registration, 'update'>;
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly secretsShownOnce: SecretsShownOnce;
  readonly issuer: () => string;
  readonly pages: Pick<Pages, 'applicationPeople' | 'applicationConfirm' | 'applicationInvitation'>;
}

/** The parts of a confirmation page that differ from change to change. */
type Question = Omit<ApplicationConfirmLocals, keyof PageContext | 'trail' | 'back'>;

const BAD_ADDRESS = message('people.bad-address');

const peoplePath = (client: Pick<Client, 'clientId'>): string => `${applicationPath(client)}people/`;

/** Adds the routes for inviting and removing members, withdrawing invitations, and changing an application's mode. */
export function addPeopleChanges(router: PageRouter, forOwner: RequireOwner, deps: PeopleChangesDeps): void {
  const { memberships, registration, limits, invitationMailer, secretsShownOnce, resubmissionGuard, issuer, pages } =
    deps;

  router.post(
    '/:id/people/invite',
    requireCsrfToken,
    forOwner(async (ctx, client, caller) => {
      const role = readRole(ctx);
      const email = formOf(ctx).input('email');
      const isAddress = email.length <= FORM_FIELDS.email && isMailAddress(email);
      if (email !== '' && !isAddress) return showPeople(ctx, client, caller, { email: BAD_ADDRESS }, deps);
      limits.spend('invitations-by-user', caller.user.userId, ctx.state.once);
      const isMailed = email !== '' && invitationMailer.isOn;
      if (isMailed) {
        limits.spend('invitation-mails-by-user', caller.user.userId, ctx.state.once);
        spendMailLink(limits, 'membership', email, ctx.state.once);
      }
      const invitation = await memberships.invite(client, role, caller.user.userId);
      const url = invitationUrl(issuer(), invitation);
      const [{ name: application }, { username: inviter }] = [client, caller.user];
      const language = readerLanguage(ctx);
      if (isMailed) invitationMailer.send({ to: email, url, role, application, inviter, language });
      if (isMailed) ctx.state.webSession.flash(message('people.mailed', { email }));
      secretsShownOnce.redirect(ctx, caller, `${peoplePath(client)}invitation/`, url);
    }),
  );

  router.get(
    '/:id/people/invitation/:page',
    forOwner((ctx, client, caller) => {
      const url = secretsShownOnce.take(ctx, caller) ?? null;
      const application = applicationHeading(client);
      sendPage(ctx, pages.applicationInvitation({ ...pageContextFor(ctx, caller), application, url }));
    }),
  );

  router.post(
    '/:id/people/withdraw',
    requireCsrfToken,
    forOwner(async (ctx, client, caller) => {
      const role = readRole(ctx);
      const withdrawals = await memberships.withdrawals(client);
      // A form that is submitted twice must not withdraw invitations that were created in the meantime.
      if (!resubmissionGuard.isOutdated(ctx, String(withdrawals[role])))
        await memberships.withdrawInvitations(client, role, userCommandContext(ctx, caller));
      ctx.state.webSession.flash(message(ROLE_MESSAGES[role].withdrawn));
      ctx.redirect(peoplePath(client));
    }),
  );

  /** Asks the user to confirm a change. The page links back to the list of the application's members. */
  function askForConfirmation(ctx: RequestContext, client: Client, caller: LoggedInUser, question: Question): void {
    const back = peoplePath(client);
    const trail = [
      { href: applicationPath(client), text: client.name },
      { href: back, text: message('applications.people') },
    ];
    sendPage(ctx, pages.applicationConfirm({ ...pageContextFor(ctx, caller), ...question, trail, back }));
  }

  /**
   * Returns the member whose `pk` is in the path.
   * @throws PageError 404 if there is no such member
   */
  function requireMember(ctx: RequestContext, client: Client): { readonly user: User; readonly role: MemberRole } {
    const user = deps.users.findByPk(Number(pathParameter(ctx, 'pk')));
    const role = user && roleOf(client, user.userId);
    if (user === undefined || role === undefined) throw notFound();
    return { user, role };
  }

  router.get(
    '/:id/people/:pk/remove',
    forOwner((ctx, client, caller) => {
      const { user, role } = requireMember(ctx, client);
      const isLeaving = user.userId === caller.user.userId;
      askForConfirmation(ctx, client, caller, {
        ...(isLeaving ? leavingQuestion(client) : removalQuestion(client, user, role)),
        action: `${peoplePath(client)}${user.id}/remove/`,
      });
    }),
  );

  router.post(
    '/:id/people/:pk/remove',
    requireCsrfToken,
    forOwner(async (ctx, client, caller) => {
      const { user, role } = requireMember(ctx, client);
      const isLeaving = user.userId === caller.user.userId;
      const refusal = await memberships.remove(client, user.userId, userCommandContext(ctx, caller));
      if (refusal === 'last-owner') throw lastOwnerError();
      if (refusal !== undefined) throw notFound();
      const [{ name: application }, { username }] = [client, user];
      const removedMessage = message(ROLE_MESSAGES[role].removed, { username, application });
      ctx.state.webSession.flash(isLeaving ? message('member.left', { application }) : removedMessage);
      ctx.redirect(isLeaving ? '/o/applications/' : peoplePath(client));
    }),
  );

  router.get(
    '/:id/mode',
    forOwner((ctx, client, caller) =>
      askForConfirmation(ctx, client, caller, {
        ...(client.mode === 'live' ? TEST_MODE_QUESTION : LIVE_MODE_QUESTION),
        hidden: { mode: client.mode === 'live' ? 'test' : 'live' },
        action: `${applicationPath(client)}mode/`,
      }),
    ),
  );

  router.post(
    '/:id/mode',
    requireCsrfToken,
    forOwner(async (ctx, client, caller) => {
      const mode = CLIENT_MODES.find((name) => name === formOf(ctx).text('mode'));
      if (mode === undefined)
        throw unreadableFormError(message('people.unknown-mode', { values: CLIENT_MODES.join(', ') }));
      const context = userCommandContext(ctx, caller, observedClient(client));
      const refusal =
        mode === client.mode ? undefined : await registration.update(client.clientId, { ...client, mode }, context);
      if (refusal !== undefined) throw outdatedFormError();
      ctx.state.webSession.flash(
        message(mode === 'test' ? 'mode.is-test' : 'mode.is-live', { application: client.name }),
      );
      ctx.redirect(peoplePath(client));
    }),
  );
}

const TEST_MODE_QUESTION = {
  title: message('mode.to-test'),
  text: [message('mode.to-test-text'), message('mode.to-test-tokens')],
  button: message('mode.to-test-button'),
};

const LIVE_MODE_QUESTION = {
  title: message('mode.to-live'),
  text: [message('mode.to-live-text')],
  button: message('mode.to-live-button'),
};

type RoleMessages = Readonly<Record<'withdrawn' | 'removalText' | 'removalButton' | 'removed', MessageKey>>;

const ROLE_MESSAGES: Readonly<Record<MemberRole, RoleMessages>> = {
  owner: {
    withdrawn: 'people.withdrawn-owners',
    removalText: 'member.remove-owner-text',
    removalButton: 'member.remove-owner-button',
    removed: 'member.owner-removed',
  },
  'test-user': {
    withdrawn: 'people.withdrawn-test-users',
    removalText: 'member.remove-test-user-text',
    removalButton: 'member.remove-test-user-button',
    removed: 'member.test-user-removed',
  },
};

type QuestionMessages = Pick<Question, 'title' | 'text' | 'button'>;

function leavingQuestion({ name: application }: Client): QuestionMessages {
  return {
    title: message('member.leave-question', { application }),
    text: [message('member.leave-text', { application })],
    button: message('member.leave-button'),
  };
}

function removalQuestion({ name: application }: Client, { username }: User, role: MemberRole): QuestionMessages {
  return {
    title: message('member.remove-question', { username }),
    text: [message(ROLE_MESSAGES[role].removalText, { username, application })],
    button: message(ROLE_MESSAGES[role].removalButton),
  };
}

/**
 * Reads a member's role from the form.
 * @throws PageError 400 if the role is missing or unknown
 */
function readRole(ctx: RequestContext): MemberRole {
  const role = MEMBER_ROLES.find((name) => name === formOf(ctx).text('member_role'));
  if (role === undefined)
    throw unreadableFormError(message('people.unknown-role', { values: MEMBER_ROLES.join(', ') }));
  return role;
}

function lastOwnerError(): PageError {
  return new PageError(
    409,
    message('people.last-owner'),
    message('people.last-owner-text'),
    message('people.last-owner-advice'),
  );
}
