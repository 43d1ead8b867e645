import { flag, runTime } from './setting.ts';

/** How the tokens and messages of all clients are protected, regardless of the settings of each client. */
export const securitySettings = {
  requireDpop: runTime(flag(false)),
} as const;
