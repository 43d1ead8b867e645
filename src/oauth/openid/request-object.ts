import { PARAMETERS } from '../../config/input-limits.ts';
import { unverifiedClaims } from '../signing/jws.ts';

/** Where the response to a request belongs. */
interface ResponseParameters {
  readonly state?: string;
  readonly responseMode?: string;
}

/**
 * The parameters of a request object (OpenID Connect Core §6.1) that say how to respond. Request objects are refused,
 * but a client may send these parameters nowhere else, and could not relate the refusal to its request without them.
 * Nothing is verified, because anybody can send them as plain parameters, too.
 * @param requestObject the parameter `request`
 */
export function responseParameters(requestObject: string | undefined): ResponseParameters {
  const { state, response_mode: responseMode } = unverifiedClaims(requestObject ?? '') ?? {};
  return {
    ...(typeof state === 'string' && state.length <= PARAMETERS.state.max && { state }),
    ...(typeof responseMode === 'string' && { responseMode }),
  };
}
