const en = {
  'refusal.request-objects-mixed.rule': 'A request can have only one request object (RFC 9101 §5).',
  'refusal.request-objects-mixed.expected': 'request or request_uri',
  'refusal.request-objects-mixed.seen': 'both',
  'refusal.request-objects-mixed.advice': 'Leave one of them out.',
  'refusal.request-object-missing.rule':
    'The registration of the application requires signed authorization requests (RFC 9101 §10.5).',
  'refusal.request-object-missing.expected': 'the request parameter, with a signed request object',
  'refusal.request-object-missing.seen': 'plain parameters',
  'refusal.request-object-missing.advice':
    'Turn on signed requests (JAR) in the client library, or change the registration of the application.',
  'refusal.request-object-malformed.rule':
    'A request object must be a signed JWT with the parameters as its claims (RFC 9101 §4).',
  'refusal.request-object-malformed.expected':
    'a JWT with a header, claims and a signature, neither encrypted nor nested',
  'refusal.request-object-malformed.advice':
    'Use a JOSE library to sign the parameters. exp, nbf and iat are numbers: seconds since 1970.',
  'refusal.request-object-type.rule':
    'The typ of a request object must not identify a different kind of JWT (RFC 9101 §10.8).',
  'refusal.request-object-type.expected': 'oauth-authz-req+jwt or JWT as typ, or no typ',
  'refusal.request-object-type.advice':
    'Set typ to oauth-authz-req+jwt. Never send a JWT that was created for a different purpose.',
  'refusal.request-object-algorithm.rule':
    'A request object must be signed with an allowed algorithm (RFC 9101 §10.2).',
  'refusal.request-object-algorithm.advice':
    'Sign with one of the expected algorithms. An unsigned object (alg none) is never accepted.',
  'refusal.request-object-key-unknown.rule':
    'A request object must be signed with a registered key of the application (RFC 9101 §6.2).',
  'refusal.request-object-key-unknown.expected': 'a registered key for {algorithm}; registered keys with an id: {keys}',
  'refusal.request-object-key-unknown.seen': 'no kid',
  'refusal.request-object-key-unknown.seen-2': 'kid {seen}',
  'refusal.request-object-key-unknown.advice': 'Register the public key, or send the kid that it is registered under.',
  'refusal.request-object-keys-unreadable.rule': 'The keys of the application must be available at its jwks_uri.',
  'refusal.request-object-keys-unreadable.expected': 'a JWK set with the public keys of the application',
  'refusal.request-object-keys-unreadable.seen': 'the jwks_uri {problem}',
  'refusal.request-object-keys-unreadable.advice':
    'Check that this server can reach the jwks_uri. Until it can, it uses the keys that it read earlier.',
  'refusal.request-object-signature-wrong.rule': 'The signature of a request object must be valid (RFC 9101 §6.2).',
  'refusal.request-object-signature-wrong.expected': 'a signature made with the registered key',
  'refusal.request-object-signature-wrong.seen':
    'a signature that was not made with {tried, plural, one {the only matching key} other {any of the {tried} ' +
    'matching keys}}',
  'refusal.request-object-signature-wrong.advice':
    'Check that the private key matches the registered public key, and that nothing alters the object.',
  'refusal.request-object-claim.rule':
    'A request object must be issued by its client for this server (RFC 9101 §4, §10.8).',
  'refusal.request-object-claim.expected': '{claim}: {expected}',
  'refusal.request-object-claim.seen': '{claim}: {seen}',
  'refusal.request-object-claim.advice':
    'Set iss and client_id to the client_id of the application, and aud to the issuer of this server. Leave sub out.',
  'refusal.request-object-time.rule':
    'A request object is valid from nbf to exp. Profiles such as FAPI 2.0 limit that period.',
  'refusal.request-object-time.expected':
    'a period from nbf to exp that includes the current time. Profiles require both claims, at most {duration} apart',
  'refusal.request-object-time.advice':
    'Sign a new object for each request. Check the clock of the machine that signs it.',
  'refusal.request-object-parameter.rule':
    'The parameters in a request object have the same types and limits as plain parameters (RFC 9101 §4).',
  'refusal.request-object-parameter.expected': '{parameter}: {expected}',
  'refusal.request-object-parameter.seen': 'a different type, or a longer value',
  'refusal.request-object-parameter.advice':
    'Correct {parameter}. max_age may be a number, claims an object, and resource an array.',
  'refusal.request-object-contradicted.rule':
    'A parameter that is repeated outside the request object must have the same value there (OpenID Connect Core ' +
    '§6.1).',
  'refusal.request-object-contradicted.expected': 'the same {parameter} as in the request object, or none',
  'refusal.request-object-contradicted.seen': 'a different {parameter}',
  'refusal.request-object-contradicted.advice':
    'Send only client_id alongside the request object. This server does not use other parameters from there.',
  'refusal.request-objects.problems.not-a-jwt':
    'something other than a signed JWT, or a JWT with claims of the wrong types',
  'refusal.request-objects.problems.encrypted': 'an encrypted JWT (JWE)',
  'refusal.request-objects.problems.nested': 'a JWT that contains another JWT, or the request or request_uri parameter',
  'refusal.request-objects.problems.critical': 'a JWT with critical extensions (crit)',
  'refusal.request-objects.seen-time': 'no exp',
  'refusal.request-objects.seen-time-2': 'no nbf',
  'refusal.request-objects.seen-time-3': 'an object that expired {duration} ago',
  'refusal.request-objects.seen-time-4': '{duration} from nbf to exp, more than {duration2}',
  'refusal.request-objects.seen-time-5': 'iat or nbf {duration} in the future',
  'refusal.request-objects.seen-time-6': 'nbf {duration} in the past',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.request-objects-mixed.rule': 'Eine Anfrage kann nur ein Request-Objekt haben (RFC 9101 §5).',
  'refusal.request-objects-mixed.expected': 'request oder request_uri',
  'refusal.request-objects-mixed.seen': 'beides',
  'refusal.request-objects-mixed.advice': 'Lassen Sie eines davon weg.',
  'refusal.request-object-missing.rule':
    'Die Registrierung der Anwendung verlangt signierte Autorisierungsanfragen (RFC 9101 §10.5).',
  'refusal.request-object-missing.expected': 'der Parameter request mit einem signierten Request-Objekt',
  'refusal.request-object-missing.seen': 'einfache Parameter',
  'refusal.request-object-missing.advice':
    'Schalten Sie signierte Anfragen (JAR) in der Client-Bibliothek ein, oder ändern Sie die Registrierung der ' +
    'Anwendung.',
  'refusal.request-object-malformed.rule':
    'Ein Request-Objekt muss ein signiertes JWT mit den Parametern als Claims sein (RFC 9101 §4).',
  'refusal.request-object-malformed.expected':
    'ein JWT mit Header, Claims und Signatur, weder verschlüsselt noch verschachtelt',
  'refusal.request-object-malformed.advice':
    'Lassen Sie eine JOSE-Bibliothek die Parameter signieren. exp, nbf und iat sind Zahlen: Sekunden seit 1970.',
  'refusal.request-object-type.rule':
    'Der typ eines Request-Objekts darf keine andere Art von JWT angeben (RFC 9101 §10.8).',
  'refusal.request-object-type.expected': 'oauth-authz-req+jwt oder JWT als typ, oder kein typ',
  'refusal.request-object-type.advice':
    'Setzen Sie typ auf oauth-authz-req+jwt. Senden Sie nie ein JWT, das für einen anderen Zweck erstellt wurde.',
  'refusal.request-object-algorithm.rule':
    'Ein Request-Objekt muss mit einem erlaubten Algorithmus signiert sein (RFC 9101 §10.2).',
  'refusal.request-object-algorithm.advice':
    'Signieren Sie mit einem der erwarteten Algorithmen. Ein Objekt ohne Signatur (alg none) wird nie angenommen.',
  'refusal.request-object-key-unknown.rule':
    'Ein Request-Objekt muss mit einem registrierten Schlüssel der Anwendung signiert sein (RFC 9101 §6.2).',
  'refusal.request-object-key-unknown.expected':
    'ein registrierter Schlüssel für {algorithm}; registrierte Schlüssel mit einer ID: {keys}',
  'refusal.request-object-key-unknown.seen': 'keine kid',
  'refusal.request-object-key-unknown.seen-2': 'kid {seen}',
  'refusal.request-object-key-unknown.advice':
    'Registrieren Sie den öffentlichen Schlüssel, oder senden Sie die kid, unter der er registriert ist.',
  'refusal.request-object-keys-unreadable.rule':
    'Die Schlüssel der Anwendung müssen unter ihrer jwks_uri abrufbar sein.',
  'refusal.request-object-keys-unreadable.expected': 'ein JWK-Set mit den öffentlichen Schlüsseln der Anwendung',
  'refusal.request-object-keys-unreadable.seen': 'ein Fehler der jwks_uri: {problem}',
  'refusal.request-object-keys-unreadable.advice':
    'Prüfen Sie, ob dieser Server die jwks_uri erreicht. Bis dahin gelten die zuvor gelesenen Schlüssel.',
  'refusal.request-object-signature-wrong.rule': 'Die Signatur eines Request-Objekts muss gültig sein (RFC 9101 §6.2).',
  'refusal.request-object-signature-wrong.expected': 'eine Signatur des registrierten Schlüssels',
  'refusal.request-object-signature-wrong.seen':
    'eine Signatur, die {tried, plural, one {nicht vom einzigen} other {von keinem der {tried}}} passenden Schlüssel ' +
    'stammt',
  'refusal.request-object-signature-wrong.advice':
    'Prüfen Sie, ob der private Schlüssel zum registrierten öffentlichen gehört und dass nichts das Objekt verändert.',
  'refusal.request-object-claim.rule':
    'Ein Request-Objekt muss von seinem Client für diesen Server ausgestellt sein (RFC 9101 §4, §10.8).',
  'refusal.request-object-claim.expected': '{claim}: {expected}',
  'refusal.request-object-claim.seen': '{claim}: {seen}',
  'refusal.request-object-claim.advice':
    'Setzen Sie iss und client_id auf die client_id der Anwendung und aud auf den Aussteller dieses Servers. Lassen ' +
    'Sie sub weg.',
  'refusal.request-object-time.rule':
    'Ein Request-Objekt ist von nbf bis exp gültig. Profile wie FAPI 2.0 begrenzen diesen Zeitraum.',
  'refusal.request-object-time.expected':
    'ein Zeitraum von nbf bis exp, in dem die aktuelle Zeit liegt. Profile verlangen beide Claims, im Abstand von ' +
    'höchstens {duration}',
  'refusal.request-object-time.advice':
    'Signieren Sie für jede Anfrage ein neues Objekt. Prüfen Sie die Uhr des Rechners, der es signiert.',
  'refusal.request-object-parameter.rule':
    'Die Parameter in einem Request-Objekt haben dieselben Typen und Grenzen wie einfache Parameter (RFC 9101 §4).',
  'refusal.request-object-parameter.expected': '{parameter}: {expected}',
  'refusal.request-object-parameter.seen': 'ein anderer Typ, oder ein längerer Wert',
  'refusal.request-object-parameter.advice':
    'Berichtigen Sie {parameter}. max_age darf eine Zahl sein, claims ein Objekt und resource eine Liste.',
  'refusal.request-object-contradicted.rule':
    'Ein Parameter, der außerhalb des Request-Objekts wiederholt wird, muss dort denselben Wert haben (OpenID ' +
    'Connect Core §6.1).',
  'refusal.request-object-contradicted.expected': '{parameter} wie im Request-Objekt, oder gar nicht',
  'refusal.request-object-contradicted.seen': 'ein anderer Wert von {parameter}',
  'refusal.request-object-contradicted.advice':
    'Senden Sie außerhalb des Request-Objekts nur client_id. Andere Parameter verwendet dieser Server von dort nicht.',
  'refusal.request-objects.problems.not-a-jwt': 'etwas, das kein signiertes JWT ist oder Claims falscher Typen hat',
  'refusal.request-objects.problems.encrypted': 'ein verschlüsseltes JWT (JWE)',
  'refusal.request-objects.problems.nested':
    'ein JWT, das ein weiteres JWT oder den Parameter request oder request_uri enthält',
  'refusal.request-objects.problems.critical': 'ein JWT mit kritischen Erweiterungen (crit)',
  'refusal.request-objects.seen-time': 'kein exp',
  'refusal.request-objects.seen-time-2': 'kein nbf',
  'refusal.request-objects.seen-time-3': 'ein Objekt, das vor {duration} abgelaufen ist',
  'refusal.request-objects.seen-time-4': 'von nbf bis exp ein Abstand von {duration}, mehr als der von {duration2}',
  'refusal.request-objects.seen-time-5': 'iat oder nbf liegt um {duration} voraus',
  'refusal.request-objects.seen-time-6': 'nbf lag vor {duration}',
};

/** Explanations of refusals: request objects. */
export const refusalRequestObjects = { en, de };
