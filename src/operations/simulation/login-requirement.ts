import { isAtLeast, type LoginClass } from '../../domain/login.ts';
import { recordedSecond } from '../../domain/recorded-second.ts';
import { newDifference, type RequestOutcome } from './outcome.ts';
import type { RequestOf } from './recorded-requests.ts';

/** The login that every authorization request would have required (OpenID Connect Core §3.1.2.1, §5.5.1.1). */
export interface LoginRequirement {
  /** Requested as an essential claim. */
  readonly acr?: LoginClass | undefined;
  readonly maxAgeSeconds?: number | undefined;
}

const FACTORS: Readonly<Record<LoginClass, string>> = {
  pwd: 'the password',
  mfa: 'a second factor',
  phr: 'a passkey',
};

type Outcome = Pick<RequestOutcome, 'differences' | 'followsFrom'>;

/**
 * Returns the step with the differences that the requirement would have caused. A user who would have had to log in
 * again is assumed to have done so.
 */
export function withRequirement<Step extends Outcome>(
  { acr, maxAgeSeconds }: LoginRequirement,
  { data, events: [first] }: RequestOf<'authorization' | 'device-authorization'>,
  step: Step,
): Step & { readonly hasUnknownLogin?: boolean } {
  const { basis, login } = data.consent;
  const isImpossible = step.followsFrom !== undefined || step.differences.some(({ outcome }) => outcome === 'refused');
  const isRequired = acr !== undefined || maxAgeSeconds !== undefined;
  if (!isRequired || basis === 'password' || isImpossible) return step;
  if (login === undefined) return { ...step, hasUnknownLogin: true };
  const isTooOld = maxAgeSeconds !== undefined && recordedSecond(first) - login.authTime > maxAgeSeconds;
  const missingFactor = acr === undefined || isAtLeast(login.acr, acr) ? undefined : FACTORS[acr];
  const differences = [
    ...(isTooOld
      ? [newDifference('login-age', `the user would have had to log in again; ${PROMPT_NONE_EFFECT}`, ADVICE)]
      : []),
    ...(missingFactor === undefined
      ? []
      : [
          newDifference(
            'login-class',
            `the user would have had to log in with ${missingFactor}; ${PROMPT_NONE_EFFECT}`,
            ADVICE,
          ),
        ]),
  ];
  return { ...step, differences: [...step.differences, ...differences] };
}

/** The advice for an application that sends prompt=none. */
const ADVICE = 'After login_required, send the request again without prompt=none.';
const PROMPT_NONE_EFFECT = 'with prompt=none, the request would have been refused';
