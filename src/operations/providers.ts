import { z } from 'zod';
import { NoAdministratorLeft } from '../accounts/last-administrator.ts';
import { english } from '../language/english.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import type { EpochSeconds } from '../domain/values.ts';
import { toProviderFields, newProviderFields } from '../oauth/upstream/provider-fields.ts';
import { callbackUri } from '../oauth/upstream/token-requests.ts';
import type { UpstreamProvider } from '../projections/upstream-providers.ts';
import { OperationRefused } from './control/operation-refused.ts';
import { invalidFields } from './invalid-fields.ts';
import { isoTime } from './iso-time.ts';
import type { OperationContext } from './operation-context.ts';
import { operation, streamingOperation, type Operation } from './operation.ts';

const text = z.string().max(OPERATION_TEXTS.checkedText).optional();
const texts = z.array(z.string().max(OPERATION_TEXTS.checkedText)).optional();
const providerId = z.string().min(1).max(OPERATION_TEXTS.settingName);

/** A provider, as shown to operators. Never includes the client secret. */
interface ProviderRow {
  readonly provider_id: string;
  readonly name: string;
  readonly preset: string;
  readonly issuer: string;
  readonly tenants: readonly string[];
  readonly client_id: string;
  readonly authentication: string;
  readonly has_secret: boolean;
  readonly scopes: readonly string[];
  readonly linking: string;
  readonly creates_users: boolean;
  readonly domains: readonly string[];
  readonly groups_claim: string | null;
  readonly roles: readonly string[];
  readonly groups: readonly string[];
  readonly second_factor_values: readonly string[];
  readonly required: boolean;
  /** Whether login through the provider is turned off. Its configuration is kept. */
  readonly disabled: boolean;
  readonly linked_accounts: number;
  /** The URI to register with the provider; null if the server's issuer identifier is unknown. */
  readonly redirect_uri: string | null;
  readonly changed_at: string;
  /** When a user last logged in through the provider; null if nobody has since it was added. */
  readonly last_login_at: string | null;
}

function toRow(provider: UpstreamProvider, context: OperationContext): ProviderRow {
  const { preset, issuer, tenants, clientId, scopes, linking, createsUsers, domains, groupsClaim, required } = provider;
  const lastLogin = context.projections.upstreamProviders.lastLoginAt(provider.providerId);
  const serverIssuer = context.issuer();
  return {
    provider_id: provider.providerId,
    name: provider.name,
    preset,
    issuer,
    tenants,
    client_id: clientId,
    authentication: provider.authentication,
    has_secret: provider.sealedSecret !== null,
    scopes,
    linking,
    creates_users: createsUsers,
    domains,
    groups_claim: groupsClaim,
    roles: toProviderFields(provider).roles,
    groups: toProviderFields(provider).groups,
    second_factor_values: provider.secondFactorValues,
    required,
    disabled: provider.disabled === true,
    linked_accounts: context.projections.upstreamAccounts.countByProvider(provider.providerId),
    redirect_uri: serverIssuer === null ? null : callbackUri(serverIssuer, provider),
    changed_at: isoTime(provider.changedAt),
    last_login_at: lastLogin === undefined ? null : isoTime(lastLogin),
  };
}

/**
 * Finds a provider by its id.
 * @throws OperationRefused if there is no such provider
 */
export function requireProvider(id: string, { projections }: OperationContext): UpstreamProvider {
  const provider = projections.upstreamProviders.find(id);
  if (provider !== undefined) return provider;
  throw new OperationRefused(`there is no provider ${JSON.stringify(id)}; see: grantlog provider list`, 'unknown');
}

/**
 * Awaits the change, and returns its result.
 * @throws OperationRefused if the change would leave no administrator who can log in
 */
async function refuseIfNoAdministratorLeft<Result>(change: Promise<Result>): Promise<Result> {
  return change.catch((error: unknown) => {
    if (!(error instanceof NoAdministratorLeft)) throw error;
    throw new OperationRefused(
      'this would leave no administrator able to log in: first give an administrator a password, a passkey or an ' +
        'account at another provider, or run grantlog provider on the server',
      'conflict',
    );
  });
}

function currentSeconds({ clock }: OperationContext): EpochSeconds {
  return Math.floor(clock.now() / 1000) as EpochSeconds;
}

export const providerOperations: Readonly<Record<string, Operation>> = {
  /** Omitted fields keep their values. */
  'provider set': operation(
    z.strictObject({
      providerId,
      preset: text,
      name: text,
      issuer: text,
      tenants: texts,
      clientId: text,
      authentication: text,
      secret: text,
      scopes: texts,
      linking: text,
      createsUsers: z.boolean().optional(),
      domains: texts,
      groupsClaim: text,
      roles: texts,
      groups: texts,
      secondFactorValues: texts,
      required: z.boolean().optional(),
      disabled: z.boolean().optional(),
    }),
    async ({ providerId: id, ...changes }, context) => {
      const existing = context.projections.upstreamProviders.find(id);
      const fields =
        existing === undefined ? newProviderFields(changes.preset ?? 'custom') : toProviderFields(existing);
      const enteredFields = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
      const result = await refuseIfNoAdministratorLeft(
        context.providerRegistry.set(id, { ...fields, ...enteredFields }, existing, context.cause),
      );
      if ('errors' in result) throw invalidFields(result.errors);
      return toRow(result.provider, context);
    },
  ),

  'provider list': streamingOperation(z.strictObject({}), async function* (_input, context) {
    for (const provider of context.projections.upstreamProviders.all()) yield toRow(provider, context);
  }),

  'provider show': operation(z.strictObject({ providerId }), ({ providerId: id }, context) =>
    toRow(requireProvider(id, context), context),
  ),

  'provider test': streamingOperation(z.strictObject({ providerId }), async function* ({ providerId: id }, context) {
    for (const check of await context.testProvider(requireProvider(id, context), currentSeconds(context)))
      yield { ...check, text: english.text(check.text) };
  }),

  'provider remove': operation(z.strictObject({ providerId }), async ({ providerId: id }, context) => {
    await refuseIfNoAdministratorLeft(context.providerRegistry.remove(requireProvider(id, context), context.cause));
    return { provider_id: id };
  }),
};
