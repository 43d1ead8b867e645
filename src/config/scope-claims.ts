import { z } from 'zod';
import { USER_CLAIMS, type UserClaim } from '../domain/profile.ts';
import { message, type Text } from '../language/message.ts';
import { isOpenIdScope, isRestricted, isScopeToken } from '../domain/scope.ts';
import { addSettingName } from './named-problem.ts';

/** The claims about users that each scope gives access to, by the name of the scope. */
type ScopeClaims = Readonly<Record<string, readonly UserClaim[]>>;

export const scopeClaims: z.ZodType<ScopeClaims> = z.record(
  z.string().refine(isScopeToken),
  z.array(z.enum(USER_CLAIMS)).min(1).readonly(),
);

const createProblem = (...parts: Parameters<typeof message>): Text => addSettingName('scopeClaims', message(...parts));

/**
 * Returns the problems with the `scopeClaims` setting.
 * @param scopes the value of the `scopes` setting
 */
export function scopeClaimsProblems(claims: ScopeClaims, scopes: Readonly<Record<string, string>>): readonly Text[] {
  return Object.keys(claims).flatMap((name) => {
    if (isOpenIdScope(name) || isRestricted(name))
      return [createProblem('setting-problem.fixed-claims', { scope: name })];
    return Object.hasOwn(scopes, name)
      ? []
      : [
          createProblem('setting-problem.unknown-scope', {
            scope: JSON.stringify(name),
            choices: Object.keys(scopes).join(', '),
          }),
        ];
  });
}
