import { z } from 'zod';
import { isScopeToken } from '../domain/scope.ts';
import { SCOPED_GRANTS, type ScopedGrant } from '../domain/values.ts';

export const scopeName = z
  .string()
  .refine(isScopeToken, 'a scope name consists of printable ASCII characters, without spaces, quotes or backslashes');

type DefaultScopes = { readonly [Grant in ScopedGrant]?: readonly string[] | undefined };

/** The default scopes of each grant type. A grant type can also be written with underscores, as in a token request. */
export const defaultScopes = z.preprocess(
  (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).map(([grant, names]) => [grant.replaceAll('_', '-'), names]))
      : value,
  z.partialRecord(z.enum(SCOPED_GRANTS), z.array(scopeName)) as z.ZodType<DefaultScopes>,
);
