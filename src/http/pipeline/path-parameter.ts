import { truncateBeyond, PATH_PARAMETERS, type PathParameter } from '../../config/input-limits.ts';
import type { RequestContext } from './state.ts';

/** A decoded parameter of the matched path. A value that is too long is cut. It is still too long to match anything. */
export function pathParameter(ctx: RequestContext, name: PathParameter): string {
  const { [name]: value = '' } = (ctx['params'] ?? {}) as Readonly<Record<string, string | undefined>>;
  return truncateBeyond(value, PATH_PARAMETERS[name]);
}
