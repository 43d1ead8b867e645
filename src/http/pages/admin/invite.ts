import { message, type Message } from '../../../language/message.ts';
import type { Invitations, PendingInvitation, SentLink } from '../../../accounts/invitations.ts';
import { findUsersWithAddress } from '../../../accounts/same-address.ts';
import { spendMailLink } from '../../../accounts/mail-link-limits.ts';
import { actorText, createNameLookup } from '../../../audit/queries/sentence-parts.ts';
import { FORM_FIELDS } from '../../../config/input-limits.ts';
import type { RateLimits } from '../../../platform/limits/rate-limits.ts';
import { isMailAddress } from '../../../platform/mail/mail-sender.ts';
import type { Clients } from '../../../projections/clients.ts';
import type { Groups } from '../../../projections/groups.ts';
import type { User, Users } from '../../../projections/users.ts';
import { formOf } from '../../pipeline/page-form.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import { readerLanguage } from '../../pipeline/reader-language.ts';
import type { ResubmissionGuard } from '../../pipeline/resubmission-guard.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import type { SecretsShownOnce } from '../applications/secrets-shown-once.ts';
import { pageContextFor, type FieldErrors } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { sendPage } from '../send-page.ts';
import { invitationList } from './invitation-list.ts';
import type { AdminInvitationLocals, InvitationPages } from './invitation-locals.ts';
import type { AdminPages } from './locals.ts';
import { sendAdminList } from './send-admin-list.ts';
import { readRoles } from './users.ts';

export interface AdminInviteDeps {
  readonly invitations: Pick<
    Invitations,
    'invite' | 'resend' | 'withdraw' | 'listPending' | 'findByNumber' | 'findHolder' | 'findPending' | 'loginFor'
  >;
  readonly users: Pick<Users, 'find' | 'all'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly groups: Pick<Groups, 'nameOf'>;
  readonly accountMailer: { readonly isOn: boolean };
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly resubmissionGuard: ResubmissionGuard;
  readonly secretsShownOnce: SecretsShownOnce;
  readonly pages: InvitationPages & Pick<AdminPages, 'adminConfirm'>;
}

type Question = Pick<Parameters<AdminPages['adminConfirm']>[0], 'title' | 'text' | 'button' | 'action' | 'hidden'>;

const INVALID_ADDRESS: FieldErrors = { email: message('invite.bad-address') };

const UNUSABLE = message('invite.unusable');

const INVITE_PATH = '/admin/users/invite/';
const LIST_PATH = '/admin/users/invitations/';

/**
 * Adds the form for inviting a user, and the list of pending invitations. If mail is off, a page shows the link of each
 * invitation once, because the server cannot e-mail it.
 */
