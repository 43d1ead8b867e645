import { Counter, type Registry } from 'prom-client';
import { labelledHistogram, type Series } from './labelled-histogram.ts';

/** Counts requests as they are answered, in a tenth of a microsecond each. */
export interface RequestMeter {
  /** Makes a route's pattern a name that requests are counted under; whatever is not declared counts as `other`. */
  declare(route: string): void;
  answered(route: string | undefined, method: string, status: number, milliseconds: number): void;
  /** `grantType` is one that the token endpoint has, for it has just answered with a token. */
  tokenIssued(grantType: string): void;
  /** A refusal in the protocol's words, at whichever endpoint. */
  refused(error: string): void;
}

/**
 * In seconds; an answer from memory takes a fraction of a millisecond, one with an fsync a few, one with argon2 tens.
 */
const REQUEST_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

const METHODS = ['other', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const OTHER = 'other';

interface Route {
  readonly name: string;
  readonly seconds: Series;
  /** By method and status together: a look-up by a number and nothing to allocate. */
  readonly counts: Map<number, Count>;
}

/** What happened since it was last asked for. */
interface Count {
  readonly labels: Readonly<Record<string, string>>;
  news: number;
}

export function createRequestMeter(registry: Registry): RequestMeter {
  const newCount = counter(
    'grantlog_http_requests_total',
    'Requests answered, by route, method and status.',
    ['route', 'method', 'status'],
    registry,
  );
  const durationsOf = labelledHistogram(
    {
      name: 'grantlog_http_request_duration_seconds',
      help: 'From the head of a request to its answer being ready.',
      label: 'route',
      buckets: REQUEST_BUCKETS,
    },
    registry,
  );
  const tokens = counted(
    'grantlog_tokens_issued_total',
    'Access tokens answered by the token endpoint, by grant type.',
    'grant_type',
    registry,
  );
  const refusals = counted(
    'grantlog_oauth_refusals_total',
    "Refusals in the protocol's words, by error code.",
    'error',
    registry,
  );

  const other = newRoute(OTHER);
  const routes = new Map<string, Route>();

  function newRoute(route: string): Route {
    return { name: route, seconds: durationsOf(route), counts: new Map() };
  }

  return {
    declare(route) {
      if (!routes.has(route)) routes.set(route, newRoute(route));
    },

    answered(route, method, status, milliseconds) {
      const known = route === undefined ? undefined : routes.get(route);
      const { seconds, counts } = known ?? other;
      seconds.observe(milliseconds / 1000);
      const methodAt = Math.max(METHODS.indexOf(method), 0);
      const key = methodAt * 1000 + status;
      let count = counts.get(key);
      if (count === undefined) {
        count = newCount({ route: known?.name ?? OTHER, method: METHODS[methodAt] ?? OTHER, status: String(status) });
        counts.set(key, count);
      }
      count.news += 1;
    },

    tokenIssued: tokens,
    refused: refusals,
  };
}

/** A counter that is told when it is read: telling it each time would have it hash the labels each time. */
function counter(
  name: string,
  help: string,
  labelNames: string[],
  registry: Registry,
): (labels: Count['labels']) => Count {
  const counts: Count[] = [];
  const told = new Counter({
    name,
    help,
    labelNames,
    registers: [],
    collect() {
      for (const count of counts) {
        this.inc({ ...count.labels }, count.news);
        count.news = 0;
      }
    },
  });
  registry.registerMetric(told);
  return (labels) => {
    const count = { labels, news: 0 };
    counts.push(count);
    return count;
  };
}

/** A counter of one label, whose values come from code and never from a caller. */
function counted(name: string, help: string, label: string, registry: Registry): (value: string) => void {
  const newCount = counter(name, help, [label], registry);
  const counts = new Map<string, Count>();
  return (value) => {
    let count = counts.get(value);
    if (count === undefined) {
      count = newCount({ [label]: value });
      counts.set(value, count);
    }
    count.news += 1;
  };
}
