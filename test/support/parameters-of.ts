import type { ParameterName } from '../../src/config/input-limits.ts';
import type { Parameters } from '../../src/oauth/endpoints/parameters.ts';

/** The parameters of a request by name. */
export type NamedParameters = Readonly<Partial<Record<ParameterName, string>>>;

/** Returns parameters in the format in which the server reads them from a request. */
export function parametersOf(named: NamedParameters): Parameters {
  return new Map(Object.entries(named) as [ParameterName, string][]);
}
