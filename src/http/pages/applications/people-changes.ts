import { spendMailLink } from '../../../accounts/mail-link-limits.ts';
import { FORM_FIELDS } from '../../../config/input-limits.ts';
import { roleOf } from '../../../domain/members.ts';
import { clientAsRead } from '../../../domain/streams.ts';
import { CLIENT_MODES, MEMBER_ROLES, type MemberRole } from '../../../domain/values.ts';
import type { Registration } from '../../../oauth/clients/registration.ts';
import type { RateLimits } from '../../../platform/limits/rate-limits.ts';
import { isMailAddress } from '../../../platform/mail/mail-sender.ts';
import type { Client } from '../../../projections/clients.ts';
import type { User } from '../../../projections/users.ts';
import { notFound, outdatedForm, PageError } from '../../pipeline/page-error.ts';
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
import { applicationName } from './application-name.ts';
import { applicationPath } from './application-page.ts';
import { invitationUrl, ROLE_NAMES } from './invitation-page.ts';
import type { ApplicationConfirmLocals } from './locals.ts';
import type { RequireOwner } from './owner-routes.ts';
import { showPeople, type PeoplePageParts } from './people-page.ts';
import type { SecretsShownOnce } from './secrets-shown-once.ts';

export interface PeopleChangesParts extends PeoplePageParts {
  readonly registration: Pick<Registration, 'update'>;
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly secretsShownOnce: SecretsShownOnce;
  readonly issuer: () => string;
  readonly pages: Pick<Pages, 'applicationPeople' | 'applicationConfirm' | 'applicationInvitation'>;
}

/** The parts of a confirmation that differ between changes. */
type Question = Omit<ApplicationConfirmLocals, keyof PageContext | 'trail' | 'back'>;

const BAD_ADDRESS = 'Enter a valid e-mail address.';

const peoplePath = (client: Pick<Client, 'clientId'>): string => `${applicationPath(client)}people/`;

