import { z } from 'zod';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { mayAdminister } from '../domain/roles.ts';
import type { User } from '../projections/users.ts';
import { isoTime } from './iso-time.ts';
import { operation, type Operation } from './operation.ts';
import type { OperationContext } from './operation-context.ts';
import { requireUser } from './users.ts';

/** A user's second factors, as shown to operators. */
export interface SecondFactorRow {
  readonly username: string;
  /** Whether the user has turned two-step login on. */
  readonly on: boolean;
  /** Whether the requireSecondFactor setting requires the user to have one. */
  readonly required: boolean;
  readonly app_added_at: string | null;
  readonly app_last_used_at: string | null;
  readonly passkeys: number;
  readonly recovery_codes_left: number;
}

const username = z.string().min(1).max(OPERATION_TEXTS.userName);

function toRow(user: User, { projections, secondFactorPolicy }: OperationContext): SecondFactorRow {
  const { userId } = user;
  const app = projections.secondFactors.totpOf(userId);
  const codes = projections.secondFactors.recoveryCodesOf(userId);
  return {
    username: user.username,
    on: secondFactorPolicy.isOn(userId),
    required: secondFactorPolicy.isRequired(user),
    app_added_at: app === undefined ? null : isoTime(app.addedAt),
    app_last_used_at: app === undefined || app.lastUsedAt === null ? null : isoTime(app.lastUsedAt),
    passkeys: projections.passkeys.listByUser(userId).length,
    recovery_codes_left: codes === undefined ? 0 : codes.hashes.length - codes.used.length,
  };
}

export const secondFactorOperations: Readonly<Record<string, Operation>> = {
  'user second-factor': operation(z.strictObject({ username, remove: z.boolean() }), async (input, context) => {
    const user = requireUser(input.username, context);
    if (input.remove) await context.secondFactorChanges.removeAll(user, 'lost', context.cause);
    return toRow(user, context);
  }),
};

/** Returns the number of active administrators, and how many of them have no second factor. */
export function countAdministratorsByFactor({ projections, secondFactorPolicy }: OperationContext) {
  const administrators = projections.users.all().filter(({ active, roles }) => active && mayAdminister(roles));
  const withoutFactor = administrators.filter(({ userId }) => !secondFactorPolicy.hasFactor(userId));
  return { total: administrators.length, withoutFactor: withoutFactor.length };
}
