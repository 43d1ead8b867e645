import type { Role } from '../../../domain/events.ts';
import { message } from '../../../language/message.ts';
import type { ListPageLocals } from '../lists/list-locals.ts';
import type { FieldErrors, PageContext } from '../page-context.ts';
import type { PageCompiler } from './provider-locals.ts';

export interface AdminInvitationLocals extends PageContext {
  readonly values: { readonly email: string; readonly roles: readonly Role[] };
  readonly isMailOn: boolean;
  /** The value of the hidden `form_id` field: see `ResubmissionGuard`. */
  readonly formId: string;
  /** The only key is `email`. */
  readonly errors: FieldErrors;
}

interface AdminInvitationLinkLocals extends PageContext {
  /** Null if the link has already been shown, or if the page was opened too late. */
  readonly link: string | null;
}

interface AdminInvitationsLocals extends ListPageLocals {
  readonly isMailOn: boolean;
}

export interface InvitationPages {
  adminInvite(locals: AdminInvitationLocals): string;
  adminInvitationLink(locals: AdminInvitationLinkLocals): string;
  adminInvitations(locals: AdminInvitationsLocals): string;
}

export function invitationPages(page: PageCompiler): InvitationPages {
  return {
    adminInvite: page('admin/invite', () => message('invite.title')),
    adminInvitationLink: page('admin/invitation-link', () => message('invite-link.title')),
    adminInvitations: page('admin/invitations', () => message('listed.invitations')),
  };
}
