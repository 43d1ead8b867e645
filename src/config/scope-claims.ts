import { z } from 'zod';
import { USER_CLAIMS, type UserClaim } from '../domain/profile.ts';
import { isOpenIdScope, isRestricted, isScopeToken } from '../domain/scope.ts';

/** Claims about users, by the scope that gives access to them. */
type ScopeClaims = Readonly<Record<string, readonly UserClaim[]>>;

export const scopeClaims: z.ZodType<ScopeClaims> = z.record(
  z.string().refine(isScopeToken),
  z.array(z.enum(USER_CLAIMS)).min(1).readonly(),
);

/** @param scopes the operator's own */
export function scopeClaimsProblems(mapped: ScopeClaims, scopes: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(mapped).flatMap((name) => {
    if (isOpenIdScope(name) || isRestricted(name))
      return [`scopeClaims: what ${name} gives access to cannot be changed; map a scope of your own`];
    return Object.hasOwn(scopes, name)
      ? []
      : [`scopeClaims: ${JSON.stringify(name)} is not one of the scopes (${Object.keys(scopes).join(', ')})`];
  });
}
