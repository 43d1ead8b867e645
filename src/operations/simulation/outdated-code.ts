import { english } from '../../language/english.ts';
import type { Grant } from '../../domain/authorization-grant.ts';
import { codeViolation } from '../../oauth/grant-types/code-rules.ts';
import { explain } from '../../oauth/refusals/refusal-messages.ts';
import type { Client } from '../../projections/clients.ts';
import { newRefusal, type Difference } from './outcome.ts';
import { codeRules, type SimulatedSettings } from './simulated-settings.ts';

/**
 * Returns the refusal of a code that was issued before the simulated period, or undefined if the changed settings allow
 * the code.
 * @param code null if the request has none
 * @param simulatedClient the client as it would have been registered
 */
export function outdatedCodeRefusal(
  code: Grant['code'],
  client: Client | undefined,
  simulatedClient: Client | undefined,
  changedSettings: SimulatedSettings,
): Difference | undefined {
  if (code === null || client === undefined || simulatedClient === undefined) return undefined;
  const findViolation = (version: Client, settings: SimulatedSettings) =>
    codeViolation(code, version, codeRules(settings, code.redirectUri));
  const violation =
    findViolation(client, {}) === undefined ? findViolation(simulatedClient, changedSettings) : undefined;
  return (
    violation &&
    newRefusal(violation.refusal.rule, english.text(violation.message), english.text(explain(violation.refusal).advice))
  );
}
