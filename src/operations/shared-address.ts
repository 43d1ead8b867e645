import { findOtherWithAddress } from '../accounts/same-address.ts';
import { english } from '../language/english.ts';
import { message } from '../language/message.ts';
import type { User } from '../projections/users.ts';
import type { OperationContext } from './operation-context.ts';

/**
 * Returns a member with a warning if another account has the address as well, verified or not. This is not refused: one
 * mailbox can serve several accounts.
 */
export function sharedAddressWarning(user: User, { projections }: OperationContext): { readonly warning?: string } {
  const other = findOtherWithAddress(user, user.email, projections.users);
  return other === undefined ? {} : { warning: english.text(message('shared-address', { other: other.username })) };
}
