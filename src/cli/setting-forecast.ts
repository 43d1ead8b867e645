import { pluralize } from './print.ts';

type Row = Readonly<Record<string, unknown>>;

/** Describes in a sentence how a value would have changed the outcome of recorded requests. */
export function forecastSentence({
  kind,
  because,
  since,
  requests,
  refused,
  answered,
  refused_requests: refusedRequests,
}: Row): string {
  const reason = typeof because === 'string' ? ` (${because})` : '';
  if (kind === 'unknown') return `The log does not show what this would have changed${reason}.`;
  if (kind === 'indifferent') return `No request depends on this setting${reason}.`;
  const period = `${pluralize(Number(requests), 'request')} since ${String(since).slice(0, DATE_LENGTH)}`;
  const [refusedCount, answeredCount] = [Number(refused), Number(answered)];
  if (refusedCount === 0 && answeredCount === 0)
    return `No application would have been refused or would have received a different response (${period}).`;
  const effects = [
    ...(refusedCount === 0
      ? []
      : [
          `${pluralize(refusedCount, 'application')} would have been refused ` +
            `(${pluralize(Number(refusedRequests), 'request')})`,
        ]),
    ...(answeredCount === 0
      ? []
      : [
          `${pluralize(answeredCount, 'application')} would have received ` +
            (answeredCount === 1 ? 'a different response' : 'different responses'),
        ]),
  ];
  return `${effects.join(', and ')}; ${period}.`;
}

/** The length of the date in an ISO 8601 time. */
const DATE_LENGTH = 10;
