import { Counter, type Registry } from 'prom-client';
import { registerHistogram, type Series } from './labeled-histogram.ts';

/** How an access token is bound to its sender: not at all, to the key of a proof, or to a certificate. */
export type TokenBinding = 'none' | 'dpop' | 'tls';

/** Counts requests when they are complete. */
export interface RequestMeter {
  /** Declares a route pattern. Requests to other routes are counted as `other`. */
  declare(route: string): void;
  countResponse(route: string | undefined, method: string, status: number, milliseconds: number): void;
  /**
   * Counts a request that authenticated its client. The method is a constant in the code, not a value from the request.
   */
  countAuthentication(method: string): void;
  /** Counts an access token that the token endpoint issued for `grantType`. */
  countToken(grantType: string, binding: TokenBinding): void;
  /** Like `countToken`, for an ID token that was issued with the access token. */
  countIdToken(grantType: string): void;
  /** Counts an OAuth error from any endpoint. */
  countRefusal(error: string): void;
}

/** In seconds. A response takes a fraction of a millisecond from memory, a few with fsync, and tens with argon2. */
const REQUEST_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

const METHODS = ['other', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const OTHER = 'other';

interface Route {
  readonly name: string;
  readonly seconds: Series;
  /** By a number that combines method and status, so that a lookup allocates nothing. */
  readonly counts: Map<number, Count>;
}

/** The increments since the last collection. */
interface Count {
  readonly labels: Readonly<Record<string, string>>;
  pending: number;
}

export function createRequestMeter(registry: Registry): RequestMeter {
  const newCount = createCounter(
    'grantlog_http_requests_total',
    'Requests answered, by route, method and status.',
    ['route', 'method', 'status'],
    registry,
  );
  const addDurations = registerHistogram(
    {
      name: 'grantlog_http_request_duration_seconds',
      help: 'Time from the head of a request to the complete response.',
      label: 'route',
      buckets: REQUEST_BUCKETS,
    },
    registry,
  );
  const tokens = createLabeledCounter(
    'grantlog_tokens_issued_total',
    'Access tokens issued by the token endpoint, by grant type.',
    'grant_type',
    registry,
  );
  const bindings = createLabeledCounter(
    'grantlog_tokens_issued_by_binding_total',
    'The same access tokens, by what they are bound to: a DPoP key, a TLS certificate, or none.',
    'binding',
    registry,
  );
  const authentications = createLabeledCounter(
    'grantlog_client_authentications_total',
    'Requests that authenticated their client, by method; none is a public client.',
    'method',
    registry,
  );
  const idTokens = createLabeledCounter(
    'grantlog_id_tokens_issued_total',
    'ID tokens in token responses, even in repeated ones, by grant type.',
    'grant_type',
    registry,
  );
  const refusals = createLabeledCounter(
    'grantlog_oauth_refusals_total',
    'OAuth errors, by error code.',
    'error',
    registry,
  );

  const otherRoute = newRoute(OTHER);
  const routes = new Map<string, Route>();

  function newRoute(route: string): Route {
    return { name: route, seconds: addDurations(route), counts: new Map() };
  }

  return {
    declare(route) {
      if (!routes.has(route)) routes.set(route, newRoute(route));
    },

    countResponse(route, method, status, milliseconds) {
      const declaredRoute = route === undefined ? undefined : routes.get(route);
      const { seconds, counts } = declaredRoute ?? otherRoute;
      seconds.observe(milliseconds / 1000);
      const methodIndex = Math.max(METHODS.indexOf(method), 0);
      const key = methodIndex * 1000 + status;
      let count = counts.get(key);
      if (count === undefined) {
        count = newCount({
          route: declaredRoute?.name ?? OTHER,
          method: METHODS[methodIndex] ?? OTHER,
          status: String(status),
        });
        counts.set(key, count);
      }
      count.pending += 1;
    },

    countAuthentication: authentications,
    countToken(grantType, binding) {
      tokens(grantType);
      bindings(binding);
    },
    countIdToken: idTokens,
    countRefusal: refusals,
  };
}

/**
 * Creates a counter, and returns a function that adds a combination of labels to it. The counter is updated only when
 * it is collected, because prom-client hashes the labels at every update.
 */
function createCounter(
  name: string,
  help: string,
  labelNames: string[],
  registry: Registry,
): (labels: Count['labels']) => Count {
  const counts: Count[] = [];
  const promCounter = new Counter({
    name,
    help,
    labelNames,
    registers: [],
    collect() {
      for (const count of counts) {
        this.inc({ ...count.labels }, count.pending);
        count.pending = 0;
      }
    },
  });
  registry.registerMetric(promCounter);
  return (labels) => {
    const count = { labels, pending: 0 };
    counts.push(count);
    return count;
  };
}

/**
 * Creates a counter with one label, and returns a function that adds one for a value of the label. The values come from
 * the code and never from requests.
 */
function createLabeledCounter(name: string, help: string, label: string, registry: Registry): (value: string) => void {
  const newCount = createCounter(name, help, [label], registry);
  const counts = new Map<string, Count>();
  return (value) => {
    let count = counts.get(value);
    if (count === undefined) {
      count = newCount({ [label]: value });
      counts.set(value, count);
    }
    count.pending += 1;
  };
}
