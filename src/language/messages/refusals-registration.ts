const en = {
  'refusal.registration-metadata.rule': 'The metadata of a client must be valid (RFC 7591 §2).',
  'refusal.registration-metadata.expected': 'a valid {member}',
  'refusal.registration-metadata.advice': 'Correct this member, and send the request again.',
  'refusal.registration-too-long.rule':
    'The client id contains the registration, so the length of a registration is limited.',
  'refusal.registration-too-long.expected': 'a registration that fits into a client id of {limit} characters',
  'refusal.registration-too-long.seen': 'a longer one',
  'refusal.registration-too-long.advice':
    'Register fewer or shorter redirect URIs, names and keys, or register with an initial access token.',
  'refusal.software-statement-untrusted.rule':
    'The operator decides which issuers of software statements are trusted (RFC 7591 §2.3).',
  'refusal.software-statement-untrusted.expected': 'an issuer from softwareStatementIssuers: {trusted}',
  'refusal.software-statement-untrusted.advice':
    'Leave out the software statement, or ask the operator to trust its issuer.',
  'refusal.software-statement-invalid.rule': 'A software statement must be a JWT signed by its issuer (RFC 7591 §2.3).',
  'refusal.software-statement-invalid.expected': 'an unexpired statement with a valid signature',
  'refusal.software-statement-invalid.seen': 'one that {problem}',
  'refusal.software-statement-invalid.advice': 'Get a new statement from its issuer.',
  'refusal.registration-token-missing.rule':
    'A client reads and changes its registration with its registration access token (RFC 7592 §2).',
  'refusal.registration-token-missing.expected': 'Authorization: Bearer REGISTRATION-ACCESS-TOKEN',
  'refusal.registration-token-missing.seen': 'none',
  'refusal.registration-token-wrong.rule':
    'A client reads and changes its registration with its registration access token (RFC 7592 §2).',
  'refusal.registration-token-wrong.expected': 'the registration access token of this self-registered client',
  'refusal.registration-token-wrong.seen':
    'a different token, or a client that is unknown, was removed, or was registered by a user',
  'refusal.registration-not-recorded.rule':
    'A registration can be changed only once it has been recorded, which happens when a user first authorizes the ' +
    'client.',
  'refusal.registration-not-recorded.expected': 'a client that a user has authorized',
  'refusal.registration-not-recorded.seen': 'one that nobody has authorized yet',
  'refusal.registration-not-recorded.advice':
    'Register again with the new metadata. The old client id expires on its own.',
  'refusal.registration.token-advice':
    'Send Authorization: Bearer with the registration_access_token from the response to the registration of this ' +
    'client.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.registration-metadata.rule': 'Die Metadaten eines Clients müssen gültig sein (RFC 7591 §2).',
  'refusal.registration-metadata.expected': 'ein gültiges {member}',
  'refusal.registration-metadata.advice': 'Berichtigen Sie diese Angabe, und senden Sie die Anfrage noch einmal.',
  'refusal.registration-too-long.rule':
    'Die Client-ID enthält die Registrierung, darum ist die Länge einer Registrierung begrenzt.',
  'refusal.registration-too-long.expected': 'eine Registrierung, die in eine Client-ID mit {limit} Zeichen passt',
  'refusal.registration-too-long.seen': 'eine längere',
  'refusal.registration-too-long.advice':
    'Registrieren Sie weniger oder kürzere Redirect-URIs, Namen und Schlüssel, oder registrieren Sie mit einem ' +
    'Initial Access Token.',
  'refusal.software-statement-untrusted.rule':
    'Der Betreiber legt fest, welchen Ausstellern von Software Statements vertraut wird (RFC 7591 §2.3).',
  'refusal.software-statement-untrusted.expected': 'ein Aussteller aus softwareStatementIssuers: {trusted}',
  'refusal.software-statement-untrusted.advice':
    'Lassen Sie das Software Statement weg, oder bitten Sie den Betreiber, dessen Aussteller zu vertrauen.',
  'refusal.software-statement-invalid.rule':
    'Ein Software Statement ist ein JWT, das sein Aussteller signiert hat (RFC 7591 §2.3).',
  'refusal.software-statement-invalid.expected': 'ein Statement mit gültiger Signatur, das nicht abgelaufen ist',
  'refusal.software-statement-invalid.seen': 'ein Fehler des Statements: {problem}',
  'refusal.software-statement-invalid.advice': 'Holen Sie ein neues Statement von seinem Aussteller.',
  'refusal.registration-token-missing.rule':
    'Ein Client liest und ändert seine Registrierung mit seinem Registration Access Token (RFC 7592 §2).',
  'refusal.registration-token-missing.expected': 'Authorization: Bearer REGISTRATION-ACCESS-TOKEN',
  'refusal.registration-token-missing.seen': 'nichts',
  'refusal.registration-token-wrong.rule':
    'Ein Client liest und ändert seine Registrierung mit seinem Registration Access Token (RFC 7592 §2).',
  'refusal.registration-token-wrong.expected': 'das Registration Access Token dieses selbst registrierten Clients',
  'refusal.registration-token-wrong.seen':
    'ein anderes Token, oder ein Client, der unbekannt ist, entfernt wurde oder von einem Benutzer registriert wurde',
  'refusal.registration-not-recorded.rule':
    'Eine Registrierung lässt sich ändern, sobald sie im Protokoll steht, also wenn ein Benutzer den Client zum ' +
    'ersten Mal zulässt.',
  'refusal.registration-not-recorded.expected': 'ein Client, den ein Benutzer zugelassen hat',
  'refusal.registration-not-recorded.seen': 'einer, den noch niemand zugelassen hat',
  'refusal.registration-not-recorded.advice':
    'Registrieren Sie noch einmal mit den neuen Metadaten. Die alte Client-ID läuft von selbst ab.',
  'refusal.registration.token-advice':
    'Senden Sie Authorization: Bearer mit dem registration_access_token aus der Antwort auf die Registrierung ' +
    'dieses Clients.',
};

/** Explanations of refusals: registration. */
export const refusalRegistration = { en, de };
