const en = {
  'refusal.client-document-not-accepted.rule':
    'The operator decides on which domains applications may host their metadata documents.',
  'refusal.client-document-not-accepted.rule-2': 'An application that was removed cannot be used again.',
  'refusal.client-document-not-accepted.expected-2': 'an application that has not been removed',
  'refusal.client-document-not-accepted.expected': 'a domain other than {host} that this server accepts',
  'refusal.client-address.rule':
    'A client_id that is a URL must be an https URL in normal form (OAuth Client ID Metadata Document §3).',
  'refusal.client-address.expected': 'a client_id such as https://app.example.com/oauth/client.json',
  'refusal.client-address.seen': 'a URL that {problem}',
  'refusal.client-address.advice': 'Send the URL in normal form, exactly as it appears in the document.',
  'refusal.client-document-unreadable.rule':
    'The client_id must be the URL of a metadata document (OAuth Client ID Metadata Document §4).',
  'refusal.client-document-unreadable.expected':
    'status 200 and JSON of at most 5120 bytes, from a public address, without a redirect, within 5 seconds',
  'refusal.client-document-unreadable.seen': 'a URL that {problem}',
  'refusal.client-document-unreadable.advice':
    'Fetch the URL without a browser, for example with curl. Some sites serve a different page to programs.',
  'refusal.client-document-invalid.rule':
    'The document must contain complete and valid client metadata, but no secrets (OAuth Client ID Metadata Document ' +
    '§4.1).',
  'refusal.client-document-invalid.expected':
    'a client_id that equals the URL, redirect_uris on the same origin or on the device, and no secrets',
  'refusal.client-document-invalid.seen': 'a document that {problem}',
  'refusal.client-document-invalid.advice': 'Correct the document. It is read again on the next request.',
  'refusal.client-documents.not-accepted.off.seen':
    'a client_id that is a URL, while the clientDocuments setting is off',
  'refusal.client-documents.not-accepted.off.advice':
    'Register the application, or set clientDocuments to list, and allow the domain.',
  'refusal.client-documents.not-accepted.not-listed.seen': 'a domain that is not on the list of allowed domains',
  'refusal.client-documents.not-accepted.not-listed.advice':
    'An administrator can allow it on the “Client domains” page, or with grantlog domain allow.',
  'refusal.client-documents.not-accepted.blocked.seen': 'a domain that an administrator has blocked',
  'refusal.client-documents.not-accepted.blocked.advice':
    'An administrator can unblock it on the “Client domains” page, or with grantlog domain remove.',
  'refusal.client-documents.not-accepted.removed.seen': 'an application that was removed from this server',
  'refusal.client-documents.not-accepted.removed.advice':
    'Removal is permanent. Publish the document at a different URL.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.client-document-not-accepted.rule':
    'Der Betreiber entscheidet, auf welchen Domains die Metadaten-Dokumente von Anwendungen liegen dürfen.',
  'refusal.client-document-not-accepted.rule-2': 'Eine entfernte Anwendung lässt sich nicht wieder verwenden.',
  'refusal.client-document-not-accepted.expected-2': 'eine Anwendung, die nicht entfernt wurde',
  'refusal.client-document-not-accepted.expected': 'eine Domain, die dieser Server annimmt, statt {host}',
  'refusal.client-address.rule':
    'Eine client_id, die eine Adresse ist, muss eine https-URL in Normalform sein (OAuth Client ID Metadata ' +
    'Document §3).',
  'refusal.client-address.expected': 'eine client_id wie https://app.example.com/oauth/client.json',
  'refusal.client-address.seen': 'eine fehlerhafte Adresse: Sie {problem}',
  'refusal.client-address.advice': 'Senden Sie die Adresse genau so, wie sie im Dokument steht, in Normalform.',
  'refusal.client-document-unreadable.rule':
    'Die client_id muss die Adresse eines Metadaten-Dokuments sein (OAuth Client ID Metadata Document §4).',
  'refusal.client-document-unreadable.expected':
    'Status 200 und JSON mit höchstens 5120 Byte, von einer öffentlichen Adresse, ohne Weiterleitung, innerhalb ' +
    'von 5 Sekunden',
  'refusal.client-document-unreadable.seen': 'ein Fehler der Adresse: {problem}',
  'refusal.client-document-unreadable.advice':
    'Rufen Sie die Adresse ohne Browser ab, etwa mit curl. Manche Websites antworten Programmen mit einer anderen ' +
    'Seite.',
  'refusal.client-document-invalid.rule':
    'Das Dokument muss vollständige und gültige Metadaten des Clients enthalten, aber keine Geheimnisse (OAuth ' +
    'Client ID Metadata Document §4.1).',
  'refusal.client-document-invalid.expected':
    'die Adresse als client_id, redirect_uris auf ihrer Origin oder auf dem Gerät, und keine Geheimnisse',
  'refusal.client-document-invalid.seen': 'ein Fehler des Dokuments: {problem}',
  'refusal.client-document-invalid.advice':
    'Berichtigen Sie das Dokument. Bei der nächsten Anfrage wird es wieder gelesen.',
  'refusal.client-documents.not-accepted.off.seen':
    'eine client_id, die eine Adresse ist, während die Einstellung clientDocuments ausgeschaltet ist',
  'refusal.client-documents.not-accepted.off.advice':
    'Registrieren Sie die Anwendung, oder setzen Sie clientDocuments auf list, und lassen Sie die Domain zu.',
  'refusal.client-documents.not-accepted.not-listed.seen':
    'eine Domain, die nicht auf der Liste der zugelassenen Domains steht',
  'refusal.client-documents.not-accepted.not-listed.advice':
    'Ein Administrator kann sie auf der Seite der Domains zulassen, oder mit grantlog domain allow.',
  'refusal.client-documents.not-accepted.blocked.seen': 'eine Domain, die ein Administrator gesperrt hat',
  'refusal.client-documents.not-accepted.blocked.advice':
    'Ein Administrator kann das auf der Seite der Domains aufheben, oder mit grantlog domain remove.',
  'refusal.client-documents.not-accepted.removed.seen': 'eine Anwendung, die von diesem Server entfernt wurde',
  'refusal.client-documents.not-accepted.removed.advice':
    'Entfernte Anwendungen kommen nie zurück. Veröffentlichen Sie das Dokument an einer anderen Adresse.',
};

/** Explanations of refusals: metadata documents of clients. */
export const refusalClientDocuments = { en, de };
