import type { ParameterName } from '../../src/config/input-limits.ts';
import type { Parameters } from '../../src/oauth/endpoints/parameters.ts';

/** The parameters of a request, keyed by name. */
export type NamedParameters = Readonly<Partial<Record<ParameterName, string>>>;

/** Converts parameters to the type that the server parses requests into. */
export function parametersOf(named: NamedParameters): Parameters {
  return new Map(Object.entries(named) as [ParameterName, string][]);
}
