import { z } from 'zod';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { operation, type Operation } from './operation.ts';
import { requireProvider } from './providers.ts';
import { requireClient } from './require-client.ts';
import { requireResource } from './resources.ts';
import { requireIssuer } from './trusted-issuers.ts';

const clientId = z.string().min(1).max(OPERATION_TEXTS.clientId);
const uri = z.string().min(1).max(OPERATION_TEXTS.checkedText);
const providerId = z.string().min(1).max(OPERATION_TEXTS.settingName);

/**
 * Operations that forecast the effects of a removal by counting what depends on the object. Unless `exact` is true,
 * the counts are lower bounds, except for `tokens_at_most`.
 */
export const removalForecastOperations: Readonly<Record<string, Operation>> = {
  'client forecast': operation(z.strictObject({ clientId }), (input, context) => {
    const client = requireClient(input.clientId, context);
    const { users, grants, isExact, maxTokens, owners, policies, issuers } = context.removalForecasts.ofClient(client);
    return {
      client_id: client.clientId,
      name: client.name,
      users,
      grants,
      exact: isExact,
      tokens_at_most: maxTokens,
      owners: owners.flatMap((userId) => context.projections.users.find(userId)?.username ?? []),
      exchange_policies: policies,
      trusted_issuers: issuers,
    };
  }),

  'resource forecast': operation(z.strictObject({ uri }), ({ uri: resourceUri }, context) => {
    const forecast = context.removalForecasts.ofResource(requireResource(resourceUri, context));
    return {
      uri: resourceUri,
      scopes: forecast.scopes,
      applications: forecast.applications,
      grants: forecast.grants,
      tokens: forecast.tokens,
      ending_tokens: forecast.endingTokens,
      exact: forecast.isExact,
      exchange_policies: forecast.policies,
      trusted_issuers: forecast.issuers,
    };
  }),

  'trusted-issuer forecast': operation(z.strictObject({ issuer: uri }), ({ issuer }, context) => {
    const { isExact, ...forecast } = context.removalForecasts.ofIssuer(requireIssuer(issuer, context));
    return { issuer, ...forecast, exact: isExact };
  }),

  'provider forecast': operation(z.strictObject({ providerId }), ({ providerId: id }, context) => {
    const { accounts, users, lockedOut, turnsPasswordsOn } = context.removalForecasts.ofProvider(
      requireProvider(id, context),
    );
    return {
      provider_id: id,
      linked_accounts: accounts,
      users,
      locked_out: lockedOut,
      turns_passwords_on: turnsPasswordsOn,
      leaves_no_administrator: context.administratorLogins.leavesNoAdministrator({
        affects: 'provider',
        providerId: id,
        settings: null,
      }),
    };
  }),
};
