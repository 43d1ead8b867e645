import { message } from '../../../language/message.ts';
import type { Invitations } from '../../../accounts/invitations.ts';
import { spendMailLink } from '../../../accounts/mail-link-limits.ts';
import { FORM_FIELDS } from '../../../config/input-limits.ts';
import type { RateLimits } from '../../../platform/limits/rate-limits.ts';
import { isMailAddress } from '../../../platform/mail/mail-sender.ts';
import { formOf } from '../../pipeline/page-form.ts';
import { readerLanguage } from '../../pipeline/reader-language.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import type { SecretsShownOnce } from '../applications/secrets-shown-once.ts';
import { pageContextFor, type FieldErrors } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { sendPage } from '../send-page.ts';
import type { AdminInvitationLocals, AdminPages } from './locals.ts';
import { chosenRoles } from './users.ts';

export interface AdminInviteParts {
  readonly invitations: Pick<Invitations, 'invite' | 'findHolder'>;
  readonly accountMails: { readonly isOn: boolean };
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly secretsShownOnce: SecretsShownOnce;
  readonly pages: AdminPages;
}

const BAD_ADDRESS: FieldErrors = { email: message('invite.bad-address') };

/** The form that invites a user. Without mail, the next page shows the link once. */
export function addInvitePages(router: PageRouter, parts: AdminInviteParts): void {
  const { invitations, accountMails, limits, secretsShownOnce, pages } = parts;

  function show(ctx: RequestContext, values: AdminInvitationLocals['values'], errors: FieldErrors): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const { isOn: isMailOn } = accountMails;
    sendPage(ctx, pages.adminInvite({ ...pageContextFor(ctx, actingUser(ctx)), values, isMailOn, errors }));
  }

  router.get('/users/invite', (ctx) => show(ctx, { email: '', roles: [] }, {}));

  router.post('/users/invite', (ctx) => {
    const actor = actingUser(ctx);
    const [email, roles] = [formOf(ctx).trimmed('email'), chosenRoles(ctx)];
    if (email.length > FORM_FIELDS.email || !isMailAddress(email)) return show(ctx, { email, roles }, BAD_ADDRESS);
    const holder = invitations.findHolder(email);
    if (holder !== undefined) {
      const taken = message('invite.taken', { username: holder.username });
      return show(ctx, { email, roles }, { email: taken });
    }
    if (accountMails.isOn) spendMailLink(limits, 'invitation', email, ctx.state.once);
    const { link, isSent } = invitations.invite({ email, roles, invitedBy: actor.user.userId }, readerLanguage(ctx));
    if (!isSent) return secretsShownOnce.redirect(ctx, actor, '/admin/users/invite/link/', link);
    ctx.state.webSession.flash(message('invite.sent', { email }));
    ctx.redirect('/admin/users/');
  });

  router.get('/users/invite/link/:page', (ctx) => {
    const actor = actingUser(ctx);
    const link = secretsShownOnce.take(ctx, actor) ?? null;
    sendPage(ctx, pages.adminInvitationLink({ ...pageContextFor(ctx, actor), link }));
  });
}
