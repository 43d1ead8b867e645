import { english } from '../../language/english.ts';
import { AuthorizationError, UnusableRequestError } from '../../oauth/endpoints/authorization-request.ts';
import { OAuthError } from '../../oauth/endpoints/errors.ts';
import { explain } from '../../oauth/refusals/refusal-messages.ts';

/** A difference between the recorded and the simulated outcome of a request. */
export interface Difference {
  readonly outcome: 'refused' | 'answered otherwise';
  /** The name of the rule; for refusals, the name that `grantlog why` uses. */
  readonly rule: string;
  /** A description for the operator. */
  readonly difference: string;
  /** The advice for the application. */
  readonly advice: string;
}

/** The simulated outcome of a request that succeeded. */
export interface RequestOutcome {
  readonly clientId: string;
  /** The application's name. */
  readonly application: string;
  /** The position of the request's first event, and when it was recorded, in milliseconds since the epoch. */
  readonly position: number;
  readonly recordedAt: number;
  readonly differences: readonly Difference[];
  /** The refusal of an earlier request from the same application that would have made this one impossible. */
  readonly followsFrom: Difference | undefined;
  /** Whether the request refreshed an access token that would already have expired. */
  readonly isLateRefresh: boolean;
  /** Whether the simulation has requirements for the login, but the log does not record the login. */
  readonly hasUnknownLogin: boolean;
  /** Whether the profile forbids some of the client's methods, but the log does not record which method was used. */
  readonly hasUnknownAuthentication: boolean;
}

/** An outcome without the data about its request. */
export type SimulationStep = Pick<RequestOutcome, 'differences' | 'followsFrom'> &
  Partial<Pick<RequestOutcome, 'isLateRefresh' | 'hasUnknownLogin' | 'hasUnknownAuthentication'>>;

/** Builds the outcome of a request from its first event and its simulated step. */
export function requestOutcome(
  { position, recordedAt }: Pick<RequestOutcome, 'position' | 'recordedAt'>,
  clientId: string,
  application: string,
  { isLateRefresh = false, hasUnknownLogin = false, hasUnknownAuthentication = false, ...step }: SimulationStep,
): RequestOutcome {
  const flags = { isLateRefresh, hasUnknownLogin, hasUnknownAuthentication };
  return { clientId, application, position, recordedAt, ...flags, ...step };
}

export const newRefusal = (rule: string, difference: string, advice: string): Difference => ({
  outcome: 'refused',
  rule,
  difference,
  advice,
});
export const newDifference = (rule: string, difference: string, advice: string): Difference => ({
  outcome: 'answered otherwise',
  rule,
  difference,
  advice,
});

/**
 * Returns the refusal that `error` reports.
 * @throws `error` itself if it is not a refusal
 */
export function toRefusal(error: unknown): Difference {
  const isRefusal =
    error instanceof OAuthError || error instanceof AuthorizationError || error instanceof UnusableRequestError;
  if (!isRefusal) throw error;
  return newRefusal(error.refusal.rule, error.message, english.text(explain(error.refusal).advice));
}
