import { findOtherWithAddress } from '../accounts/same-address.ts';
import { english } from '../language/english.ts';
import { message } from '../language/message.ts';
import type { User } from '../projections/users.ts';
import type { OperationContext } from './operation-context.ts';

/**
 * Returns `{ warning }` if another account has the same e-mail address, verified or not, and otherwise `{}`. Sharing an
 * address is allowed, because several accounts can share a mailbox.
 */
export function sharedAddressWarning(user: User, { projections }: OperationContext): { readonly warning?: string } {
  const otherUser = findOtherWithAddress(user, user.email, projections.users);
  return otherUser === undefined
    ? {}
    : { warning: english.text(message('shared-address', { other: otherUser.username })) };
}