export function addInvitePages(router: PageRouter, deps: AdminInviteDeps): void {
  const { invitations, users, accountMailer, limits, resubmissionGuard, secretsShownOnce, pages } = deps;

  const isUsable = ({ email }: Pick<PendingInvitation, 'email'>): boolean => invitations.loginFor(email) !== undefined;

  function showForm(ctx: RequestContext, values: AdminInvitationLocals['values'], errors: FieldErrors): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const locals = { values, isMailOn: accountMailer.isOn, formId: resubmissionGuard.mintId(), errors };
    sendPage(ctx, pages.adminInvite({ ...pageContextFor(ctx, actingUser(ctx)), ...locals }));
  }

  router.get('/users/invite', (ctx) => showForm(ctx, { email: '', roles: [] }, {}));

  router.post('/users/invite', async (ctx) => {
    const actor = actingUser(ctx);
    const form = formOf(ctx);
    const [email, roles, isConfirmed] = [form.trimmed('email'), readRoles(ctx), form.text('confirmed') === 'yes'];
    if (email.length > FORM_FIELDS.email || !isMailAddress(email))
      return showForm(ctx, { email, roles }, INVALID_ADDRESS);
    const holder = invitations.findHolder(email);
    if (holder !== undefined) {
      const problem = message('invite.taken', { username: holder.username });
      return showForm(ctx, { email, roles }, { email: problem });
    }
    if (!isUsable({ email })) return showForm(ctx, { email, roles }, { email: UNUSABLE });
    const formEntropy = () => resubmissionGuard.entropyFor(ctx, actor, { email, roles });
    const pendingInvitation = invitations.findPending(email, formEntropy());
    if (pendingInvitation !== undefined) return offerToResend(ctx, pendingInvitation);
    const [user] = findUsersWithAddress(email, users);
    if (user !== undefined && !isConfirmed) return askWhetherToInvite(ctx, { email, roles }, user);
    if (accountMailer.isOn) spendMailLink(limits, 'invitation', email, ctx.state.once);
    const invitation = { email, roles, invitedBy: actor.user.userId };
    const context = userCommandContext(ctx, actor);
    const result = await invitations.invite(invitation, context, readerLanguage(ctx), formEntropy());
    redirectAfterSending(ctx, email, result);
  });

  function askForConfirmation(ctx: RequestContext, question: Question): void {
    const trail = [{ href: '/admin/users/', text: message('admin.users') }];
    const context = pageContextFor(ctx, actingUser(ctx));
    sendPage(ctx, pages.adminConfirm({ ...context, ...question, trail, back: INVITE_PATH, tone: 'primary' }));
  }

  /**
   * Offers to resend the pending invitation. A second invitation would add another row to the list, and its link would
   * still work after the first invitation is withdrawn.
   */
  function offerToResend(ctx: RequestContext, pendingInvitation: PendingInvitation): void {
    const { id, email, sender } = pendingInvitation;
    askForConfirmation(ctx, {
      title: message('invite.pending-title', { email }),
      text: [message('invite.pending', { inviter: actorText(sender, createNameLookup(deps)) })],
      button: message('invitations.resend'),
      action: `${LIST_PATH}${id}/resend/`,
      hidden: { form_id: resubmissionGuard.mintId(versionOf(pendingInvitation)) },
    });
  }

  function askWhetherToInvite(ctx: RequestContext, values: AdminInvitationLocals['values'], { username }: User): void {
    const { email, roles } = values;
    askForConfirmation(ctx, {
      title: message('invite.known-title', { email }),
      text: [message('invite.known', { username })],
      button: message('invite.anyway'),
      action: INVITE_PATH,
      hidden: { email, role: roles, confirmed: 'yes', form_id: formOf(ctx).text('form_id') },
    });
  }

  /** Redirects to the page that shows the link, or to the list if the link was e-mailed or the invitation has ended. */
  function redirectAfterSending(ctx: RequestContext, email: string, sentLink: SentLink | undefined): void {
    if (sentLink === undefined) return redirectWithEndedNotice(ctx);
    const actor = actingUser(ctx);
    if (!sentLink.isSent) return secretsShownOnce.redirect(ctx, actor, '/admin/users/invite/link/', sentLink.link);
    redirectWithNotice(ctx, message('invite.sent', { email }));
  }

  router.get('/users/invite/link/:page', (ctx) => {
    const actor = actingUser(ctx);
    const link = secretsShownOnce.take(ctx, actor) ?? null;
    sendPage(ctx, pages.adminInvitationLink({ ...pageContextFor(ctx, actor), link }));
  });

  router.get('/users/invitations', (ctx) => {
    const list = invitationList({
      names: createNameLookup(deps),
      csrfToken: ctx.state.webSession.csrfToken(),
      mintFormId: (pendingInvitation) => resubmissionGuard.mintId(versionOf(pendingInvitation)),
      isUsable,
    });
    sendAdminList(ctx, list, invitations.listPending(), (locals) =>
      pages.adminInvitations({ ...pageContextFor(ctx, actingUser(ctx)), list: locals, isMailOn: accountMailer.isOn }),
    );
  });

  router.post('/users/invitations/:id/resend', async (ctx) => {
    const actor = actingUser(ctx);
    const pendingInvitation = findInvitation(ctx);
    if (pendingInvitation === undefined) return redirectWithEndedNotice(ctx);
    const { email } = pendingInvitation;
    if (!isUsable(pendingInvitation)) return redirectWithNotice(ctx, UNUSABLE, 'warning');
    if (resubmissionGuard.isOutdated(ctx, versionOf(pendingInvitation)))
      return redirectWithNotice(ctx, message('invitations.resent', { email }), 'warning');
    if (accountMailer.isOn) spendMailLink(limits, 'invitation', email, ctx.state.once);
    const context = userCommandContext(ctx, actor);
    const result = await invitations.resend(pendingInvitation, actor.user.userId, context, readerLanguage(ctx));
    redirectAfterSending(ctx, email, result);
  });

  router.post('/users/invitations/:id/withdraw', async (ctx) => {
    const pendingInvitation = findInvitation(ctx);
    const context = userCommandContext(ctx, actingUser(ctx));
    if (pendingInvitation === undefined || !(await invitations.withdraw(pendingInvitation, context)))
      return redirectWithEndedNotice(ctx);
    redirectWithNotice(ctx, message('invitations.withdrawn', { email: pendingInvitation.email }));
  });

  function findInvitation(ctx: RequestContext): PendingInvitation | undefined {
    return invitations.findByNumber(pathParameter(ctx, 'id'));
  }
}

/** Returns a value that changes each time the invitation is sent. */
function versionOf({ id, times }: PendingInvitation): string {
  return `${id} ${times}`;
}

function redirectWithNotice(ctx: RequestContext, text: Message, tone?: 'warning'): void {
  ctx.state.webSession.flash(text, tone);
  ctx.redirect(LIST_PATH);
}

/** Redirects to the list with a notice that the invitation has ended. */
function redirectWithEndedNotice(ctx: RequestContext): void {
  redirectWithNotice(ctx, message('invitations.ended'), 'warning');
}
