import { truncate, PATH_PARAMETERS, type PathParameter } from '../../config/input-limits.ts';
import type { RequestContext } from './state.ts';

/**
 * Returns a decoded parameter of the matched path, or an empty string if the parameter is absent. A value that is too
 * long is truncated, but remains too long to match anything.
 */
export function pathParameter({ state }: RequestContext, name: PathParameter): string {
  const value = state.pathParameters?.[name];
  return typeof value === 'string' ? truncate(value, PATH_PARAMETERS[name]) : '';
}
