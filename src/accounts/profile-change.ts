import { PROFILE_FIELDS, type ProfileField, type ProfileValues } from '../domain/profile.ts';
import { observedAccount } from '../domain/streams.ts';
import type { UserCommand, UserEvent, UserRefusal, UserState } from '../domain/user.ts';
import type { CommandContext, CommandHandler } from '../event-store/command-handler.ts';
import type { Message } from '../language/message.ts';
import type { User, Users } from '../projections/users.ts';
import { ACCOUNT_GONE, accountProblems, type AccountErrors } from './account-problems.ts';
import type { Vault } from './personal-data.ts';
import { checkProfileValue } from './profile-values.ts';

/** New values, as entered. Values of absent members stay unchanged. */
export interface ProfileChange {
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  /** An empty value removes the field. */
  readonly profile?: ProfileInput;
}

export type ProfileInput = Partial<Readonly<Record<ProfileField, string>>>;

/**
 * Changes a user's e-mail address, names and profile. Records nothing if nothing changes, or if any value is invalid.
 * @returns the errors by field; undefined if every value is valid
 * @throws DecisionOutdated if the account changed in the meantime
 */
export type ChangeProfile = (
  user: Pick<User, 'userId' | 'stream'>,
  change: ProfileChange,
  context: CommandContext,
) => Promise<{ readonly errors: AccountErrors } | undefined>;

export function createProfileChanger(deps: {
  readonly commands: Pick<CommandHandler<UserCommand, UserState, UserEvent, UserRefusal>, 'execute'>;
  readonly users: Pick<Users, 'find'>;
  readonly vault: Pick<Vault, 'seal'>;
}): ChangeProfile {
  const { commands, users, vault } = deps;

  return async ({ userId, stream }, { profile: newProfile, ...details }, context) => {
    const current = users.find(userId);
    if (current === undefined) return { errors: ACCOUNT_GONE };
    const { email = current.email, firstName = current.firstName, lastName = current.lastName } = details;
    const result = checkProfile(newProfile ?? {});
    const problems = { ...accountProblems({ email, first_name: firstName, last_name: lastName }), ...result.errors };
    if (Object.keys(problems).length > 0) return { errors: problems };
    const profile = withChanges(current.profile, result.values);
    const areDetailsEqual = current.email === email && current.firstName === firstName && current.lastName === lastName;
    const isProfileEqual = PROFILE_FIELDS.every((field) => profile[field] === current.profile[field]);
    if (areDetailsEqual && isProfileEqual) return undefined;
    const sealed = vault.seal(userId, {
      ...(!areDetailsEqual && { email, firstName, lastName }),
      ...(!isProfileEqual && { profile }),
    });
    // The event contains the whole profile, or the address and both names. A concurrent change to a different field
    // must not be lost.
    const basedOn = [...(context.basedOn ?? []), observedAccount(current)];
    const command = { type: 'ChangeProfile', userId, sealed } as const;
    const { refusal } = await commands.execute(stream, command, { ...context, basedOn });
    return refusal === undefined ? undefined : { errors: ACCOUNT_GONE };
  };
}

function checkProfile(profile: ProfileInput): { readonly values: ProfileInput; readonly errors: AccountErrors } {
  const values: Partial<Record<ProfileField, string>> = {};
  const errors: Partial<Record<ProfileField, Message>> = {};
  for (const field of PROFILE_FIELDS) {
    const text = profile[field];
    if (text === undefined) continue;
    const result = checkProfileValue(field, text);
    if ('problem' in result) errors[field] = result.problem;
    else values[field] = result.value;
  }
  return { values, errors };
}

/** Returns the fields that are filled in after the change, always in the same order. */
function withChanges(current: ProfileValues, changes: ProfileInput): ProfileValues {
  const entries = PROFILE_FIELDS.map((field) => [field, changes[field] ?? current[field] ?? ''] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}
