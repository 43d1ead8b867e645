import type { Endpoint } from './endpoint.ts';
import type { Handler } from './pipeline/state.ts';

/**
 * An endpoint and how it answers. Everything else in the server (errors, CORS, limits, logs, metrics, the OpenAPI
 * document) follows what the route declares. Nothing guesses from an address.
 */
export interface Route extends Endpoint {
  /** The steps in the order in which a request meets them. A step that answers does not call `next`. */
  readonly pipeline: readonly Handler[];
}
