import { choice, runTime } from './setting.ts';

/** The settings for clients that nobody registered here. */
export const clientSettings = {
  clientDocuments: runTime(choice(['off', 'list', 'any'], 'off')),
} as const;
