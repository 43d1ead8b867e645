import { english } from '../../language/english.ts';
import type { Text } from '../../language/message.ts';

/** The outcomes of outgoing requests, in metrics and in recorded deliveries. */
export const EGRESS_OUTCOMES = [
  'ok',
  'cached',
  'url-refused',
  'address-refused',
  'name-unresolved',
  'connection-failed',
  'timed-out',
  'redirected',
  'error-status',
  'too-large',
  'malformed',
  'overloaded',
  'rate-limited',
] as const;
export type EgressOutcome = (typeof EGRESS_OUTCOMES)[number];
export type EgressFailure = Exclude<EgressOutcome, 'ok' | 'cached'>;

/** Thrown when an outgoing request fails. */
export class EgressError extends Error {
  override readonly name = 'EgressError';
  readonly outcome: EgressFailure;
  /** In English, the end of a sentence that starts with the URL; in other languages, a sentence about the URL. */
  readonly problem: Text;
  /** The HTTP status of the response, if the request failed because of it. */
  readonly status: number | undefined;

  constructor(outcome: EgressFailure, problem: Text, status?: number) {
    super(english.text(problem));
    this.outcome = outcome;
    this.problem = problem;
    this.status = status;
  }
}

type LocalLimit = Extract<EgressFailure, 'overloaded' | 'rate-limited'>;

/**
 * Reports whether this server caused the failure, because of one of its limits or because it is stopping. If so, a
 * later request may succeed.
 */
export function isLocalLimit(outcome: EgressFailure): outcome is LocalLimit {
  return outcome === 'overloaded' || outcome === 'rate-limited';
}
