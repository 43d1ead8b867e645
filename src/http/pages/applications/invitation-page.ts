import { roleOf } from '../../../domain/members.ts';
import type { MemberRole } from '../../../domain/values.ts';
import type { SealedInvitation } from '../../../oauth/clients/invitation-seal.ts';
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

export interface InvitationParts {
  readonly memberships: Memberships;
  readonly clients: Pick<Clients, 'find'>;
  readonly pages: Pick<Pages, 'invitation'>;
  readonly settings: { readonly loginUrl: string };
}

const PATH = '/o/invitations/';

export const ROLE_NAMES: Readonly<Record<MemberRole, string>> = { owner: 'owner', 'test-user': 'test user' };

export function invitationUrl(issuer: string, invitation: string): string {
  return `${new URL(issuer).origin}${PATH}?${new URLSearchParams({ invitation }).toString()}`;
}

/**
 * The page that an invitation link opens. It says who invites to what, to anybody who is logged in and has the link.
 * Opening it changes nothing, because mail scanners open links, too.
 */
export function invitationRoutes({ memberships, clients, pages, settings }: InvitationParts): readonly Route[] {
  const router = createPageRouter();

  function read(invitation: string): SealedInvitation {
    const sealed = memberships.readInvitation(invitation);
    if (sealed === undefined) throw invalid('client-unknown');
    return sealed;
  }

  router.get(
    '/o/invitations',
    requireLogin(settings.loginUrl, async (ctx, caller) => {
      const invitation = queryOf(ctx).text('invitation') ?? '';
      const opened = await memberships.openInvitation(read(invitation), caller.user.userId);
      if (typeof opened === 'string') throw invalid(opened);
      const { sealed, client, inviter } = opened;
      sendPage(
        ctx,
        pages.invitation({
          ...pageContextFor(ctx, caller),
          application: { name: client.name, mode: client.mode },
          role: sealed.role,
          inviter: inviter.username,
          expiresAt: sealed.expiresAt,
          invitation,
        }),
      );
    }),
  );

  router.post(
    '/o/invitations',
    requireCsrfToken,
    requireLogin(settings.loginUrl, async (ctx, caller) => {
      const sealed = read(formOf(ctx).text('invitation'));
      const { userId } = caller.user;
      const client = clients.find(sealed.clientId);
      const isSentTwice = client !== undefined && roleOf(client, userId) === sealed.role;
      if (!isSentTwice) {
        const opened = await memberships.openInvitation(sealed, userId);
        if (typeof opened === 'string') throw invalid(opened);
        const refused = await memberships.accept(opened, caller.user, userCommandContext(ctx, caller));
        if (refused !== undefined) throw invalid(refused);
        ctx.state.webSession.flash(`You are now ${ROLES[sealed.role]} of ${opened.client.name}.`);
      }
      ctx.redirect(sealed.role === 'owner' ? applicationPath(sealed) : '/');
    }),
  );

  return router.routes;
}

const ROLES: Readonly<Record<MemberRole, string>> = { owner: 'an owner', 'test-user': 'a test user' };

const ASK_AGAIN = 'Ask the person who invited you for another link.';
const PROBLEMS: Readonly<Record<MembershipRefusal, readonly [title: string, message: string, advice: string]>> = {
  'client-unknown': [
    'This invitation is not valid',
    'The link is incomplete, or its application was deleted.',
    ASK_AGAIN,
  ],
  'invitation-used': ['This invitation was used', 'An invitation works once.', ASK_AGAIN],
  'invitation-expired': ['This invitation has expired', 'An invitation is valid for seven days.', ASK_AGAIN],
  'invitation-withdrawn': [
    'This invitation was withdrawn',
    'An owner withdrew it, or the user who made it can no longer invite.',
    ASK_AGAIN,
  ],
  'already-member': ['You have this role already', 'The invitation was not used.', 'Nothing needs to be done.'],
  'too-many-members': [
    'The application is full',
    'It has as many owners or test users as it can have.',
    'Ask an owner to remove somebody first.',
  ],
  'last-owner': ['An owner is required', 'Nothing was changed.', ''],
};

function invalid(refusal: MembershipRefusal): PageError {
  const [title, message, advice] = PROBLEMS[refusal];
  return new PageError(refusal === 'already-member' ? 409 : 410, title, `${message} Nothing was changed.`, advice);
}