/** The changes that owners make to the people of an application, and to its mode. */
export function addPeopleChanges(router: PageRouter, forOwner: RequireOwner, parts: PeopleChangesParts): void {
  const { memberships, registration, limits, invitationMails, secretsShownOnce, repeatedForms, issuer, pages } = parts;

  router.post(
    '/:id/people/invite',
    requireCsrfToken,
    forOwner(async (ctx, client, caller) => {
      const role = readRole(ctx);
      const email = formOf(ctx).input('email');
      const isAddress = email.length <= FORM_FIELDS.email && isMailAddress(email);
      if (email !== '' && !isAddress) return showPeople(ctx, client, caller, { email: BAD_ADDRESS }, parts);
      limits.spend('invitations-by-user', caller.user.userId, ctx.state.once);
      const isMailed = email !== '' && invitationMails.isOn;
      if (isMailed) {
        limits.spend('invitation-mails-by-user', caller.user.userId, ctx.state.once);
        spendMailLink(limits, 'membership', email, ctx.state.once);
      }
      const invitation = await memberships.invite(client, role, caller.user.userId);
      const url = invitationUrl(issuer(), invitation);
      const [{ name: application }, { username: inviter }] = [client, caller.user];
      const language = readerLanguage(ctx);
      if (isMailed) invitationMails.send({ to: email, url, role, application, inviter, language });
      if (isMailed) ctx.state.webSession.flash(`The invitation is being sent to ${email}.`);
      secretsShownOnce.redirect(ctx, caller, `${peoplePath(client)}invitation/`, url);
    }),
  );

  router.get(
    '/:id/people/invitation/:page',
    forOwner((ctx, client, caller) => {
      const url = secretsShownOnce.take(ctx, caller) ?? null;
      const application = applicationName(client);
      sendPage(ctx, pages.applicationInvitation({ ...pageContextFor(ctx, caller), application, url }));
    }),
  );

  router.post(
    '/:id/people/withdraw',
    requireCsrfToken,
    forOwner(async (ctx, client, caller) => {
      const role = readRole(ctx);
      const withdrawals = await memberships.withdrawals(client);
      // A form that is sent twice withdraws the invitations of its time once, and no later ones.
      if (!repeatedForms.isOutdated(ctx, String(withdrawals[role])))
        await memberships.withdrawInvitations(client, role, userCommandContext(ctx, caller));
      ctx.state.webSession.flash(`All open invitations for ${ROLE_NAMES[role]}s were withdrawn.`);
      ctx.redirect(peoplePath(client));
    }),
  );

  /** Asks before a change, and leads back to the people of the application. */
  function confirm(ctx: RequestContext, client: Client, caller: LoggedInUser, question: Question): void {
    const back = peoplePath(client);
    const trail = [
      { href: applicationPath(client), text: client.name },
      { href: back, text: 'People' },
    ];
    sendPage(ctx, pages.applicationConfirm({ ...pageContextFor(ctx, caller), ...question, trail, back }));
  }

  /** @throws PageError 404 the user is not a member */
  function memberAt(ctx: RequestContext, client: Client): { readonly user: User; readonly role: MemberRole } {
    const user = parts.users.findByPk(Number(pathParameter(ctx, 'pk')));
    const role = user && roleOf(client, user.userId);
    if (user === undefined || role === undefined) throw notFound();
    return { user, role };
  }

  router.get(
    '/:id/people/:pk/remove',
    forOwner((ctx, client, caller) => {
      const { user, role } = memberAt(ctx, client);
      const isYou = user.userId === caller.user.userId;
      confirm(ctx, client, caller, {
        title: isYou ? `Leave ${client.name}?` : `Remove ${user.username}?`,
        text: removalText(client, user.username, role, isYou),
        button: isYou ? 'Leave the application' : `Remove the ${ROLE_NAMES[role]}`,
        action: `${peoplePath(client)}${user.id}/remove/`,
      });
    }),
  );

  router.post(
    '/:id/people/:pk/remove',
    requireCsrfToken,
    forOwner(async (ctx, client, caller) => {
      const { user, role } = memberAt(ctx, client);
      const isYou = user.userId === caller.user.userId;
      const refused = await memberships.remove(client, user.userId, userCommandContext(ctx, caller));
      if (refused === 'last-owner') throw lastOwner();
      if (refused !== undefined) throw notFound();
      ctx.state.webSession.flash(
        isYou ? `You left ${client.name}.` : `${user.username} is no longer ${aRole(role)} of ${client.name}.`,
      );
      ctx.redirect(isYou ? '/o/applications/' : peoplePath(client));
    }),
  );

  router.get(
    '/:id/mode',
    forOwner((ctx, client, caller) =>
      confirm(ctx, client, caller, {
        ...(client.mode === 'live' ? TO_TEST : TO_LIVE),
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
      if (mode === undefined) throw unreadable(`mode must be one of: ${CLIENT_MODES.join(', ')}.`);
      const context = userCommandContext(ctx, caller, clientAsRead(client));
      const refused =
        mode === client.mode ? undefined : await registration.update(client.clientId, { ...client, mode }, context);
      if (refused !== undefined) throw outdatedForm();
      ctx.state.webSession.flash(`${client.name} is now in ${mode} mode.`);
      ctx.redirect(peoplePath(client));
    }),
  );
}

const TO_TEST = {
  title: 'Switch to test mode?',
  text: [
    'Only its owners and test users can then authorize the application. Other users see a page that says so, and ' +
      'no application gets new tokens for them.',
    'Access tokens that other users have already given it work until they expire. Their authorizations continue ' +
      'when you switch back to live mode.',
  ],
  button: 'Switch to test mode',
};

const TO_LIVE = {
  title: 'Switch to live mode?',
  text: ['Every user of this server can then authorize the application.'],
  button: 'Switch to live mode',
};

const aRole = (role: MemberRole): string => (role === 'owner' ? 'an owner' : 'a test user');

function removalText({ name }: Client, username: string, role: MemberRole, isYou: boolean): readonly string[] {
  if (isYou) return [`You can no longer see or change ${name}. Invitations that you made end, too.`];
  return role === 'owner'
    ? [`${username} can no longer see or change ${name}. Invitations that they made end, too.`]
    : [`${username} can no longer authorize ${name} while it is in test mode.`];
}

/** @throws PageError 400 the field names no role */
function readRole(ctx: RequestContext): MemberRole {
  const role = MEMBER_ROLES.find((name) => name === formOf(ctx).text('member_role'));
  if (role === undefined) throw unreadable(`member_role must be one of: ${MEMBER_ROLES.join(', ')}.`);
  return role;
}

function unreadable(problem: string): PageError {
  return new PageError(400, 'The form could not be read', problem, 'Go back and send the form again.');
}

function lastOwner(): PageError {
  return new PageError(
    409,
    'An owner is required',
    'No other owner of this application can log in. Nothing was changed.',
    'Invite another owner first, then leave. To end the application instead, delete it.',
  );
}
