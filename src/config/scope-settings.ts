import { z } from 'zod';
import { USER_CLAIMS } from '../domain/profile.ts';
import { SCOPED_GRANTS } from '../domain/values.ts';
import { SAMPLE_SCOPES } from './built-in-scopes.ts';
import { defaultScopes, scopeName } from './default-scopes.ts';
import { scopeClaims } from './scope-claims.ts';
import { SCOPE_ICONS, scopeDisplay } from './scope-display.ts';
import { runTime, setting } from './setting.ts';

/** The settings of scopes: their names and descriptions, and what they give access to. */
export const scopeSettings = {
  scopes: runTime(
    setting({
      schema: z.record(scopeName, z.string().min(1)).refine((scopes) => Object.keys(scopes).length > 0),
      default: SAMPLE_SCOPES,
      expects: 'a map from scope name to description with at least one entry, in JSON: {"read":"Read your data"}',
      description:
        'The scopes that the server recognizes, with the descriptions that the consent page shows. It shows ' +
        'what a scope gives in the sample API instead of a default description.',
    }),
  ),
  defaultScopes: runTime(
    setting({
      schema: defaultScopes,
      default: {
        'authorization-code': ['read', 'write'],
        'client-credentials': ['read', 'write'],
        password: ['read', 'write', 'groups'],
        'device-code': ['read', 'write'],
      },
      expects:
        `a map from grant type (${SCOPED_GRANTS.join(', ')}) to a list of scope names, ` +
        'in JSON: {"password":["read"]}',
      description: 'The scopes of a request without a scope parameter; an empty list makes the parameter mandatory.',
    }),
  ),
  scopeDisplay: runTime(
    setting({
      schema: scopeDisplay,
      default: {},
      expects:
        `a map from scope name to an icon (${SCOPE_ICONS.join(', ')}) and a sensitivity ` +
        '(normal, sensitive), in JSON: ' +
        '{"payments":{"icon":"card","sensitivity":"sensitive"}}',
      description:
        'How the consent page shows a scope: with an icon, and marked as sensitive if users should think twice.',
    }),
  ),
  scopeClaims: runTime(
    setting({
      schema: scopeClaims,
      default: {},
      expects: `a map from scope name to a list of claims (${USER_CLAIMS.join(', ')}), in JSON: {"staff":["name"]}`,
      description: 'The claims about a user that your own scopes give access to (OpenID Connect).',
    }),
  ),
  readScope: setting({
    schema: scopeName,
    default: 'read',
    expects: 'a scope name',
    description: 'The scope that the read-write policy requires for GET, HEAD and OPTIONS.',
  }),
  writeScope: setting({
    schema: scopeName,
    default: 'write',
    expects: 'a scope name',
    description: 'The scope that the read-write policy requires for every other method.',
  }),
} as const;
