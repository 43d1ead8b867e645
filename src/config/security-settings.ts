import { flag, runTime } from './setting.ts';

/** How the tokens and messages of all clients are protected, whatever their own settings. */
export const securitySettings = {
  requireDpop: runTime(flag(false)),
} as const;
