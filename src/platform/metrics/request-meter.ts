import { Counter, type Registry } from 'prom-client';
import { registerHistogram, type Series } from './labeled-histogram.ts';

/** How an access token is bound to its sender: not at all, to a DPoP key, or to a TLS certificate. */
export type TokenBinding = 'none' | 'dpop' | 'tls';

/** Counts completed requests. */
export interface RequestMeter {
  /** Declares a route pattern. Requests to other routes are counted as `other`. */
  declare(route: string): void;
  countResponse(route: string | undefined, method: string, status: number, milliseconds: number): void;
  /**
   * Counts a request that authenticated its client. `method` is a constant in the code, not a value from the request.
   */
  countAuthentication(method: string): void;
  /** Counts an access token that the token endpoint issued for `grantType`. */
  countToken(grantType: string, binding: TokenBinding): void;
  /** Counts an ID token that was issued with the access token. */
  countIdToken(grantType: string): void;
  /** Counts an OAuth error from any endpoint. */
  countRefusal(error: string): void;
}

/**
 * In seconds. A response takes a fraction of a millisecond from memory, a few milliseconds with an fsync, and tens of
 * milliseconds with argon2.
 */
const REQUEST_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

const METHODS = ['other', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const OTHER = 'other';

interface Route {
  readonly name: string;
  readonly seconds: Series;
  /** Each key combines method and status in one number, so that lookups allocate nothing. */
  readonly counts: Map<number, Count>;
}

/** The number of increments since the last collection, for one combination of labels. */
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
  const addDurationSeries = registerHistogram(
    {
      name: 'grantlog_http_request_duration_seconds',
      help: 'Time from the head of a request to the complete response.',
      label: 'route',
      buckets: REQUEST_BUCKETS,
    },
    registry,
  );
  const countByGrantType = createLabeledCounter(
    'grantlog_tokens_issued_total',
    'Access tokens issued by the token endpoint, by grant type.',
    'grant_type',
    registry,
  );
  const countByBinding = createLabeledCounter(
    'grantlog_tokens_issued_by_binding_total',
    'Access tokens issued by the token endpoint, by binding: to a DPoP key, to a TLS certificate, or none.',
    'binding',
    registry,
  );
  const countAuthentication = createLabeledCounter(
    'grantlog_client_authentications_total',
    'Requests that authenticated their client, by method; none means a public client.',
    'method',
    registry,
  );
  const countIdToken = createLabeledCounter(
    'grantlog_id_tokens_issued_total',
    'ID tokens in token responses, including repeated responses, by grant type.',
    'grant_type',
    registry,
  );
  const countRefusal = createLabeledCounter(
    'grantlog_oauth_refusals_total',
    'OAuth errors, by error code.',
    'error',
    registry,
  );

  const otherRoute = newRoute(OTHER);
  const routes = new Map<string, Route>();

  function newRoute(route: string): Route {
    return { name: route, seconds: addDurationSeries(route), counts: new Map() };
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

    countAuthentication,
    countToken(grantType, binding) {
      countByGrantType(grantType);
      countByBinding(binding);
    },
    countIdToken,
    countRefusal,
  };
}

/**
 * Creates a counter, and returns a function that adds a combination of labels to it. The counter is updated only when
 * it is collected, because prom-client hashes the labels on every update.
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
 * Creates a counter with one label, and returns a function that increments it for a value of the label. The values come
 * from the code and never from requests.
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
