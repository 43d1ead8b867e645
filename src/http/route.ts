import type { Endpoint } from './endpoint.ts';
import type { Handler } from './pipeline/state.ts';

/**
 * An endpoint and its handlers. The shared parts of the server (error formats, CORS, limits, logs, metrics, the OpenAPI
 * document) rely on the declared properties of a route rather than on its path.
 */
export interface Route extends Endpoint {
  /** The route's own steps, in order. A step that responds does not call `next`. */
  readonly pipeline: readonly Handler[];
}
