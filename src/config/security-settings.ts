import { flag, runTime } from './setting.ts';

/** How the tokens and messages of all clients are protected, whatever their own settings. */
export const securitySettings = {
  requireDpop: runTime(
    flag(
      false,
      'Whether every token request needs a DPoP proof (RFC 9449), except those of clients that bind their tokens to ' +
        'a certificate.',
    ),
  ),
} as const;
