const en = {
  'refusal.request-objects-mixed.rule': 'A request can have only one request object (RFC 9101 §5).',
  'refusal.request-objects-mixed.expected': 'request or request_uri',
  'refusal.request-objects-mixed.seen': 'both',
  'refusal.request-objects-mixed.advice': 'Leave one of them out.',
  'refusal.request-object-missing.rule':
    'The application is registered to sign its authorization requests (RFC 9101 §10.5).',
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
  'refusal.request-object-type.rule': 'The type of a request object shows that it is one (RFC 9101 §10.8).',
  'refusal.request-object-type.expected': 'typ oauth-authz-req+jwt, JWT, or none',
  'refusal.request-object-type.advice':
    'Set typ to oauth-authz-req+jwt. Never send a JWT that was made for a different purpose.',
  'refusal.request-object-algorithm.rule':
    'A request object must be signed with an allowed algorithm (RFC 9101 §10.2).',
  'refusal.request-object-algorithm.advice':
    'Sign with one of the expected algorithms. An object without a signature (none) is never accepted.',
  'refusal.request-object-key-unknown.rule':
    'A request object must be signed with a registered key of the application (RFC 9101 §6.2).',
  'refusal.request-object-key-unknown.expected': 'a key for {algorithm}, of these: {keys}',
  'refusal.request-object-key-unknown.seen': 'no kid',
  'refusal.request-object-key-unknown.seen-2': 'kid {seen}',
  'refusal.request-object-key-unknown.advice': 'Register the public key, or send the kid that it is registered under.',
  'refusal.request-object-keys-unreadable.rule': 'The keys of the application must be at its jwks_uri.',
  'refusal.request-object-keys-unreadable.expected': 'a JWK set with the public keys of the application',
  'refusal.request-object-keys-unreadable.seen': 'the jwks_uri {problem}',
  'refusal.request-object-keys-unreadable.advice':
    'Check that this server can reach the jwks_uri. Until then, keys that were read earlier are used.',
  'refusal.request-object-signature-wrong.rule': 'The signature of a request object must verify (RFC 9101 §6.2).',
  'refusal.request-object-signature-wrong.expected': 'a signature made with the registered key',
  'refusal.request-object-signature-wrong.seen':
    'a signature that {tried, plural, one {the only matching key does not verify} other {none of the {tried} ' +
    'matching keys verify}}',
  'refusal.request-object-signature-wrong.advice':
    'Check that the private key belongs to the registered public key, and that nothing changes the object.',
  'refusal.request-object-claim.rule': 'A request object is from one client for one server (RFC 9101 §4, §10.8).',
  'refusal.request-object-claim.expected': '{claim}: {expected}',
  'refusal.request-object-claim.seen': '{claim}: {seen}',
  'refusal.request-object-claim.advice':
    'Set iss and client_id to the client_id of the application, and aud to the issuer of this server. Leave sub out.',
  'refusal.request-object-time.rule':
    'A request object is valid from nbf to exp. Profiles such as FAPI 2.0 limit that time.',
  'refusal.request-object-time.expected':
    'a time from nbf to exp that includes now. A profile requires both, {duration} apart',
  'refusal.request-object-time.advice':
    'Sign a new object for each request. Check the clock of the machine that signs.',
  'refusal.request-object-parameter.rule':
    'The parameters in a request object have the types and limits of plain ones (RFC 9101 §4).',
  'refusal.request-object-parameter.expected': '{parameter} as {expected}',
  'refusal.request-object-parameter.seen': 'a different type, or a longer value',
  'refusal.request-object-parameter.advice':
    'Correct {parameter}. max_age may be a number, claims an object, and resource a list.',
  'refusal.request-object-contradicted.rule':
    'A parameter that is repeated outside of the request object must be the same (OpenID Connect Core §6.1).',
  'refusal.request-object-contradicted.expected': 'the {parameter} of the request object, or none',
  'refusal.request-object-contradicted.seen': 'a different {parameter}',
  'refusal.request-object-contradicted.advice':
    'Send only client_id alongside the request object. This server ignores other parameters there.',
  'refusal.request-objects.problems.not-a-jwt': 'something that is not a signed JWT, or has claims of wrong types',
  'refusal.request-objects.problems.encrypted': 'an encrypted JWT (JWE)',
  'refusal.request-objects.problems.nested': 'a JWT that contains another JWT, or the request or request_uri parameter',
  'refusal.request-objects.problems.critical': 'a JWT with critical extensions (crit)',
  'refusal.request-objects.seen-time': 'no exp',
  'refusal.request-objects.seen-time-2': 'no nbf',
  'refusal.request-objects.seen-time-3': 'it expired {duration} ago',
  'refusal.request-objects.seen-time-4': '{duration} from nbf to exp, more than {duration2}',
  'refusal.request-objects.seen-time-5': 'iat or nbf is {duration} ahead',
  'refusal.request-objects.seen-time-6': 'nbf was {duration} ago',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.request-objects-mixed.rule': 'Eine Anfrage kann nur ein Request-Objekt haben (RFC 9101 §5).',
  'refusal.request-objects-mixed.expected': 'request oder request_uri',
  'refusal.request-objects-mixed.seen': 'beides',
  'refusal.request-objects-mixed.advice': 'Lassen Sie eines davon weg.',
  'refusal.request-object-missing.rule':
    'Die Anwendung ist so registriert, dass sie ihre Autorisierungsanfragen signiert (RFC 9101 §10.5).',
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
  'refusal.request-object-type.rule': 'Der Typ eines Request-Objekts zeigt, dass es eines ist (RFC 9101 §10.8).',
  'refusal.request-object-type.expected': 'typ oauth-authz-req+jwt, JWT oder keiner',
  'refusal.request-object-type.advice':
    'Setzen Sie typ auf oauth-authz-req+jwt. Senden Sie nie ein JWT, das für einen anderen Zweck erstellt wurde.',
  'refusal.request-object-algorithm.rule':
    'Ein Request-Objekt muss mit einem erlaubten Algorithmus signiert sein (RFC 9101 §10.2).',
  'refusal.request-object-algorithm.advice':
    'Signieren Sie mit einem der erwarteten Algorithmen. Ein Objekt ohne Signatur (none) wird nie angenommen.',
  'refusal.request-object-key-unknown.rule':
    'Ein Request-Objekt muss mit einem registrierten Schlüssel der Anwendung signiert sein (RFC 9101 §6.2).',
  'refusal.request-object-key-unknown.expected': 'ein Schlüssel für {algorithm}, einer von: {keys}',
  'refusal.request-object-key-unknown.seen': 'keine kid',
  'refusal.request-object-key-unknown.seen-2': 'kid {seen}',
  'refusal.request-object-key-unknown.advice':
    'Registrieren Sie den öffentlichen Schlüssel, oder senden Sie die kid, unter der er registriert ist.',
  'refusal.request-object-keys-unreadable.rule': 'Die Schlüssel der Anwendung müssen an ihrer jwks_uri liegen.',
  'refusal.request-object-keys-unreadable.expected': 'ein JWK-Set mit den öffentlichen Schlüsseln der Anwendung',
  'refusal.request-object-keys-unreadable.seen': 'ein Fehler der jwks_uri: {problem}',
  'refusal.request-object-keys-unreadable.advice':
    'Prüfen Sie, ob dieser Server die jwks_uri erreicht. Solange gelten die zuvor gelesenen Schlüssel.',
  'refusal.request-object-signature-wrong.rule':
    'Die Signatur eines Request-Objekts muss sich bestätigen lassen (RFC 9101 §6.2).',
  'refusal.request-object-signature-wrong.expected': 'eine Signatur des registrierten Schlüssels',
  'refusal.request-object-signature-wrong.seen':
    'eine Signatur, die {tried, plural, one {der einzige passende Schlüssel nicht} other {keiner der {tried} ' +
    'passenden Schlüssel}} bestätigt',
  'refusal.request-object-signature-wrong.advice':
    'Prüfen Sie, ob der private Schlüssel zum registrierten öffentlichen gehört und dass nichts das Objekt verändert.',
  'refusal.request-object-claim.rule': 'Ein Request-Objekt ist von einem Client für einen Server (RFC 9101 §4, §10.8).',
  'refusal.request-object-claim.expected': '{claim}: {expected}',
  'refusal.request-object-claim.seen': '{claim}: {seen}',
  'refusal.request-object-claim.advice':
    'Setzen Sie iss und client_id auf die client_id der Anwendung und aud auf den Aussteller dieses Servers. Lassen ' +
    'Sie sub weg.',
  'refusal.request-object-time.rule':
    'Ein Request-Objekt ist von nbf bis exp gültig. Profile wie FAPI 2.0 begrenzen diese Zeit.',
  'refusal.request-object-time.expected':
    'eine Zeit von nbf bis exp, in der die Gegenwart liegt. Ein Profil verlangt beide, im Abstand von {duration}',
  'refusal.request-object-time.advice':
    'Signieren Sie für jede Anfrage ein neues Objekt. Prüfen Sie die Uhr des Rechners, der signiert.',
  'refusal.request-object-parameter.rule':
    'Die Parameter in einem Request-Objekt haben die Typen und Grenzen der einfachen (RFC 9101 §4).',
  'refusal.request-object-parameter.expected': '{parameter} als {expected}',
  'refusal.request-object-parameter.seen': 'ein anderer Typ, oder ein längerer Wert',
  'refusal.request-object-parameter.advice':
    'Berichtigen Sie {parameter}. max_age darf eine Zahl sein, claims ein Objekt und resource eine Liste.',
  'refusal.request-object-contradicted.rule':
    'Ein Parameter, der außerhalb des Request-Objekts wiederholt wird, muss derselbe sein (OpenID Connect Core §6.1).',
  'refusal.request-object-contradicted.expected': '{parameter} wie im Request-Objekt, oder gar nicht',
  'refusal.request-object-contradicted.seen': 'ein anderer Wert von {parameter}',
  'refusal.request-object-contradicted.advice':
    'Senden Sie außerhalb des Request-Objekts nur client_id. Andere Parameter beachtet dieser Server dort nicht.',
  'refusal.request-objects.problems.not-a-jwt': 'etwas, das kein signiertes JWT ist oder Claims falscher Typen hat',
  'refusal.request-objects.problems.encrypted': 'ein verschlüsseltes JWT (JWE)',
  'refusal.request-objects.problems.nested':
    'ein JWT, das ein weiteres JWT oder den Parameter request oder request_uri enthält',
  'refusal.request-objects.problems.critical': 'ein JWT mit kritischen Erweiterungen (crit)',
  'refusal.request-objects.seen-time': 'kein exp',
  'refusal.request-objects.seen-time-2': 'kein nbf',
  'refusal.request-objects.seen-time-3': 'es ist vor {duration} abgelaufen',
  'refusal.request-objects.seen-time-4': 'von nbf bis exp ein Abstand von {duration}, mehr als der von {duration2}',
  'refusal.request-objects.seen-time-5': 'iat oder nbf liegt um {duration} voraus',
  'refusal.request-objects.seen-time-6': 'nbf lag vor {duration}',
};

/** Explanations of refusals: request objects. */
export const refusalRequestObjects = { en, de };
