import { choice, runTime } from './setting.ts';

/** How clients become known that nobody registered here. */
export const clientSettings = {
  clientDocuments: runTime(choice(['off', 'list', 'any'], 'off')),
} as const;
