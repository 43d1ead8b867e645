import { choice, runTime } from './setting.ts';

/** How clients become known that nobody registered here. */
export const clientSettings = {
  clientDocuments: runTime(
    choice(
      ['off', 'list', 'any'],
      'off',
      'Which applications may describe themselves in a document at the https URL that is their client_id (Client ID ' +
        'Metadata Document): none, those of allowed domains, or all but those of blocked domains. Off by default, ' +
        'because the server then requests addresses that strangers choose.',
    ),
  ),
} as const;
