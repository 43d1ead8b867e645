const en = {
  'refusal.details-malformed.rule':
    'authorization_details must be a JSON array of objects, each with a type (RFC 9396 §2), and must not exceed the ' +
    'limits of this server.',
  'refusal.details-malformed.seen': '{length} characters that do not have this form',
  'refusal.details-malformed.advice':
    'Send the JSON text of the array, percent-encoded. In a request object, send the array itself.',
  'refusal.details-type-unknown.rule': 'The type of each authorization detail must be declared by a resource server.',
  'refusal.details-type-unknown.advice':
    'Send a declared type, spelled exactly as declared, or ask the owner of the resource server to declare the type: ' +
    "on the resource server's page, or with grantlog resource update URI --detail-types FILE.",
  'refusal.details-type-not-allowed.rule':
    'An application that is registered for certain types of authorization details may request only those types.',
  'refusal.details-type-not-allowed.advice':
    "Add the type to the application's registration (authorization_details_types).",
  'refusal.details-schema.rule':
    'An authorization detail must satisfy the JSON Schema that the resource server declares for its type.',
  'refusal.details-schema.expected': 'a detail that satisfies the schema keyword {keyword}',
  'refusal.details-schema.seen': 'a detail that does not',
  'refusal.details-schema.seen-2': 'a value of {member} that does not',
  'refusal.details-schema.advice':
    'Compare the detail with the documentation of the API. The owner of the resource server can see the schema.',
  'refusal.details-need-consent.rule':
    'Users consent to authorization details on the consent page, which this grant type does not have.',
  'refusal.details-need-consent.expected': 'the authorization_code grant type',
  'refusal.details-need-consent.advice': 'Send the user to the authorization endpoint.',
  'refusal.details-not-granted.rule':
    'A token request can ask for granted details, and can narrow them only by shortening lists of strings (RFC 9396 ' +
    '§6).',
  'refusal.details-not-granted.expected': 'no authorization_details',
  'refusal.details-not-granted.expected-2': 'all or part of a granted detail: {granted}',
  'refusal.details-not-granted.seen': 'more than was granted, in a detail of type {type}',
  'refusal.details-not-granted.advice':
    'Omit authorization_details to get everything that was granted. For more, send the user through authorization ' +
    'again.',
  'refusal.details-of-other-resource.rule':
    'A token can have only authorization details of types that its resource servers declare.',
  'refusal.details-of-other-resource.expected': 'types declared by {resource}',
  'refusal.details-of-other-resource.advice':
    'Set the resource parameter to the resource server that declares the type, or request a separate token for each ' +
    'resource server.',
  'refusal.details-none-left.rule':
    'A token without scopes needs at least one detail of a type that its resource servers declare.',
  'refusal.details-none-left.expected': 'a declared type',
  'refusal.details-none-left.seen': 'none',
  'refusal.details-none-left.advice':
    'Ask the owner of the resource server why it no longer declares the types. Then start a new authorization.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.details-malformed.rule':
    'authorization_details muss eine JSON-Liste von Objekten sein, jedes mit einem type (RFC 9396 §2), und darf die ' +
    'Grenzen dieses Servers nicht überschreiten.',
  'refusal.details-malformed.seen': '{length} Zeichen, die nicht diese Form haben',
  'refusal.details-malformed.advice':
    'Senden Sie den JSON-Text der Liste mit Prozentkodierung. In einem Request-Objekt senden Sie die Liste selbst.',
  'refusal.details-type-unknown.rule':
    'Der Typ jedes Autorisierungsdetails muss von einem Ressourcenserver deklariert sein.',
  'refusal.details-type-unknown.advice':
    'Senden Sie einen deklarierten Typ, in genau dieser Schreibweise. Oder lassen Sie den Besitzer des ' +
    'Ressourcenservers den Typ deklarieren: auf der Seite des Ressourcenservers oder mit grantlog resource update ' +
    'URI --detail-types FILE.',
  'refusal.details-type-not-allowed.rule':
    'Eine Anwendung, die für bestimmte Typen von Autorisierungsdetails registriert ist, darf nur diese anfordern.',
  'refusal.details-type-not-allowed.advice':
    'Fügen Sie den Typ der Registrierung der Anwendung hinzu (authorization_details_types).',
  'refusal.details-schema.rule':
    'Ein Autorisierungsdetail muss das JSON-Schema erfüllen, das der Ressourcenserver für seinen Typ deklariert.',
  'refusal.details-schema.expected': 'ein Detail, das das Schlüsselwort {keyword} des Schemas erfüllt',
  'refusal.details-schema.seen': 'ein Detail, das es nicht erfüllt',
  'refusal.details-schema.seen-2': 'ein Wert von {member}, der es nicht erfüllt',
  'refusal.details-schema.advice':
    'Vergleichen Sie das Detail mit der Dokumentation der API. Der Besitzer des Ressourcenservers kann das Schema ' +
    'sehen.',
  'refusal.details-need-consent.rule':
    'Benutzer stimmen Autorisierungsdetails auf der Zustimmungsseite zu, die es bei diesem Grant-Typ nicht gibt.',
  'refusal.details-need-consent.expected': 'der Grant-Typ authorization_code',
  'refusal.details-need-consent.advice': 'Senden Sie den Benutzer zum Autorisierungsendpunkt.',
  'refusal.details-not-granted.rule':
    'Eine Token-Anfrage kann zugelassene Details anfordern und sie nur verkleinern, indem sie Listen von Texten ' +
    'kürzt (RFC 9396 §6).',
  'refusal.details-not-granted.expected': 'kein authorization_details',
  'refusal.details-not-granted.expected-2': 'ein zugelassenes Detail, ganz oder zum Teil: {granted}',
  'refusal.details-not-granted.seen': 'mehr als zugelassen wurde, in einem Detail des Typs {type}',
  'refusal.details-not-granted.advice':
    'Lassen Sie authorization_details weg, um alles zu bekommen, was zugelassen wurde. Für mehr senden Sie den ' +
    'Benutzer noch einmal durch die Autorisierung.',
  'refusal.details-of-other-resource.rule':
    'Ein Token kann nur Autorisierungsdetails mit Typen haben, die seine Ressourcenserver deklarieren.',
  'refusal.details-of-other-resource.expected': 'von {resource} deklarierte Typen',
  'refusal.details-of-other-resource.advice':
    'Setzen Sie den Parameter resource auf den Ressourcenserver, der den Typ deklariert, oder fordern Sie für jeden ' +
    'Ressourcenserver ein eigenes Token an.',
  'refusal.details-none-left.rule':
    'Ein Token ohne Scope braucht mindestens ein Detail eines Typs, den seine Ressourcenserver deklarieren.',
  'refusal.details-none-left.expected': 'ein deklarierter Typ',
  'refusal.details-none-left.seen': 'nichts',
  'refusal.details-none-left.advice':
    'Fragen Sie den Besitzer des Ressourcenservers, warum er die Typen nicht mehr deklariert. Beginnen ' +
    'Sie danach eine neue Autorisierung.',
};

/** Explanations of refusals: authorization details. */
export const refusalDetails = { en, de };
