const en = {
  'refusal.assertion-type.rule': 'An assertion must be sent with its type (RFC 7523 §2.2).',
  'refusal.assertion-type.expected':
    'client_assertion, and client_assertion_type urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  'refusal.assertion-type.seen': 'no assertion',
  'refusal.assertion-type.seen-2': 'a different type',
  'refusal.assertion-type.advice': 'Send both parameters. Other types of assertions, such as SAML, are not supported.',
  'refusal.assertion-malformed.rule': 'A client assertion must be a signed JWT (RFC 7523 §3).',
  'refusal.assertion-malformed.expected':
    'a JWT with a header, claims and a signature, and without critical extensions (crit)',
  'refusal.assertion-malformed.seen': 'something else',
  'refusal.assertion-malformed.advice':
    'Use a JOSE library to build the assertion. iat, nbf and exp are numbers: seconds since 1970.',
  'refusal.assertion-too-long.rule':
    'The length of a client assertion is limited, and checked before the assertion is read.',
  'refusal.assertion-too-long.expected': 'at most {limit} characters',
  'refusal.assertion-too-long.seen': '{length} characters',
  'refusal.assertion-too-long.advice':
    'Use a short kid for the key, and leave out anything that this server does not read, such as certificates (x5c). ' +
    'An assertion signed with a 4096-bit RSA key is about 1,200 characters long.',
  'refusal.assertion-issuer.rule': 'A client may sign assertions only about itself (RFC 7523 §3).',
  'refusal.assertion-issuer.expected': 'the client_id as iss and sub, and as client_id if that parameter is sent',
  'refusal.assertion-issuer.seen': 'different values, or none, for iss and sub',
  'refusal.assertion-issuer.seen-2': 'a client_id that differs from iss',
  'refusal.assertion-issuer.advice': 'Set iss and sub to the client_id of the application.',
  'refusal.assertion-client-unknown.rule': 'The client must be registered.',
  'refusal.assertion-client-unknown.expected': 'the client_id of a registered application as iss',
  'refusal.assertion-client-unknown.seen': 'an unknown client_id of {length} characters',
  'refusal.assertion-client-unknown.advice':
    'A client with a metadata document is recorded when a user first consents to it. Until then, send users to the ' +
    'authorization endpoint without pushing the request, or register the application.',
  'refusal.assertion-client-unknown.advice-2': 'Copy the client_id from the application’s page.',
  'refusal.assertion-algorithm.rule': 'An assertion must be signed with an accepted algorithm.',
  'refusal.assertion-algorithm.expected': 'one of {allowed} as alg',
  'refusal.assertion-algorithm.advice':
    'Sign with one of these. Algorithms with a shared secret, such as HS256, and the algorithm none are never ' +
    'accepted.',
  'refusal.assertion-key-unknown.rule': 'An assertion must be signed with the private half of a registered key.',
  'refusal.assertion-key-unknown.expected': 'a registered key for {algorithm}; registered keys with an id: {keys}',
  'refusal.assertion-key-unknown.seen': 'no kid, and no registered key for {algorithm}',
  'refusal.assertion-key-unknown.seen-2': 'the kid {seen}',
  'refusal.assertion-key-unknown.advice':
    'Register or publish the public key before you sign with it. Published keys are read at most once a minute.',
  'refusal.client-keys-unreadable.rule': 'The keys of the application are read from its jwks_uri.',
  'refusal.client-keys-unreadable.expected':
    'a JWK set with 1 to 20 public keys and at most 64 KB, sent over https within 5 seconds and without a redirect',
  'refusal.client-keys-unreadable.seen': 'the jwks_uri {problem}',
  'refusal.client-keys-unreadable.advice':
    'Correct the document, and try again after 15 seconds. grantlog client keys CLIENT_ID shows whether the document ' +
    'can be read.',
  'refusal.assertion-signature-wrong.rule': 'The signature must be valid.',
  'refusal.assertion-signature-wrong.expected': 'a signature made with the registered key',
  'refusal.assertion-signature-wrong.seen': 'a signature that was not made with this key',
  'refusal.assertion-signature-wrong.seen-2': 'a signature that was not made with any of the {tried} matching keys',
  'refusal.assertion-signature-wrong.advice':
    'Check that the application has the private half of the registered key, and that nothing alters the JWT.',
  'refusal.assertion-audience.rule': 'An assertion must be for this server alone, so that no other server can use it.',
  'refusal.assertion-audience.expected': 'the issuer as aud, a single string: {expected}',
  'refusal.assertion-audience.advice': 'Set aud to the issuer, not to the URL of the endpoint, and not to a list.',
  'refusal.assertion-time.rule': 'An assertion is valid only for a short time.',
  'refusal.assertion-time.expected': 'exp in the future, by at most {duration}; iat and nbf not in the future',
  'refusal.assertion-time.advice':
    'Create a new assertion for each request, with an exp one minute in the future. Check the application’s clock.',
  'refusal.assertion-without-id.rule': 'An assertion must have an id, because it is accepted only once.',
  'refusal.assertion-without-id.expected': 'a jti of 1 to {limit} characters',
  'refusal.assertion-without-id.seen': 'none, or a longer one',
  'refusal.assertion-without-id.advice': 'Set jti to a random value for each assertion.',
  'refusal.assertion-replayed.rule': 'An assertion is accepted only once.',
  'refusal.assertion-replayed.expected': 'a new assertion',
  'refusal.assertion-replayed.seen': 'one with a jti that the client has already used',
  'refusal.assertion-replayed.advice':
    'Create a new assertion for each request. If you already do, somebody else may have sent a copy of this one first.',
  'refusal.assertions.seen-time': 'no exp',
  'refusal.assertions.seen-time-2': 'an assertion that expired {duration} ago',
  'refusal.assertions.seen-time-3': 'an assertion that expires in {duration}',
  'refusal.assertions.seen-time-4': 'iat or nbf is {duration} in the future',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.assertion-type.rule': 'Eine Assertion wird mit ihrem Typ gesendet (RFC 7523 §2.2).',
  'refusal.assertion-type.expected':
    'client_assertion, und client_assertion_type urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  'refusal.assertion-type.seen': 'keine Assertion',
  'refusal.assertion-type.seen-2': 'ein anderer Typ',
  'refusal.assertion-type.advice':
    'Senden Sie beide Parameter. Andere Arten von Assertions, etwa SAML, werden nicht unterstützt.',
  'refusal.assertion-malformed.rule': 'Eine Client-Assertion muss ein signiertes JWT sein (RFC 7523 §3).',
  'refusal.assertion-malformed.expected':
    'ein JWT mit Header, Claims und Signatur, ohne kritische Erweiterungen (crit)',
  'refusal.assertion-malformed.seen': 'etwas anderes',
  'refusal.assertion-malformed.advice':
    'Lassen Sie eine JOSE-Bibliothek die Assertion erstellen. iat, nbf und exp sind Zahlen: Sekunden seit 1970.',
  'refusal.assertion-too-long.rule':
    'Die Länge einer Client-Assertion ist begrenzt und wird geprüft, bevor die Assertion gelesen wird.',
  'refusal.assertion-too-long.expected': 'höchstens {limit} Zeichen',
  'refusal.assertion-too-long.seen': '{length} Zeichen',
  'refusal.assertion-too-long.advice':
    'Geben Sie dem Schlüssel eine kurze kid, und lassen Sie weg, was dieser Server nicht liest, etwa Zertifikate ' +
    '(x5c). Eine mit einem RSA-Schlüssel von 4096 Bit signierte Assertion hat etwa 1.200 Zeichen.',
  'refusal.assertion-issuer.rule': 'Ein Client darf nur Assertions über sich selbst signieren (RFC 7523 §3).',
  'refusal.assertion-issuer.expected': 'die client_id als iss und sub, und als client_id, falls sie gesendet wird',
  'refusal.assertion-issuer.seen': 'verschiedene oder fehlende Werte von iss und sub',
  'refusal.assertion-issuer.seen-2': 'eine client_id, die von iss abweicht',
  'refusal.assertion-issuer.advice': 'Setzen Sie iss und sub auf die client_id der Anwendung.',
  'refusal.assertion-client-unknown.rule': 'Der Client muss registriert sein.',
  'refusal.assertion-client-unknown.expected': 'die client_id einer registrierten Anwendung als iss',
  'refusal.assertion-client-unknown.seen': 'eine unbekannte client_id mit {length} Zeichen',
  'refusal.assertion-client-unknown.advice':
    'Ein Client mit einem Metadatendokument kommt mit der ersten Zustimmung eines Benutzers in das Protokoll. Bis ' +
    'dahin senden Sie Benutzer zum Autorisierungsendpunkt, ohne die Anfrage vorab einzureichen, oder registrieren ' +
    'Sie die Anwendung.',
  'refusal.assertion-client-unknown.advice-2': 'Kopieren Sie die client_id von der Seite der Anwendung.',
  'refusal.assertion-algorithm.rule': 'Eine Assertion muss mit einem akzeptierten Algorithmus signiert sein.',
  'refusal.assertion-algorithm.expected': 'einer von {allowed} als alg',
  'refusal.assertion-algorithm.advice':
    'Signieren Sie mit einem davon. Algorithmen mit gemeinsamem Geheimnis wie HS256 und der Algorithmus none werden ' +
    'nie angenommen.',
  'refusal.assertion-key-unknown.rule':
    'Eine Assertion wird mit der privaten Hälfte eines registrierten Schlüssels signiert.',
  'refusal.assertion-key-unknown.expected':
    'ein registrierter Schlüssel für {algorithm}; registrierte Schlüssel mit einer ID: {keys}',
  'refusal.assertion-key-unknown.seen': 'keine kid, und kein registrierter Schlüssel passt zu {algorithm}',
  'refusal.assertion-key-unknown.seen-2': 'die kid {seen}',
  'refusal.assertion-key-unknown.advice':
    'Registrieren oder veröffentlichen Sie den öffentlichen Schlüssel, bevor Sie mit ihm signieren. Veröffentlichte ' +
    'Schlüssel werden höchstens einmal in der Minute gelesen.',
  'refusal.client-keys-unreadable.rule': 'Die Schlüssel der Anwendung werden von ihrer jwks_uri gelesen.',
  'refusal.client-keys-unreadable.expected':
    'ein JWK-Set mit 1 bis 20 öffentlichen Schlüsseln und höchstens 64 KB, über https, in höchstens 5 Sekunden, ' +
    'ohne Weiterleitung',
  'refusal.client-keys-unreadable.seen': 'ein Fehler der jwks_uri: {problem}',
  'refusal.client-keys-unreadable.advice':
    'Berichtigen Sie das Dokument, und versuchen Sie es nach 15 Sekunden noch einmal. grantlog client keys ' +
    'CLIENT_ID zeigt, ob es gelesen werden kann.',
  'refusal.assertion-signature-wrong.rule': 'Die Signatur muss stimmen.',
  'refusal.assertion-signature-wrong.expected': 'eine Signatur des registrierten Schlüssels',
  'refusal.assertion-signature-wrong.seen': 'eine Signatur, die nicht von diesem Schlüssel stammt',
  'refusal.assertion-signature-wrong.seen-2': 'eine Signatur, die von keinem der {tried} passenden Schlüssel stammt',
  'refusal.assertion-signature-wrong.advice':
    'Prüfen Sie, ob die Anwendung die private Hälfte des registrierten Schlüssels hat und dass nichts das JWT ' +
    'verändert.',
  'refusal.assertion-audience.rule':
    'Eine Assertion muss allein für diesen Server sein, damit kein anderer Server sie verwenden kann.',
  'refusal.assertion-audience.expected': 'der Aussteller als aud, ein einzelner Text: {expected}',
  'refusal.assertion-audience.advice':
    'Setzen Sie aud auf den Aussteller, nicht auf die Adresse des Endpunkts und nicht auf eine Liste.',
  'refusal.assertion-time.rule': 'Eine Assertion gilt nur kurze Zeit.',
  'refusal.assertion-time.expected':
    'ein exp in der Zukunft, höchstens um {duration}; iat und nbf nicht in der Zukunft',
  'refusal.assertion-time.advice':
    'Erstellen Sie für jede Anfrage eine neue Assertion, mit einem exp in einer Minute. Prüfen Sie die Uhr der ' +
    'Anwendung.',
  'refusal.assertion-without-id.rule': 'Eine Assertion hat eine ID, weil sie nur einmal angenommen wird.',
  'refusal.assertion-without-id.expected': 'ein jti mit 1 bis {limit} Zeichen',
  'refusal.assertion-without-id.seen': 'keines, oder ein längeres',
  'refusal.assertion-without-id.advice': 'Setzen Sie jti in jeder Assertion auf einen zufälligen Wert.',
  'refusal.assertion-replayed.rule': 'Eine Assertion wird nur einmal angenommen.',
  'refusal.assertion-replayed.expected': 'eine neue Assertion',
  'refusal.assertion-replayed.seen': 'eine mit einem jti, das der Client schon verwendet hat',
  'refusal.assertion-replayed.advice':
    'Erstellen Sie für jede Anfrage eine neue Assertion. Tun Sie das schon, hat vielleicht jemand anderes zuerst ' +
    'eine Kopie von dieser gesendet.',
  'refusal.assertions.seen-time': 'kein exp',
  'refusal.assertions.seen-time-2': 'eine Assertion, die vor {duration} abgelaufen ist',
  'refusal.assertions.seen-time-3': 'eine Assertion, die in {duration} abläuft',
  'refusal.assertions.seen-time-4': 'iat oder nbf liegt um {duration} in der Zukunft',
};

/** Explanations of refusals: assertions. */
export const refusalAssertions = { en, de };
