import { z } from 'zod';
import { recordedLoginWays } from '../audit/queries/recorded-login-ways.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { wayToLogIn } from '../domain/login-ways.ts';
import { mayAdminister } from '../domain/roles.ts';
import type { User } from '../projections/users.ts';
import type { OperationContext } from './operation-context.ts';
import { operation, type Operation } from './operation.ts';

/** The numbers of users in total, and of users who would be locked out if a provider were required. */
export interface RequirementForecast {
  readonly provider_id: string;
  /** Whether passwords are already off. */
  readonly passwords_off: boolean;
  /** The number of active users. */
  readonly users: number;
  /** The number of active users who have neither a passkey nor an account at a required provider. */
  readonly locked_out: number;
  readonly administrators: number;
  readonly administrators_locked_out: number;
}

export const providerRequirementOperations: Readonly<Record<string, Operation>> = {
  /** The provider need not exist yet. */
  'provider requirement': operation(
    z.strictObject({ providerId: z.string().min(1).max(OPERATION_TEXTS.settingName) }),
    ({ providerId }, context) => forecastRequirement(providerId, context),
  ),
};

function forecastRequirement(providerId: string, { projections }: OperationContext): RequirementForecast {
  const { upstreamProviders } = projections;
  const otherProviders = upstreamProviders.all().filter((provider) => provider.providerId !== providerId);
  const providers = [...otherProviders, { providerId, issuer: '', tenants: [], required: true }];
  const isLockedOut = (user: User): boolean =>
    wayToLogIn(recordedLoginWays(user, projections), providers) === undefined;
  const users = projections.users.all().filter(({ active }) => active);
  const administrators = users.filter(({ roles }) => mayAdminister(roles));
  return {
    provider_id: providerId,
    passwords_off: upstreamProviders.allEnabled().some(({ required }) => required),
    users: users.length,
    locked_out: users.filter(isLockedOut).length,
    administrators: administrators.length,
    administrators_locked_out: administrators.filter(isLockedOut).length,
  };
}
