import type { SecurityProfile } from '../../domain/security-settings.ts';
import { english } from '../../language/english.ts';
import { fapi2Problems, withFapi2Defaults, withoutDefaults } from '../../oauth/clients/fapi2-rules.ts';
import type { Client } from '../../projections/clients.ts';

/** A registration field that violates the simulated profile, and why. */
export interface RegistrationProblem {
  readonly client: string;
  readonly application: string;
  readonly field: string;
  readonly problem: string;
}

/** Returns the registration fields that violate the profile, according to the rules of `client update --profile`. */
export function registrationProblems(
  clients: readonly Client[],
  profile: SecurityProfile | null,
): readonly RegistrationProblem[] {
  return profile === null ? [] : clients.filter(({ security }) => security.profile === null).flatMap(findProblems);
}

function findProblems(client: Client): readonly RegistrationProblem[] {
  const { clientId, name, authentication } = client;
  const problems = fapi2Problems(withFapi2Defaults(withoutDefaults(client)), authentication);
  return Object.entries(problems).flatMap(([field, problem]) =>
    problem === undefined ? [] : [{ client: clientId, application: name, field, problem: english.text(problem) }],
  );
}
