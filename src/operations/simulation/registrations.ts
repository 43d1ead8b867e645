import type { SecurityProfile } from '../../domain/security-settings.ts';
import { english } from '../../language/english.ts';
import { fapi2Problems, withFapi2Defaults, withoutDefaults } from '../../oauth/clients/fapi2-rules.ts';
import type { Client } from '../../projections/clients.ts';

/** An obstacle to giving an application a profile: a field of its registration, with advice. */
export interface RegistrationProblem {
  readonly client: string;
  readonly application: string;
  readonly field: string;
  readonly problem: string;
}

/**
 * Returns the fields of the registrations that the profile refuses, by the rules that decide `client update --profile`.
 */
export function registrationProblems(
  clients: readonly Client[],
  profile: SecurityProfile | null,
): readonly RegistrationProblem[] {
  return profile === null ? [] : clients.filter(({ security }) => security.profile === null).flatMap(problemsOf);
}

function problemsOf(client: Client): readonly RegistrationProblem[] {
  const { clientId, name, authentication } = client;
  const found = fapi2Problems(withFapi2Defaults(withoutDefaults(client)), authentication);
  return Object.entries(found).flatMap(([field, problem]) =>
    problem === undefined ? [] : [{ client: clientId, application: name, field, problem: english.text(problem) }],
  );
}
