import { truncate, PATH_PARAMETERS, type PathParameter } from '../../config/input-limits.ts';
import type { RequestContext } from './state.ts';

/**
 * Returns a decoded parameter from the matched path. A value that is too long is truncated. It is still too long to
 * match anything.
 */
export function pathParameter({ state }: RequestContext, name: PathParameter): string {
  const value = state.pathParameters?.[name];
  return typeof value === 'string' ? truncate(value, PATH_PARAMETERS[name]) : '';
}
