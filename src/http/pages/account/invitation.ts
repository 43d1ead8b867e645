import type { Invitation, Invitations } from '../../../accounts/invitations.ts';
import { passwordWeakness } from '../../../accounts/password-advice.ts';
import { message } from '../../../language/message.ts';
import { callerFromAddress } from '../../../platform/hashing/hash-caller.ts';
import { hashOncePerRequest } from '../../../platform/hashing/hash-once-per-request.ts';
import type { PasswordHashing } from '../../../platform/hashing/password-hashing.ts';
import { formOf, requireCsrfToken } from '../../pipeline/page-form.ts';
import { queryOf } from '../../pipeline/query.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import type { Route } from '../../route.ts';
import { definedErrors, pageContext, type FieldErrors } from '../page-context.ts';
import { createPageRouter, WITHOUT_CHANGE_LIMIT } from '../page-router.ts';
import type { AccountPages } from './locals.ts';
import { refuseDeadLink, passwordsOffError, sendLinkPage } from './mail-links.ts';

export interface AccountInvitationDeps {
  readonly invitations: Pick<Invitations, 'open' | 'hasEnded' | 'loginFor' | 'accept'>;
  readonly hashing: Pick<PasswordHashing, 'hasherFor'>;
  readonly addressOf: (ctx: RequestContext) => string;
  readonly pages: Pick<AccountPages, 'accountInvitation'>;
}

const DEAD_LINK_ADVICE = message('account-invitation.dead-advice');

/** Returns the routes for the page where an invited user creates an account. */
export function accountInvitationRoutes({
  invitations,
  hashing,
  addressOf,
  pages,
}: AccountInvitationDeps): readonly Route[] {
  const router = createPageRouter();

  /**
   * Returns the name of the provider through which the new user will log in, or null if passwords are on.
   * @throws PageError if passwords are off and no required provider would link the account
   */
  function requiredProvider({ email }: Invitation): string | null {
    const login = invitations.loginFor(email);
    if (login === undefined) throw passwordsOffError();
    return login === 'password' ? null : login.name;
  }

  function show(
    ctx: RequestContext,
    token: string,
    invitation: Invitation,
    username: string,
    errors: FieldErrors,
  ): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const { email } = invitation;
    const locals = { token, email, username, provider: requiredProvider(invitation), errors };
    sendLinkPage(ctx, pages.accountInvitation({ ...pageContext(ctx), ...locals }));
  }

  router.get('/accounts/invitation', async (ctx) => {
    const token = queryOf(ctx).text('token') ?? '';
    const invitation = invitations.open(token) ?? refuseDeadLink(DEAD_LINK_ADVICE);
    if (await invitations.hasEnded(invitation)) refuseDeadLink(DEAD_LINK_ADVICE);
    show(ctx, token, invitation, '', {});
  });

  router.with(WITHOUT_CHANGE_LIMIT).post('/accounts/invitation', requireCsrfToken, async (ctx) => {
    const form = formOf(ctx);
    const token = form.text('token');
    const username = form.input('username');
    const invitation = invitations.open(token) ?? refuseDeadLink(DEAD_LINK_ADVICE);
    const password = requiredProvider(invitation) === null ? form.input('password') : null;
    const weakness = password === null ? undefined : passwordWeakness(password, [username, invitation.email]);
    if (weakness !== undefined) return show(ctx, token, invitation, username, { password: weakness });
    const { metadata, once } = ctx.state;
    const caller = callerFromAddress(addressOf(ctx), `invitation ${invitation.id}`);
    const hasher = hashOncePerRequest(hashing.hasherFor(caller), once);
    const result = await invitations.accept(invitation, { username, password }, { metadata, once, hasher });
    if (result === undefined) return refuseDeadLink(DEAD_LINK_ADVICE);
    if ('errors' in result) return show(ctx, token, invitation, username, definedErrors(result.errors));
    ctx.state.webSession.flash(message('account-invitation.welcome', { username: result.user.username }));
    ctx.redirect('/accounts/login/');
  });

  return router.routes;
}
