import { z } from 'zod';
import type { ProfileChange } from '../accounts/profile-change.ts';
import { findOtherVerifier } from '../accounts/same-address.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { CHANGEABLE_CLAIMS, PROFILE_FIELDS, type ChangeableClaim } from '../domain/profile.ts';
import type { User } from '../projections/users.ts';
import { isoTime } from './iso-time.ts';
import { OperationRefused } from './control/operation-refused.ts';
import type { OperationContext } from './operation-context.ts';
import { operation } from './operation.ts';
import { sharedAddressWarning } from './shared-address.ts';
import { invalidFields } from './invalid-fields.ts';
import { requireUser } from './users.ts';

const input = z.strictObject({
  username: z.string().min(1).max(OPERATION_TEXTS.userName),
  /** Whether to record the e-mail address as verified after making the changes. */
  verifyEmail: z.boolean().default(false),
  /** New values by claim; an empty value removes the claim. */
  changes: z.partialRecord(z.enum(CHANGEABLE_CLAIMS), z.string().max(OPERATION_TEXTS.checkedText)),
});

/** Changes a user's profile and returns the new profile. */
export const userProfile = operation(input, async ({ username, changes, verifyEmail }, context) => {
  const previousUser = requireUser(username, context);
  const refusal = await context.accounts.changeProfile(previousUser, toChange(changes), context.cause);
  if (refusal !== undefined) {
    const { first_name, last_name, ...otherErrors } = refusal.errors;
    const nameErrors = { ...(first_name && { given_name: first_name }), ...(last_name && { family_name: last_name }) };
    throw invalidFields({ ...nameErrors, ...otherErrors });
  }
  if (verifyEmail) await verifyAddress(requireUser(username, context), context);
  const user = requireUser(username, context);
  const isNewAddress = user.email !== previousUser.email;
  return { ...toProfileRow(user), ...(isNewAddress && sharedAddressWarning(user, context)) };
});

async function verifyAddress(user: User, { accounts, projections, cause }: OperationContext): Promise<void> {
  if (user.email === '')
    throw new OperationRefused('email: the account has no e-mail address; add --set email=ADDRESS');
  const otherUser = findOtherVerifier(user, projections.users);
  if (otherUser !== undefined)
    throw new OperationRefused(
      `email: the account ${otherUser.username} has already verified this address; ` +
        'change the address of that account first',
    );
  if (!user.emailVerified) await accounts.verifyEmail(user, cause);
}

function toChange(changes: Partial<Record<ChangeableClaim, string>>): ProfileChange {
  const { given_name: firstName, family_name: lastName, email, ...profile } = changes;
  return {
    profile,
    ...(firstName !== undefined && { firstName: firstName.trim() }),
    ...(lastName !== undefined && { lastName: lastName.trim() }),
    ...(email !== undefined && { email: email.trim() }),
  };
}

function toProfileRow({ id, username, firstName, lastName, email, emailVerified, profile, updatedAt }: User) {
  const profileFields = PROFILE_FIELDS.map((field) => [field, profile[field] ?? null] as const);
  return {
    id,
    username,
    given_name: firstName === '' ? null : firstName,
    family_name: lastName === '' ? null : lastName,
    email: email === '' ? null : email,
    email_verified: email === '' ? null : emailVerified,
    ...Object.fromEntries(profileFields),
    updated_at: isoTime(updatedAt),
  };
}
