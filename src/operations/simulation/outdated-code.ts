import { english } from '../../language/english.ts';
import type { Grant } from '../../domain/authorization-grant.ts';
import { codeViolation } from '../../oauth/grant-types/code-rules.ts';
import { explain } from '../../oauth/refusals/refusal-messages.ts';
import type { Client } from '../../projections/clients.ts';
import { refused, type Difference } from './outcome.ts';
import { codeRules, type SimulatedSettings } from './simulated-settings.ts';

/**
 * Refuses a code that was issued before the window and that the changed settings do not allow.
 * @param code null for requests without one
 * @param secured the client as it would have been registered
 */
export function outdatedCode(
  code: Grant['code'],
  client: Client | undefined,
  secured: Client | undefined,
  changed: SimulatedSettings,
): Difference | undefined {
  if (code === null || client === undefined || secured === undefined) return undefined;
  const violation = (of: Client, settings: SimulatedSettings) =>
    codeViolation(code, of, codeRules(settings, code.redirectUri));
  const found = violation(client, {}) === undefined ? violation(secured, changed) : undefined;
  return found && refused(found.refusal.rule, english.text(found.message), english.text(explain(found.refusal).advice));
}
