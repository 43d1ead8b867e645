import { roleOf } from '../../../domain/members.ts';
import type { MemberRole } from '../../../domain/values.ts';
import type { MessageKey } from '../../../language/catalog.ts';
import { message, type Text } from '../../../language/message.ts';
import type { InvitationContent } from '../../../oauth/clients/invitation-seal.ts';
import type { MembershipRefusal, Memberships } from '../../../oauth/clients/memberships.ts';
import type { Clients } from '../../../projections/clients.ts';
import { PageError } from '../../pipeline/page-error.ts';
import { formOf, requireCsrfToken } from '../../pipeline/page-form.ts';
import { queryOf } from '../../pipeline/query.ts';
import { requireLogin } from '../../pipeline/require-login.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import type { Route } from '../../route.ts';
import { pageContextFor } from '../page-context.ts';
import { createPageRouter } from '../page-router.ts';
import type { Pages } from '../render.ts';
import { sendPage } from '../send-page.ts';
import { applicationPath } from './application-page.ts';

export interface InvitationDeps {
  readonly memberships: Memberships;
  readonly clients: Pick<Clients, 'find'>;
  readonly pages: Pick<Pages, 'invitation'>;
  readonly settings: { readonly loginUrl: string };
}

const PATH = '/o/invitations/';

/** Returns the invitation link. */
export function invitationUrl(issuer: string, invitation: string): string {
  return `${new URL(issuer).origin}${PATH}?${new URLSearchParams({ invitation }).toString()}`;
}

/**
 * Returns the routes for the page that an invitation link opens. The page shows the inviter and the application to any
 * logged-in user who has the link. Opening the link changes nothing, because mail scanners open links, too.
 */
export function invitationRoutes({ memberships, clients, pages, settings }: InvitationDeps): readonly Route[] {
  const router = createPageRouter();

  function requireInvitation(invitation: string): InvitationContent {
    const content = memberships.readInvitation(invitation);
    if (content === undefined) throw invitationError('client-unknown');
    return content;
  }

  router.get(
    '/o/invitations',
    requireLogin(settings.loginUrl, async (ctx, caller) => {
      const invitation = queryOf(ctx).text('invitation') ?? '';
      const openedInvitation = await memberships.openInvitation(requireInvitation(invitation), caller.user.userId);
      if (typeof openedInvitation === 'string') throw invitationError(openedInvitation);
      const { content, client, inviter } = openedInvitation;
      sendPage(
        ctx,
        pages.invitation({
          ...pageContextFor(ctx, caller),
          application: { name: client.name, mode: client.mode },
          role: content.role,
          inviter: inviter.username,
          expiresAt: content.expiresAt,
          invitation,
        }),
      );
    }),
  );

  router.post(
    '/o/invitations',
    requireCsrfToken,
    requireLogin(settings.loginUrl, async (ctx, caller) => {
      const content = requireInvitation(formOf(ctx).text('invitation'));
      const { userId } = caller.user;
      const client = clients.find(content.clientId);
      // When the form is resubmitted, the user already has the role.
      const hasRole = client !== undefined && roleOf(client, userId) === content.role;
      if (!hasRole) {
        const openedInvitation = await memberships.openInvitation(content, userId);
        if (typeof openedInvitation === 'string') throw invitationError(openedInvitation);
        const refusal = await memberships.accept(openedInvitation, caller.user, userCommandContext(ctx, caller));
        if (refusal !== undefined) throw invitationError(refusal);
        ctx.state.webSession.flash(message(ROLE_NOTICES[content.role], { application: openedInvitation.client.name }));
      }
      ctx.redirect(content.role === 'owner' ? applicationPath(content) : '/');
    }),
  );

  return router.routes;
}

const ROLE_NOTICES: Readonly<Record<MemberRole, MessageKey>> = {
  owner: 'invited.owner-now',
  'test-user': 'invited.test-user-now',
};

const PROBLEMS: Readonly<Record<MembershipRefusal, readonly [title: MessageKey, text: MessageKey, advice: Text]>> = {
  'client-unknown': ['invited.invalid', 'invited.invalid-text', message('invited.ask-again')],
  'invitation-used': ['invited.used', 'invited.used-text', message('invited.ask-again')],
  'invitation-expired': ['invited.expired', 'invited.expired-text', message('invited.ask-again')],
  'invitation-withdrawn': ['invited.withdrawn', 'invited.withdrawn-text', message('invited.ask-again')],
  'already-member': ['invited.member', 'invited.member-text', message('invited.member-advice')],
  'too-many-members': ['invited.full', 'invited.full-text', message('invited.full-advice')],
  'last-owner': ['people.last-owner', 'invited.last-owner-text', ''],
};

function invitationError(refusal: MembershipRefusal): PageError {
  const [title, text, advice] = PROBLEMS[refusal];
  return new PageError(refusal === 'already-member' ? 409 : 410, message(title), message(text), advice);
}
