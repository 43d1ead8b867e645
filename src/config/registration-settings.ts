import { z } from 'zod';
import { isIssuer } from './addresses.ts';
import { choice, runTime, seconds, setting, TEN_YEARS_IN_SECONDS } from './setting.ts';

const url = z.string().max(256).refine(isIssuer);

/** The settings of programs that register themselves (RFC 7591). */
export const registrationSettings = {
  dynamicRegistration: choice(
    ['off', 'token', 'open'],
    'off',
    'Whether programs may register themselves (RFC 7591): never, with an access token of the scope ' +
      'clients:register, or without one. Nothing is stored before a user authorizes the program.',
  ),
  registrationLifetimeSeconds: runTime(
    seconds(
      60,
      TEN_YEARS_IN_SECONDS,
      2_592_000,
      'How long after it registered itself a program can be authorized for the first time.',
    ),
  ),
  softwareStatementIssuers: setting({
    schema: z.record(url, url).refine((issuers) => Object.keys(issuers).length <= 20),
    default: {},
    expects:
      'a map of at most 20 issuers to the addresses of their keys, in JSON: ' +
      '{"https://trust.example":"https://trust.example/jwks.json"}',
    description:
      'The issuers whose software statements are accepted (RFC 7591 §2.3). What such a statement says about a ' +
      'program replaces what the program says itself.',
  }),
} as const;
