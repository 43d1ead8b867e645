const en = {
  'refusal.scope-missing.rule': 'The {grant} grant type has no default scope on this server.',
  'refusal.scope-missing.expected': 'scope',
  'refusal.scope-missing.seen': 'none',
  'refusal.scope-missing.advice': 'Request scopes by name. The operator can set defaultScopes.',
  'refusal.scope-malformed.rule': 'Scope names are printable ASCII, separated by single spaces (RFC 6749 §3.3).',
  'refusal.scope-malformed.expected': 'names without quotes and backslashes',
  'refusal.scope-malformed.seen': 'a different character',
  'refusal.scope-malformed.advice':
    'Separate the names with spaces, not with commas or as a JSON array, and percent-encode the parameter.',
  'refusal.scope-unknown.rule': 'Every requested scope must be defined on this server.',
  'refusal.scope-unknown.advice':
    'Request defined scopes, spelled exactly as defined: in the scopes setting, or by a resource server.',
  'refusal.scope-restricted.rule':
    'Restricted scopes are only for applications that an administrator or the operator has allowed to have them.',
  'refusal.scope-restricted.expected': 'the permission of an administrator or the operator',
  'refusal.scope-restricted.advice':
    'An administrator can allow {scope} for the application: on its page of restricted scopes, or with grantlog ' +
    'client update --allow-scope.',
  'refusal.scope-needs-role.rule': 'Only auditors and administrators can delegate the {scope} scope.',
  'refusal.scope-needs-role.expected': 'a user with the auditor or administrator role',
  'refusal.scope-needs-role.seen': 'a user without it',
  'refusal.scope-needs-role.advice':
    'Do not request the scope for other users, or ask an administrator to give this user the role.',
  'refusal.scope-needs-client.rule': 'A client has the {scope} scope for itself. No user delegates it.',
  'refusal.scope-needs-client.expected': 'the client_credentials grant type',
  'refusal.scope-needs-client.seen': 'a request for the access of a user',
  'refusal.scope-needs-client.advice':
    'Request {scope} with grant_type=client_credentials. Users administer the server on its pages.',
  'refusal.scope-needs-login.rule':
    'The {scope} scope is about a user who logs in here, which only happens at the authorization endpoint.',
  'refusal.scope-needs-login.expected': 'the authorization_code grant type',
  'refusal.scope-needs-login.advice': 'Send the user to the authorization endpoint, or do not request {scope}.',
  'refusal.scope-not-granted.rule': 'A refresh can narrow the scope but not widen it (RFC 6749 §6).',
  'refusal.scope-not-granted.expected': 'some of: {granted}',
  'refusal.scope-not-granted.seen': 'also {missing}',
  'refusal.scope-not-granted.advice':
    'Omit scope to get everything that was granted. For more, send the user through authorization again.',
  'refusal.scope-not-of-resource.rule':
    'A token for a resource server can have only scopes that the resource server defines.',
  'refusal.scope-not-of-resource.expected': 'some of: {defined}',
  'refusal.scope-not-of-resource.advice': 'Request scopes of this resource server, or omit scope.',
  'refusal.scope-of-several-resources.rule':
    'If several resource servers define a scope, the request must say which one it is for.',
  'refusal.scope-of-several-resources.expected': 'resource',
  'refusal.scope-of-several-resources.seen': 'only the {scope} scope',
  'refusal.scope-of-several-resources.advice': 'Send the URI of the resource server as resource (RFC 8707).',
  'refusal.resources-disagree.rule':
    'A token has one format and one signing algorithm, which its resource servers set.',
  'refusal.resources-disagree.expected': 'resource servers with equal settings',
  'refusal.resources-disagree.advice': 'Request a token for each of them, with one resource parameter.',
  'refusal.token-algorithm-forbidden.rule':
    'FAPI 2.0, the profile of the application, limits the signature algorithms of access tokens (§5.4.1).',
  'refusal.token-algorithm-forbidden.seen': '{seen}, for the application',
  'refusal.token-algorithm-forbidden.seen-2': '{seen}, for {resources}',
  'refusal.token-algorithm-forbidden.advice':
    'Change the algorithm of the application: grantlog client update ID --access-token-algorithm {first}.',
  'refusal.token-algorithm-forbidden.advice-2':
    'Request a token for other resource servers. Or have the operator change the algorithm of this one: grantlog ' +
    'resource update URI --access-token-algorithm {first}.',
  'refusal.too-many-resources.rule': 'The number of resource servers in a request is limited.',
  'refusal.too-many-resources.expected': 'at most {limit}',
  'refusal.too-many-resources.advice': 'Request several tokens, each for some of the resource servers.',
  'refusal.resource-malformed.rule': 'resource must be an absolute URI without a fragment (RFC 8707 §2).',
  'refusal.resource-malformed.expected': 'a URI such as https://api.example',
  'refusal.resource-malformed.advice': 'Send the full URI of the resource server.',
  'refusal.resource-unknown.rule': 'Tokens can only be restricted to resource servers that this server knows.',
  'refusal.resource-unknown.advice':
    'Send a known one, or have yours registered: on the Resource servers page, or with grantlog resource add.',
  'refusal.resource-not-granted.rule': 'Only resource servers of the grant can be requested (RFC 8707 §2.2).',
  'refusal.resource-not-granted.seen': 'also {missing}',
  'refusal.resource-not-granted.advice': 'Include the resource server in the authorization request.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.scope-missing.rule': 'Der Grant-Typ {grant} hat auf diesem Server keinen Standard-Scope.',
  'refusal.scope-missing.expected': 'scope',
  'refusal.scope-missing.seen': 'nichts',
  'refusal.scope-missing.advice': 'Fordern Sie Scopes mit Namen an. Der Betreiber kann defaultScopes setzen.',
  'refusal.scope-malformed.rule':
    'Namen von Scopes bestehen aus druckbarem ASCII und sind durch einzelne Leerzeichen getrennt (RFC 6749 §3.3).',
  'refusal.scope-malformed.expected': 'Namen ohne Anführungszeichen und Backslashes',
  'refusal.scope-malformed.seen': 'ein anderes Zeichen',
  'refusal.scope-malformed.advice':
    'Trennen Sie die Namen durch Leerzeichen, nicht durch Kommas oder als JSON-Liste, und verwenden Sie für den ' +
    'Parameter die Prozentkodierung.',
  'refusal.scope-unknown.rule': 'Jeder angeforderte Scope muss auf diesem Server definiert sein.',
  'refusal.scope-unknown.advice':
    'Fordern Sie definierte Scopes an, in genau dieser Schreibweise. Sie sind in der Einstellung scopes und bei den ' +
    'Ressourcenservern definiert.',
  'refusal.scope-restricted.rule':
    'Eingeschränkte Scopes sind nur für Anwendungen, denen ein Administrator oder der Betreiber sie erlaubt hat.',
  'refusal.scope-restricted.expected': 'die Erlaubnis eines Administrators oder des Betreibers',
  'refusal.scope-restricted.advice':
    'Ein Administrator kann {scope} für die Anwendung erlauben: auf ihrer Seite der eingeschränkten Scopes oder mit ' +
    'grantlog client update --allow-scope.',
  'refusal.scope-needs-role.rule': 'Nur Prüfer und Administratoren können den Scope {scope} weitergeben.',
  'refusal.scope-needs-role.expected': 'ein Benutzer mit der Rolle Prüfer oder Administrator',
  'refusal.scope-needs-role.seen': 'ein Benutzer ohne diese Rolle',
  'refusal.scope-needs-role.advice':
    'Fordern Sie den Scope nicht für andere Benutzer an, oder bitten Sie einen Administrator, diesem Benutzer die ' +
    'Rolle zu geben.',
  'refusal.scope-needs-client.rule': 'Ein Client hat den Scope {scope} für sich selbst. Kein Benutzer gibt ihn weiter.',
  'refusal.scope-needs-client.expected': 'der Grant-Typ client_credentials',
  'refusal.scope-needs-client.seen': 'eine Anfrage nach dem Zugriff eines Benutzers',
  'refusal.scope-needs-client.advice':
    'Fordern Sie {scope} mit grant_type=client_credentials an. Benutzer verwalten den Server auf seinen Seiten.',
  'refusal.scope-needs-login.rule':
    'Der Scope {scope} betrifft einen Benutzer, der sich hier anmeldet, und das geschieht nur am ' +
    'Autorisierungsendpunkt.',
  'refusal.scope-needs-login.expected': 'der Grant-Typ authorization_code',
  'refusal.scope-needs-login.advice':
    'Senden Sie den Benutzer zum Autorisierungsendpunkt, oder fordern Sie {scope} nicht an.',
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
    'Definieren mehrere Ressourcenserver einen Scope, muss die Anfrage angeben, für welchen davon er ist.',
  'refusal.scope-of-several-resources.expected': 'resource',
  'refusal.scope-of-several-resources.seen': 'nur der Scope {scope}',
  'refusal.scope-of-several-resources.advice': 'Senden Sie die URI des Ressourcenservers als resource (RFC 8707).',
  'refusal.resources-disagree.rule':
    'Ein Token hat ein Format und einen Signaturalgorithmus, die seine Ressourcenserver festlegen.',
  'refusal.resources-disagree.expected': 'Ressourcenserver mit gleichen Einstellungen',
  'refusal.resources-disagree.advice': 'Fordern Sie für jeden ein eigenes Token an, mit einem Parameter resource.',
  'refusal.token-algorithm-forbidden.rule':
    'FAPI 2.0, das Profil der Anwendung, begrenzt die Signaturalgorithmen von Zugriffstoken (§5.4.1).',
  'refusal.token-algorithm-forbidden.seen': '{seen}, für die Anwendung',
  'refusal.token-algorithm-forbidden.seen-2': '{seen}, für {resources}',
  'refusal.token-algorithm-forbidden.advice':
    'Ändern Sie den Algorithmus der Anwendung: grantlog client update ID --access-token-algorithm {first}.',
  'refusal.token-algorithm-forbidden.advice-2':
    'Fordern Sie ein Token für andere Ressourcenserver an. Oder lassen Sie den Betreiber den Algorithmus dieses ' +
    'Ressourcenservers ändern: grantlog resource update URI --access-token-algorithm {first}.',
  'refusal.too-many-resources.rule': 'Die Anzahl der Ressourcenserver in einer Anfrage ist begrenzt.',
  'refusal.too-many-resources.expected': 'höchstens {limit}',
  'refusal.too-many-resources.advice': 'Fordern Sie mehrere Token an, jedes für einen Teil davon.',
  'refusal.resource-malformed.rule': 'resource muss eine absolute URI ohne Fragment sein (RFC 8707 §2).',
  'refusal.resource-malformed.expected': 'eine URI wie https://api.example',
  'refusal.resource-malformed.advice': 'Senden Sie die vollständige URI des Ressourcenservers.',
  'refusal.resource-unknown.rule': 'Token lassen sich nur auf Ressourcenserver einschränken, die dieser Server kennt.',
  'refusal.resource-unknown.advice':
    'Senden Sie einen bekannten, oder lassen Sie Ihren registrieren: auf der Seite „Ressourcenserver“ oder mit ' +
    'grantlog resource add.',
  'refusal.resource-not-granted.rule': 'Angefordert werden können nur Ressourcenserver des Grants (RFC 8707 §2.2).',
  'refusal.resource-not-granted.seen': 'außerdem {missing}',
  'refusal.resource-not-granted.advice': 'Nennen Sie den Ressourcenserver in der Autorisierungsanfrage.',
};

/** Explanations of refusals: scopes. */
export const refusalScopes = { en, de };
