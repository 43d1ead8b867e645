const en = {
  'refusal.scope-missing.rule': 'The {grant} grant type has no default scope on this server.',
  'refusal.scope-missing.expected': 'the scope parameter',
  'refusal.scope-missing.seen': 'none',
  'refusal.scope-missing.advice': 'Request scopes by name, or have the operator set defaultScopes.',
  'refusal.scope-malformed.rule':
    'Scope names consist of printable ASCII characters and are separated by single spaces (RFC 6749 §3.3).',
  'refusal.scope-malformed.expected': 'names without quotes or backslashes',
  'refusal.scope-malformed.seen': 'a character that is not allowed',
  'refusal.scope-malformed.advice':
    'Separate the names with spaces instead of commas, do not send a JSON array, and percent-encode the parameter.',
  'refusal.scope-unknown.rule': 'Every requested scope must be defined on this server.',
  'refusal.scope-unknown.advice':
    'Request only scopes that the scopes setting or a resource server defines, and spell them exactly as defined.',
  'refusal.scope-restricted.rule':
    'An application can have restricted scopes only if an administrator or the operator has allowed them.',
  'refusal.scope-restricted.expected': 'permission from an administrator or the operator',
  'refusal.scope-restricted.advice':
    'An administrator can allow {scope} on the Restricted scopes page of the application; the operator can use ' +
    'grantlog client update --allow-scope.',
  'refusal.scope-needs-role.rule': 'Only auditors and administrators can delegate the {scope} scope.',
  'refusal.scope-needs-role.expected': 'a user with the auditor or administrator role',
  'refusal.scope-needs-role.seen': 'a user with neither role',
  'refusal.scope-needs-role.advice':
    'Do not request the scope for other users, or ask an administrator to give this user one of these roles.',
  'refusal.scope-needs-client.rule': 'A client can have the {scope} scope only for itself. Users cannot delegate it.',
  'refusal.scope-needs-client.expected': 'the client_credentials grant type',
  'refusal.scope-needs-client.seen': 'a request for access delegated by a user',
  'refusal.scope-needs-client.advice':
    'Request {scope} with grant_type=client_credentials. Users administer the server on its web pages.',
  'refusal.scope-needs-login.rule': 'The {scope} scope is only for the grant types with which users log in here.',
  'refusal.scope-needs-login.expected': 'the authorization_code or device_code grant type',
  'refusal.scope-needs-login.advice': 'Use one of these grant types, or do not request {scope}.',
  'refusal.scope-not-granted.rule': 'A refresh can narrow the scope but not widen it (RFC 6749 §6).',
  'refusal.scope-not-granted.expected': 'one or more of: {granted}',
  'refusal.scope-not-granted.seen': 'also {missing}',
  'refusal.scope-not-granted.advice':
    'Omit scope to get everything that was granted. To request more, send the user through authorization again.',
  'refusal.scope-not-of-resource.rule':
    'A token for a resource server can have only scopes that the resource server defines.',
  'refusal.scope-not-of-resource.expected': 'one or more of: {defined}',
  'refusal.scope-not-of-resource.advice': 'Request scopes of this resource server, or omit scope.',
  'refusal.scope-of-several-resources.rule':
    'If several resource servers define a scope, the request must specify one of them.',
  'refusal.scope-of-several-resources.expected': 'the resource parameter',
  'refusal.scope-of-several-resources.seen': 'only the {scope} scope',
  'refusal.scope-of-several-resources.advice': 'Send the URI of the resource server as resource (RFC 8707).',
  'refusal.resources-disagree.rule':
    'A token has one format and one signing algorithm, which its resource servers determine.',
  'refusal.resources-disagree.expected': 'resource servers with the same settings',
  'refusal.resources-disagree.advice': 'Request a separate token for each of them, with one resource parameter.',
  'refusal.token-algorithm-forbidden.rule':
    'FAPI 2.0, the profile of the application, limits the signature algorithms of access tokens (§5.4.1).',
  'refusal.token-algorithm-forbidden.seen': '{seen} for the application',
  'refusal.token-algorithm-forbidden.seen-2': '{seen} for {resources}',
  'refusal.token-algorithm-forbidden.advice':
    'Change the algorithm of the application: grantlog client update ID --access-token-algorithm {first}.',
  'refusal.token-algorithm-forbidden.advice-2':
    'Request a token for other resource servers, or have the operator change the algorithm of these: grantlog ' +
    'resource update URI --access-token-algorithm {first}.',
  'refusal.too-many-resources.rule': 'The number of resource servers in a request is limited.',
  'refusal.too-many-resources.expected': 'at most {limit}',
  'refusal.too-many-resources.advice': 'Request several tokens, each for some of the resource servers.',
  'refusal.resource-malformed.rule': 'resource must be an absolute URI without a fragment (RFC 8707 §2).',
  'refusal.resource-malformed.expected': 'a URI such as https://api.example',
  'refusal.resource-malformed.advice': 'Send the full URI of the resource server.',
  'refusal.resource-unknown.rule': 'A token can be restricted only to resource servers that are known to this server.',
  'refusal.resource-unknown.advice':
    'Send the URI of a known resource server, or have yours registered: on the Resource servers page, or with ' +
    'grantlog resource add.',
  'refusal.resource-not-granted.rule':
    'Only resource servers that the grant includes can be requested (RFC 8707 §2.2).',
  'refusal.resource-not-granted.seen': 'also {missing}',
  'refusal.resource-not-granted.advice': 'Include the resource server in the authorization request.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.scope-missing.rule': 'Der Grant-Typ {grant} hat auf diesem Server keinen Standard-Scope.',
  'refusal.scope-missing.expected': 'der Parameter scope',
  'refusal.scope-missing.seen': 'nichts',
  'refusal.scope-missing.advice':
    'Fordern Sie Scopes mit Namen an, oder lassen Sie den Betreiber defaultScopes setzen.',
  'refusal.scope-malformed.rule':
    'Namen von Scopes bestehen aus druckbarem ASCII und sind durch einzelne Leerzeichen getrennt (RFC 6749 §3.3).',
  'refusal.scope-malformed.expected': 'Namen ohne Anführungszeichen und Backslashes',
  'refusal.scope-malformed.seen': 'ein Zeichen, das nicht erlaubt ist',
  'refusal.scope-malformed.advice':
    'Trennen Sie die Namen durch Leerzeichen statt durch Kommas, senden Sie keine JSON-Liste, und verwenden Sie für ' +
    'den Parameter die Prozentkodierung.',
  'refusal.scope-unknown.rule': 'Jeder angeforderte Scope muss auf diesem Server definiert sein.',
  'refusal.scope-unknown.advice':
    'Fordern Sie nur Scopes an, die in der Einstellung scopes oder von einem Ressourcenserver definiert sind, in ' +
    'genau dieser Schreibweise.',
  'refusal.scope-restricted.rule':
    'Eine Anwendung kann eingeschränkte Scopes nur haben, wenn ein Administrator oder der Betreiber sie erlaubt hat.',
  'refusal.scope-restricted.expected': 'die Erlaubnis eines Administrators oder des Betreibers',
  'refusal.scope-restricted.advice':
    'Ein Administrator kann {scope} auf der Seite der eingeschränkten Scopes der Anwendung erlauben, der Betreiber ' +
    'mit grantlog client update --allow-scope.',
  'refusal.scope-needs-role.rule': 'Nur Prüfer und Administratoren können den Scope {scope} weitergeben.',
  'refusal.scope-needs-role.expected': 'ein Benutzer mit der Rolle Prüfer oder Administrator',
  'refusal.scope-needs-role.seen': 'ein Benutzer ohne eine dieser Rollen',
  'refusal.scope-needs-role.advice':
    'Fordern Sie den Scope nicht für andere Benutzer an, oder bitten Sie einen Administrator, diesem Benutzer eine ' +
    'dieser Rollen zu geben.',
  'refusal.scope-needs-client.rule':
    'Ein Client kann den Scope {scope} nur für sich selbst haben. Benutzer können ihn nicht weitergeben.',
  'refusal.scope-needs-client.expected': 'der Grant-Typ client_credentials',
  'refusal.scope-needs-client.seen': 'eine Anfrage nach dem Zugriff eines Benutzers',
  'refusal.scope-needs-client.advice':
    'Fordern Sie {scope} mit grant_type=client_credentials an. Benutzer verwalten den Server auf seinen Seiten.',
  'refusal.scope-needs-login.rule':
    'Der Scope {scope} ist nur für die Grant-Typen, bei denen sich Benutzer hier anmelden.',
  'refusal.scope-needs-login.expected': 'der Grant-Typ authorization_code oder device_code',
  'refusal.scope-needs-login.advice': 'Verwenden Sie einen dieser Grant-Typen, oder fordern Sie {scope} nicht an.',
  'refusal.scope-not-granted.rule': 'Eine Erneuerung kann den Scope verkleinern, aber nicht erweitern (RFC 6749 §6).',
  'refusal.scope-not-granted.expected': 'ein Teil von: {granted}',
  'refusal.scope-not-granted.seen': 'außerdem {missing}',
  'refusal.scope-not-granted.advice':
    'Lassen Sie scope weg, um alles zu bekommen, was zugelassen wurde. Für mehr senden Sie den Benutzer noch einmal ' +
    'durch die Autorisierung.',
  'refusal.scope-not-of-resource.rule':
    'Ein Token für einen Ressourcenserver hat nur Scopes, die der Ressourcenserver definiert.',
  'refusal.scope-not-of-resource.expected': 'ein Teil von: {defined}',
  'refusal.scope-not-of-resource.advice': 'Fordern Sie Scopes dieses Ressourcenservers an, oder lassen Sie scope weg.',
  'refusal.scope-of-several-resources.rule':
    'Definieren mehrere Ressourcenserver einen Scope, muss die Anfrage einen davon angeben.',
  'refusal.scope-of-several-resources.expected': 'der Parameter resource',
  'refusal.scope-of-several-resources.seen': 'nur der Scope {scope}',
  'refusal.scope-of-several-resources.advice': 'Senden Sie die URI des Ressourcenservers als resource (RFC 8707).',
  'refusal.resources-disagree.rule':
    'Ein Token hat ein Format und einen Signaturalgorithmus, die seine Ressourcenserver festlegen.',
  'refusal.resources-disagree.expected': 'Ressourcenserver mit gleichen Einstellungen',
  'refusal.resources-disagree.advice': 'Fordern Sie für jeden ein eigenes Token an, mit einem Parameter resource.',
  'refusal.token-algorithm-forbidden.rule':
    'FAPI 2.0, das Profil der Anwendung, begrenzt die Signaturalgorithmen von Zugriffstoken (§5.4.1).',
  'refusal.token-algorithm-forbidden.seen': '{seen} für die Anwendung',
  'refusal.token-algorithm-forbidden.seen-2': '{seen} für {resources}',
  'refusal.token-algorithm-forbidden.advice':
    'Ändern Sie den Algorithmus der Anwendung: grantlog client update ID --access-token-algorithm {first}.',
  'refusal.token-algorithm-forbidden.advice-2':
    'Fordern Sie ein Token für andere Ressourcenserver an, oder lassen Sie den Betreiber den Algorithmus von diesen ' +
    'ändern: grantlog resource update URI --access-token-algorithm {first}.',
  'refusal.too-many-resources.rule': 'Die Anzahl der Ressourcenserver in einer Anfrage ist begrenzt.',
  'refusal.too-many-resources.expected': 'höchstens {limit}',
  'refusal.too-many-resources.advice': 'Fordern Sie mehrere Token an, jedes für einen Teil davon.',
  'refusal.resource-malformed.rule': 'resource muss eine absolute URI ohne Fragment sein (RFC 8707 §2).',
  'refusal.resource-malformed.expected': 'eine URI wie https://api.example',
  'refusal.resource-malformed.advice': 'Senden Sie die vollständige URI des Ressourcenservers.',
  'refusal.resource-unknown.rule': 'Token lassen sich nur auf Ressourcenserver einschränken, die dieser Server kennt.',
  'refusal.resource-unknown.advice':
    'Senden Sie die URI eines bekannten Ressourcenservers, oder lassen Sie Ihren registrieren: auf der Seite ' +
    '„Ressourcenserver“ oder mit grantlog resource add.',
  'refusal.resource-not-granted.rule': 'Angefordert werden können nur Ressourcenserver des Grants (RFC 8707 §2.2).',
  'refusal.resource-not-granted.seen': 'außerdem {missing}',
  'refusal.resource-not-granted.advice': 'Nennen Sie den Ressourcenserver in der Autorisierungsanfrage.',
};

/** Explanations of refusals: scopes. */
export const refusalScopes = { en, de };
