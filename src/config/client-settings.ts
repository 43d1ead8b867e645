import { choice, runTime } from './setting.ts';

/** The settings for clients that are not registered here, but identify themselves with a metadata document. */
export const clientSettings = {
  clientDocuments: runTime(choice(['off', 'list', 'any'], 'off')),
} as const;
