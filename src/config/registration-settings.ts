import { z } from 'zod';
import { isIssuer } from './addresses.ts';
import { choice, runTime, seconds, setting, TEN_YEARS_IN_SECONDS } from './setting.ts';

const url = z.string().max(256).refine(isIssuer);

/** The settings for dynamic client registration (RFC 7591). */
export const registrationSettings = {
  dynamicRegistration: choice(['off', 'token', 'open'], 'off'),
  registrationLifetimeSeconds: runTime(seconds(60, TEN_YEARS_IN_SECONDS, 2_592_000)),
  softwareStatementIssuers: setting({
    schema: z.record(url, url).refine((issuers) => Object.keys(issuers).length <= 20),
    default: {},
    expects:
      'a map of at most 20 issuers to the URLs of their key sets, in JSON: ' +
      '{"https://trust.example":"https://trust.example/jwks.json"}',
  }),
} as const;
