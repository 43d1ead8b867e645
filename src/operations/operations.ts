import type { z } from 'zod';
import type { CommandContext } from '../event-store/command-handler.ts';
import type { OperationContext, OperationDeps } from './operation-context.ts';
import { accessOperations } from './access.ts';
import { archiveOperations } from './archive.ts';
import { attestationOperations } from './attestation.ts';
import { backupOperations } from './backup.ts';
import { clientMemberOperations } from './client-members.ts';
import { clientKeyOperations } from './client-keys.ts';
import { clientStatusOperations } from './client-status.ts';
import { clientOperations } from './clients.ts';
import { clockOperations } from './clock.ts';
import { brandTextOperations } from './brand-texts.ts';
import { blastRadiusOperations } from './blast-radius.ts';
import { exchangeChainOperations } from './exchange-chain.ts';
import { domainOperations } from './domains.ts';
import { doctorOperations } from './doctor.ts';
import { exchangePolicyOperations } from './exchange-policies.ts';
import { groupOperations } from './groups.ts';
import { importOperations } from './import.ts';
import { invitationOperations } from './invitations.ts';
import { findInspection, inspections } from './inspections.ts';
import { mailOperations } from './mail.ts';
import { logOperations } from './log.ts';
import { logoutOperations } from './logouts.ts';
import { BY_OPERATOR, type Operation } from './operation.ts';
import { LogUnreachable } from '../event-store/log-unreachable.ts';
import { OperationRefused } from './control/operation-refused.ts';
import { providerOperations } from './providers.ts';
import { providerRequirementOperations } from './provider-requirement.ts';
import { refusalOperations } from './refusals.ts';
import { removalForecastOperations } from './removal-forecasts.ts';
import { resourceOperations } from './resources.ts';
import { secondFactorOperations } from './second-factors.ts';
import { scopeOperations } from './scopes.ts';
import { settingOperations } from './settings.ts';
import { signingKeyOperations } from './signing-keys.ts';
import { trustedIssuerOperations } from './trusted-issuers.ts';
import { userProfile } from './user-profile.ts';
import { userAgentOperations } from './user-agents.ts';
import { userSessionOperations } from './user-sessions.ts';
import { userOperations } from './users.ts';

/** Every operation except the inspections, by the name of its command. */
const operations = new Map<string, Operation>(
  [
    userOperations,
    accessOperations,
    secondFactorOperations,
    { 'user profile': userProfile },
    userAgentOperations,
    userSessionOperations,
    invitationOperations,
    groupOperations,
    clientOperations,
    clientStatusOperations,
    clientMemberOperations,
    clientKeyOperations,
    resourceOperations,
    removalForecastOperations,
    domainOperations,
    exchangePolicyOperations,
    trustedIssuerOperations,
    providerOperations,
    providerRequirementOperations,
    logoutOperations,
    logOperations,
    attestationOperations,
    exchangeChainOperations,
    blastRadiusOperations,
    archiveOperations,
    backupOperations,
    refusalOperations,
    importOperations,
    mailOperations,
    doctorOperations,
    clockOperations,
    signingKeyOperations,
    settingOperations,
    scopeOperations,
    brandTextOperations,
  ].flatMap((table) => Object.entries(table)),
);

/** Returns the names of all operations. */
export function operationNames(): readonly string[] {
  return [...operations.keys(), ...Object.keys(inspections)];
}

/**
 * Returns an operation's input schema.
 * @throws RangeError if there is no such operation
 */
export function inputSchemaOf(name: string): z.ZodType {
  const { input } = operations.get(name) ?? findInspection(name) ?? {};
  if (input === undefined) throw new RangeError(`there is no operation ${JSON.stringify(name)}`);
  return input;
}

/**
 * Returns a function that runs operations by name. Results are JSON values.
 * @param cause recorded with the events that the operations append
 * @throws OperationRefused while iterating, if the operation is refused; the message tells the operator what to do
 */
export function operate(deps: OperationDeps, cause: CommandContext = BY_OPERATOR) {
  const context: OperationContext = { ...deps, cause };
  return async function* (name: string, input: unknown, signal: AbortSignal): AsyncGenerator<unknown, void, void> {
    const inspection = findInspection(name);
    if (inspection !== undefined)
      return yield* inspection(
        input,
        { ...context.inspection, projectionsAsOf: context.projectionsAsOf, issuer: context.issuer },
        signal,
      );
    const operation = operations.get(name);
    if (operation === undefined) throw new OperationRefused(`unknown operation ${JSON.stringify(name)}`);
    if (context.freshness !== undefined) await catchUpOrRefuse(context.freshness);
    yield* operation(input, context, signal);
  };
}

/** Catches up with the log, so that the operation sees the earlier changes of all nodes. */
function catchUpOrRefuse({ catchUp }: NonNullable<OperationContext['freshness']>): Promise<void> {
  return catchUp().catch((error: unknown) => {
    throw error instanceof LogUnreachable ? new OperationRefused(`${error.message}; try again`) : error;
  });
}
