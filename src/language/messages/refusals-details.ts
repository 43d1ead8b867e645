const en = {
  'refusal.details-malformed.rule':
    'authorization_details is a JSON list of objects with a type (RFC 9396 §2), within limits.',
  'refusal.details-malformed.seen': '{length} characters in a different form',
  'refusal.details-malformed.advice':
    'Send the JSON text of the list, percent-encoded. In a request object, send the list itself.',
  'refusal.details-type-unknown.rule': 'A resource server must declare the type of each authorization detail.',
  'refusal.details-type-unknown.advice':
    'Send a declared type, spelled exactly. Or have the owner of the resource server declare it: on its page, or ' +
    'with grantlog resource update URI --detail-types FILE.',
  'refusal.details-type-not-allowed.rule':
    'A client that is registered for certain types of authorization details may request only these.',
  'refusal.details-type-not-allowed.advice':
    'Add the type to the registration of the application (authorization_details_types).',
  'refusal.details-schema.rule':
    'An authorization detail satisfies the JSON Schema that the resource server declares for its type.',
  'refusal.details-schema.expected': 'a detail that satisfies {keyword}',
  'refusal.details-schema.seen': 'a detail that does not',
  'refusal.details-schema.seen-2': 'a value of {member} that does not',
  'refusal.details-schema.advice':
    'Compare the detail with the documentation of the API. The owner of the resource server sees the schema.',
  'refusal.details-need-consent.rule':
    'Users consent to authorization details on a page, which this grant type does not show.',
  'refusal.details-need-consent.expected': 'the authorization_code grant type',
  'refusal.details-need-consent.advice': 'Send the user to the authorization endpoint.',
  'refusal.details-not-granted.rule':
    'A token request can ask for granted details, and narrow them by shortening lists of strings, but in no other ' +
    'way (RFC 9396 §6).',
  'refusal.details-not-granted.expected': 'no authorization_details',
  'refusal.details-not-granted.expected-2': 'a part of a granted detail: {granted}',
  'refusal.details-not-granted.seen': 'more, in a detail of the type {type}',
  'refusal.details-not-granted.advice':
    'Omit authorization_details to get what was granted. For more, send the user through authorization again.',
  'refusal.details-of-other-resource.rule': 'A token has only details of its own resource servers.',
  'refusal.details-of-other-resource.expected': 'types that {resource} declares',
  'refusal.details-of-other-resource.advice':
    'Send the resource server that declares the type as resource, or request a token for each.',
  'refusal.details-none-left.rule':
    'A token without scope needs at least one detail of a type that its resource servers declare.',
  'refusal.details-none-left.expected': 'a declared type',
  'refusal.details-none-left.seen': 'none',
  'refusal.details-none-left.advice':
    'Ask the owner of the resource server why it no longer declares the types. Then authorize again.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.details-malformed.rule':
    'authorization_details ist eine JSON-Liste von Objekten mit einem type (RFC 9396 §2), innerhalb von Grenzen.',
  'refusal.details-malformed.seen': '{length} Zeichen in anderer Form',
  'refusal.details-malformed.advice':
    'Senden Sie den JSON-Text der Liste mit Prozentkodierung. In einem Request-Objekt senden Sie die Liste selbst.',
  'refusal.details-type-unknown.rule': 'Ein Ressourcenserver muss den Typ jedes Autorisierungsdetails deklarieren.',
  'refusal.details-type-unknown.advice':
    'Senden Sie einen deklarierten Typ, in genau dieser Schreibweise. Oder lassen Sie den Besitzer des ' +
    'Ressourcenservers ihn deklarieren: auf dessen Seite oder mit grantlog resource update URI --detail-types FILE.',
  'refusal.details-type-not-allowed.rule':
    'Ein Client, der für bestimmte Typen von Autorisierungsdetails registriert ist, darf nur diese anfordern.',
  'refusal.details-type-not-allowed.advice':
    'Fügen Sie den Typ der Registrierung der Anwendung hinzu (authorization_details_types).',
  'refusal.details-schema.rule':
    'Ein Autorisierungsdetail erfüllt das JSON-Schema, das der Ressourcenserver für seinen Typ deklariert.',
  'refusal.details-schema.expected': 'ein Detail, das {keyword} erfüllt',
  'refusal.details-schema.seen': 'ein Detail, das es nicht erfüllt',
  'refusal.details-schema.seen-2': 'ein Wert von {member}, der es nicht erfüllt',
  'refusal.details-schema.advice':
    'Vergleichen Sie das Detail mit der Dokumentation der API. Der Besitzer des Ressourcenservers sieht das Schema.',
  'refusal.details-need-consent.rule':
    'Benutzer stimmen Autorisierungsdetails auf einer Seite zu, die dieser Grant-Typ nicht zeigt.',
  'refusal.details-need-consent.expected': 'der Grant-Typ authorization_code',
  'refusal.details-need-consent.advice': 'Senden Sie den Benutzer zum Autorisierungsendpunkt.',
  'refusal.details-not-granted.rule':
    'Eine Token-Anfrage kann zugelassene Details anfordern und sie verkleinern, indem sie Listen von Texten kürzt, ' +
    'aber nicht anders (RFC 9396 §6).',
  'refusal.details-not-granted.expected': 'kein authorization_details',
  'refusal.details-not-granted.expected-2': 'ein Teil eines zugelassenen Details: {granted}',
  'refusal.details-not-granted.seen': 'mehr, in einem Detail des Typs {type}',
  'refusal.details-not-granted.advice':
    'Lassen Sie authorization_details weg, um zu bekommen, was zugelassen wurde. Für mehr senden Sie den Benutzer ' +
    'noch einmal durch die Autorisierung.',
  'refusal.details-of-other-resource.rule': 'Ein Token hat nur Details seiner eigenen Ressourcenserver.',
  'refusal.details-of-other-resource.expected': 'Typen, die {resource} deklariert',
  'refusal.details-of-other-resource.advice':
    'Nennen Sie als resource den Ressourcenserver, der den Typ deklariert, oder fordern Sie für jeden ein Token an.',
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
