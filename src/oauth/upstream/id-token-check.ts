import { timingSafeEqual } from 'node:crypto';
import type { EpochSeconds } from '../../domain/values.ts';
import type { UpstreamProvider } from '../../projections/upstream-providers.ts';
import { sanitize, sanitizeMember } from '../refusals/sanitize.ts';
import type { UpstreamCheck } from '../refusals/upstream-refusal.ts';
import { hasSeveralTenants, issuerOfTenant } from './presets.ts';

export type UpstreamClaims = Readonly<Record<string, unknown>>;

/** The verified claims that identify the account at the provider. */
export interface VerifiedClaims {
  readonly issuer: string;
  readonly subject: string;
}

export interface FailedCheck {
  readonly check: UpstreamCheck;
  readonly expected: string;
  readonly seen: string;
}

/** The clocks of providers may differ by this much. */
const CLOCK_TOLERANCE_SECONDS = 60;
/** A token is issued when the code is redeemed. An older token may be from another login. */
const MAX_AGE_SECONDS = 600;
/** OpenID Connect Core §2. */
const MAX_SUBJECT_LENGTH = 255;

/** The checks of OpenID Connect Core §3.1.3.7, except the check of the signature. */
export function checkClaims(
  claims: UpstreamClaims,
  provider: Pick<UpstreamProvider, 'preset' | 'issuer' | 'tenants' | 'clientId'>,
  expected: { readonly nonce: string; readonly now: EpochSeconds },
): VerifiedClaims | { readonly failed: FailedCheck } {
  const { iss, sub, aud, azp, exp, iat, nonce } = claims;
  const { clientId } = provider;
  const { now } = expected;

  const tenant = claims['tid'];
  if (hasSeveralTenants(provider) && (typeof tenant !== 'string' || !provider.tenants.includes(tenant)))
    return fail('tenant', `tid of ${provider.tenants.join(', ')}`, sanitizeMember(tenant));
  const issuer = issuerOfTenant(provider, String(tenant));
  if (iss !== issuer) return fail('issuer', `iss ${issuer}`, `iss ${sanitizeMember(iss)}`);
  const audience: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audience.includes(clientId)) return fail('audience', `aud ${clientId}`, audienceText(audience));
  if ((audience.length > 1 || azp !== undefined) && azp !== clientId)
    return fail('authorized-party', `azp ${clientId}`, `azp ${sanitizeMember(azp)}`);
  if (typeof exp !== 'number' || now >= exp + CLOCK_TOLERANCE_SECONDS)
    return fail('expiry', 'exp in the future', typeof exp === 'number' ? `exp ${now - exp} seconds ago` : 'no exp');
  if (typeof iat !== 'number' || iat > now + CLOCK_TOLERANCE_SECONDS || iat < now - MAX_AGE_SECONDS)
    return fail('issue-time', `iat at most ${MAX_AGE_SECONDS} seconds ago`, ageText(iat, now));
  if (typeof nonce !== 'string' || !isSame(nonce, expected.nonce))
    return fail('nonce', 'the nonce of this login', nonce === undefined ? 'no nonce' : 'another nonce');
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT_LENGTH)
    return fail('subject', `sub of 1 to ${MAX_SUBJECT_LENGTH} characters`, 'another sub');
  return { issuer, subject: sub };
}

function isSame(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function audienceText(audience: readonly unknown[]): string {
  return `aud ${sanitize(audience.map((each) => (typeof each === 'string' ? each : 'not a string')).join(' '))}`;
}

function ageText(iat: unknown, now: EpochSeconds): string {
  return typeof iat === 'number' ? `iat ${now - iat} seconds ago` : 'no iat';
}

function fail(check: UpstreamCheck, expected: string, seen: string): { readonly failed: FailedCheck } {
  return { failed: { check, expected, seen } };
}
