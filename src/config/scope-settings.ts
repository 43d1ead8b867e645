import { z } from 'zod';
import { USER_CLAIMS } from '../domain/profile.ts';
import { SCOPED_GRANTS } from '../domain/values.ts';
import { message } from '../language/message.ts';
import { SAMPLE_SCOPES } from './built-in-scopes.ts';
import { defaultScopes, scopeName } from './default-scopes.ts';
import { scopeClaims } from './scope-claims.ts';
import { SCOPE_ICONS, scopeDisplay } from './scope-display.ts';
import { runTime, setting } from './setting.ts';

/** The settings for scopes: names, descriptions, defaults, display, claims, and the scopes of the read-write policy. */
export const scopeSettings = {
  scopes: runTime(
    setting({
      schema: z.record(scopeName, z.string().min(1)).refine((scopes) => Object.keys(scopes).length > 0),
      default: SAMPLE_SCOPES,
      expects: message('expects.scopes', { example: '{"read":"Read your data"}' }),
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
      expects: message('expects.default-scopes', {
        grants: SCOPED_GRANTS.join(', '),
        example: '{"password":["read"]}',
      }),
    }),
  ),
  scopeDisplay: runTime(
    setting({
      schema: scopeDisplay,
      default: {},
      expects: message('expects.scope-display', {
        icons: SCOPE_ICONS.join(', '),
        example: '{"payments":{"icon":"card","sensitivity":"sensitive"}}',
      }),
    }),
  ),
  scopeClaims: runTime(
    setting({
      schema: scopeClaims,
      default: {},
      expects: message('expects.scope-claims', { claims: USER_CLAIMS.join(', '), example: '{"staff":["name"]}' }),
    }),
  ),
  readScope: setting({
    schema: scopeName,
    default: 'read',
    expects: 'a scope name',
  }),
  writeScope: setting({
    schema: scopeName,
    default: 'write',
    expects: 'a scope name',
  }),
} as const;
