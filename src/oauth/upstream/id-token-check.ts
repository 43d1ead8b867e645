import { timingSafeEqual } from 'node:crypto';
import type { EpochSeconds } from '../../domain/values.ts';
import { message, type Text } from '../../language/message.ts';
import type { UpstreamProvider } from '../../projections/upstream-providers.ts';
import { formatList } from '../refusals/list-text.ts';
import { sanitize, sanitizeMember } from '../refusals/sanitize.ts';
import type { UpstreamCheck } from '../refusals/upstream-refusal.ts';
import { isMultiTenant, tenantIssuer } from './presets.ts';

export type UpstreamClaims = Readonly<Record<string, unknown>>;

/** The verified claims that identify the account at the provider. */
export interface VerifiedClaims {
  readonly issuer: string;
  readonly subject: string;
}

export interface FailedCheck {
  readonly check: UpstreamCheck;
  readonly expected: Text;
  readonly seen: Text;
}

/** The maximum tolerated difference between the clocks of a provider and this server. */
const CLOCK_TOLERANCE_SECONDS = 60;
/** A token is issued when the code is redeemed. An older token may be from a different login. */
const MAX_AGE_SECONDS = 600;
/** The maximum length of `sub` (OpenID Connect Core §2). */
const MAX_SUBJECT_LENGTH = 255;

/** Checks the claims as OpenID Connect Core §3.1.3.7 requires. Does not check the signature. */
export function checkClaims(
  claims: UpstreamClaims,
  provider: Pick<UpstreamProvider, 'preset' | 'issuer' | 'tenants' | 'clientId'>,
  expected: { readonly nonce: string; readonly now: EpochSeconds },
): VerifiedClaims | { readonly failed: FailedCheck } {
  const { iss, sub, aud, azp, exp, iat, nonce } = claims;
  const { clientId } = provider;
  const { now } = expected;

  const tenant = claims['tid'];
  const tenants = provider.tenants.join(', ');
  if (isMultiTenant(provider) && (typeof tenant !== 'string' || !provider.tenants.includes(tenant)))
    return fail('tenant', message('upstream-check.tenant', { tenants }), sanitizeMember(tenant));
  const issuer = tenantIssuer(provider, String(tenant));
  if (iss !== issuer) return fail('issuer', `iss ${issuer}`, describeClaim('iss', iss));
  const audience: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audience.includes(clientId)) return fail('audience', `aud ${clientId}`, describeAudience(audience));
  if ((audience.length > 1 || azp !== undefined) && azp !== clientId)
    return fail('authorized-party', `azp ${clientId}`, describeClaim('azp', azp));
  if (typeof exp !== 'number' || now >= exp + CLOCK_TOLERANCE_SECONDS)
    return fail('expiry', message('upstream-check.future'), describeAge('exp', exp, now));
  if (typeof iat !== 'number' || iat > now + CLOCK_TOLERANCE_SECONDS || iat < now - MAX_AGE_SECONDS)
    return fail(
      'issue-time',
      message('upstream-check.newest', { seconds: MAX_AGE_SECONDS }),
      describeAge('iat', iat, now),
    );
  if (typeof nonce !== 'string' || !equalsInConstantTime(nonce, expected.nonce))
    return fail('nonce', message('upstream-check.nonce'), describeMismatch('nonce', nonce));
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT_LENGTH)
    return fail(
      'subject',
      message('upstream-check.subject', { limit: MAX_SUBJECT_LENGTH }),
      message(sub === undefined ? 'upstream-check.no-claim' : 'upstream-check.claim-form', { claim: 'sub' }),
    );
  return { issuer, subject: sub };
}

function equalsInConstantTime(left: string, right: string): boolean {
  const [leftBytes, rightBytes] = [Buffer.from(left), Buffer.from(right)];
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes);
}

function describeClaim(claim: string, value: unknown): Text {
  return message('upstream-check.claim', { claim, value: sanitizeMember(value) });
}

function describeAudience(audience: readonly unknown[]): Text {
  const areStrings = audience.every((value) => typeof value === 'string');
  const value = areStrings ? sanitize(audience.join(' ')) : formatList(audience.slice(0, 3).map(sanitizeMember));
  return message('upstream-check.claim', { claim: 'aud', value });
}

function describeAge(claim: string, at: unknown, now: EpochSeconds): Text {
  if (typeof at !== 'number') return message('upstream-check.no-claim', { claim });
  return at > now
    ? message('upstream-check.seconds-ahead', { claim, seconds: at - now })
    : message('upstream-check.seconds-ago', { claim, seconds: now - at });
}

function describeMismatch(claim: string, value: unknown): Text {
  return message(value === undefined ? 'upstream-check.no-claim' : 'upstream-check.another-claim', { claim });
}

function fail(check: UpstreamCheck, expected: Text, seen: Text): { readonly failed: FailedCheck } {
  return { failed: { check, expected, seen } };
}
