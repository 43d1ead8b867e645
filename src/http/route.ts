import type { Endpoint } from './endpoint.ts';
import type { Handler } from './pipeline/state.ts';

/**
 * An endpoint and its handlers. Everything else in the server (errors, CORS, limits, logs, metrics, the OpenAPI
 * document) follows from the declaration of the route, and nothing is inferred from a path.
 */
export interface Route extends Endpoint {
  /** The steps, in the order in which they handle a request. A step that responds does not call `next`. */
  readonly pipeline: readonly Handler[];
}
