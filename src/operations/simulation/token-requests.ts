import type { EpochSeconds } from '../../domain/values.ts';
import { recordedSecond } from './commands.ts';
import { LIFETIME_RULE } from './findings.ts';
import { answeredDifferently, type Difference } from './outcome.ts';
import type { RequestOf } from './recorded-requests.ts';
import type { SimulatedGrant } from './simulated-grants.ts';

/** A request for tokens. */
export type TokenRequest = RequestOf<
  'redemption' | 'device-redemption' | 'refresh' | 'password' | 'client-credentials'
>;

/** Recorded lifetimes may be shorter by this much, as records are written after their requests. */
const MAX_RECORDING_DELAY_SECONDS = 5;

export function describeRefusal(refusal: string, request: TokenRequest, { state }: SimulatedGrant): string {
  const [what, end] = usedCredential(request, state);
  return refusal.endsWith('expired') && typeof end === 'number'
    ? `the ${what} would have expired ${requestTime(request) - end} s before it was used`
    : `the ${what} would have been invalid`;
}

function usedCredential({ kind }: TokenRequest, { code, deviceCode, refresh }: SimulatedGrant['state']) {
  if (kind === 'redemption') return ['code', code?.expiresAt] as const;
  return kind === 'device-redemption'
    ? (['device code', deviceCode?.expiresAt] as const)
    : (['refresh token', refresh?.expiresAt] as const);
}

/** The time of the request, as precisely as its record tells. */
export function requestTime(request: TokenRequest): EpochSeconds {
  return request.kind === 'refresh' ? request.data.rotated.rotatedAt : recordedSecond(request.events[0]);
}

export function lifetimeDifference(before: number, after: number | undefined): readonly Difference[] {
  if (after === undefined || (after >= before && after <= before + MAX_RECORDING_DELAY_SECONDS)) return [];
  return [
    answeredDifferently(LIFETIME_RULE, `the access token would have been valid for ${after} s instead of ${before} s`),
  ];
}

export function isAfterSimulatedExpiry(request: TokenRequest, { accessToken: access }: SimulatedGrant): boolean {
  if (request.kind !== 'refresh' || access === null) return false;
  const { rotatedAt } = request.data.rotated;
  return access.simulatedExpiresAt <= rotatedAt && rotatedAt < access.expiresAt;
}
