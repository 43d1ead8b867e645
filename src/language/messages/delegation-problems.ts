const en = {
  'policy-problem.unknown-subject': 'No application has this client id, so there are no tokens to exchange.',
  'policy-problem.unknown-client': 'No application has this client id.',
  'policy-problem.public-client': 'Only a confidential application can exchange tokens.',
  'policy-problem.no-effect': '{client} is not registered for token exchange, so the policy has no effect yet.',
  'policy-problem.modes': 'Choose {choices} or both.',
  'policy-problem.no-scope': 'Enter at least one scope, or allow all scopes of the subject token.',
  'policy-problem.many-scopes': 'A policy can list at most {limit} scopes.',
  'policy-problem.own-scope': 'An exchange cannot grant the scope {scope}.',
  'policy-problem.unknown-scope': 'The scope {scope} is neither in the settings nor defined by a resource server.',
  'policy-problem.scope-form':
    'A scope can have at most {limit} printable ASCII characters, without spaces, quotes or backslashes.',
  'policy-problem.no-resource': 'Enter at least one resource server, or allow those of the subject token.',
  'policy-problem.many-resources': 'A policy can list at most {limit} resource servers.',
  'policy-problem.unknown-resource':
    'The resource server {uri} is not known: register it, or add it to the resources setting.',
  'policy-problem.resource-form':
    'The URI of a resource server must be absolute, without a fragment, and have at most {limit} characters.',
  'policy-problem.removed': 'The policy has just been removed.',
  'issuer-problem.issuer': 'Enter an issuer with 1 to {limit} visible characters without spaces, such as an https URL.',
  'issuer-problem.own-issuer': 'This is the issuer of this server itself; its tokens need no entry here.',
  'issuer-problem.no-keys': 'Enter public keys or the URL of the key set.',
  'issuer-problem.keys-and-address': 'Enter either public keys or the URL of the key set, not both.',
  'issuer-problem.address': 'The URL {problem}.',
  'issuer-problem.many-audiences': 'Enter at most {limit} audiences.',
  'issuer-problem.audience': 'An audience can have at most {limit} visible characters.',
  'issuer-problem.uses': 'Choose at least one of {choices}.',
  'issuer-problem.mapping': 'Choose one of {choices}.',
  'issuer-problem.users-without-table': 'Users can be entered only if subjects are looked up in the table.',
  'issuer-problem.claim-without-names': 'A claim can be entered only if users are found by user name.',
  'issuer-problem.name-claim': 'The name of a claim can have at most {limit} characters.',
  'issuer-problem.table': 'The table must have 1 to {limit} subjects.',
  'issuer-problem.line': 'Each line must consist of a subject, an equals sign and a user name.',
  'issuer-problem.unknown-user': 'Nobody has the user name {username}.',
  'issuer-problem.ambiguous-line': 'The line {line} is ambiguous: more than one user matches it.',
  'issuer-problem.repeated-subject': 'The subject of {username} is also assigned to another user.',
  'issuer-problem.many-claims': 'At most {limit} claims can be required.',
  'issuer-problem.claim':
    'A required claim consists of a name, an equals sign and a value, such as repository=acme/api.',
  'issuer-problem.no-client': 'Enter at least one application.',
  'issuer-problem.clients': 'Enter at most {limit} applications.',
  'issuer-problem.unknown-client': 'No application has the client id {client}.',
  'issuer-problem.public-client': 'The application {client} is public; it must be confidential.',
  'issuer-problem.no-scope': 'Enter at least one scope. Tokens get only the scopes entered here.',
  'issuer-problem.scopes': 'Enter at most {limit} scopes.',
  'issuer-problem.own-scope': 'The scope {scope} needs a login here, so another issuer cannot grant it.',
  'issuer-problem.no-resource': 'Enter at least one resource server, or do not limit the resource servers.',
  'issuer-problem.many-resources': 'Enter at most {limit} resource servers.',
  'issuer-problem.removed': 'The issuer has just been removed.',
  'issuer-problem.seconds': 'Enter a whole number of seconds from {minimum} to {maximum}.',
  'group.name-taken': 'A group named {group} already exists.',
  'group.name-invalid': 'A group name must have 1 to {limit} characters and no invisible characters.',
  'scope-problem.taken': 'A scope with this name already exists.',
  'scope-problem.built-in': 'A built-in scope cannot be removed.',
  'scope-problem.unknown': 'There is no such scope.',
  'scope-problem.no-name': 'Enter a name.',
  'scope-problem.name': 'Enter at most {limit} printable ASCII characters, without spaces, quotes or backslashes.',
  'scope-problem.long-description': 'Enter at most {limit} characters.',
  'scope-problem.description-characters':
    'The description contains control characters or marks that change the text direction. Type it again without them.',
  'scope-problem.no-description': 'Describe what the scope gives access to.',
  'scope-problem.icon': 'Choose one of {choices}, or none.',
  'scope-problem.sensitivity': 'Choose one of {choices}.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'policy-problem.unknown-subject': 'Keine Anwendung hat diese Client-ID, deshalb gibt es keine Token zu tauschen.',
  'policy-problem.unknown-client': 'Keine Anwendung hat diese Client-ID.',
  'policy-problem.public-client': 'Nur eine vertrauliche Anwendung kann Token tauschen.',
  'policy-problem.no-effect':
    '{client} ist nicht für den Tausch von Token registriert. Deshalb hat die Tauschregel noch keine Wirkung.',
  'policy-problem.modes': 'Wählen Sie {choices} oder beides.',
  'policy-problem.no-scope': 'Nennen Sie mindestens einen Scope, oder erlauben Sie alle Scopes des Subject-Tokens.',
  'policy-problem.many-scopes': 'Eine Tauschregel kann höchstens {limit} Scopes nennen.',
  'policy-problem.own-scope': 'Ein Tausch kann den Scope {scope} nicht vergeben.',
  'policy-problem.unknown-scope':
    'Der Scope {scope} steht nicht in den Einstellungen, und kein Ressourcenserver definiert ihn.',
  'policy-problem.scope-form':
    'Ein Scope hat höchstens {limit} ASCII-Zeichen, ohne Leerzeichen, Anführungszeichen und umgekehrten Schrägstrich.',
  'policy-problem.no-resource':
    'Nennen Sie mindestens einen Ressourcenserver, oder erlauben Sie die des Subject-Tokens.',
  'policy-problem.many-resources': 'Eine Tauschregel kann höchstens {limit} Ressourcenserver nennen.',
  'policy-problem.unknown-resource':
    'Der Ressourcenserver {uri} ist unbekannt: Registrieren Sie ihn, oder nennen Sie ihn in der Einstellung resources.',
  'policy-problem.resource-form':
    'Die URI eines Ressourcenservers muss absolut sein, ohne Fragment, und darf höchstens {limit} Zeichen haben.',
  'policy-problem.removed': 'Die Tauschregel wurde gleichzeitig entfernt.',
  'issuer-problem.issuer':
    'Geben Sie einen Aussteller mit 1 bis {limit} sichtbaren Zeichen ohne Leerzeichen ein, zum Beispiel eine ' +
    'https-URL.',
  'issuer-problem.own-issuer': 'Das ist der Aussteller dieses Servers. Für dessen Token ist kein Eintrag nötig.',
  'issuer-problem.no-keys': 'Geben Sie öffentliche Schlüssel ein, oder die Adresse der Schlüssel.',
  'issuer-problem.keys-and-address':
    'Geben Sie entweder öffentliche Schlüssel oder die Adresse der Schlüssel ein, nicht beides.',
  'issuer-problem.address': 'Die Adresse {problem}.',
  'issuer-problem.many-audiences': 'Es sind höchstens {limit} Empfänger (Audiences) möglich.',
  'issuer-problem.audience': 'Ein Empfänger (Audience) hat höchstens {limit} sichtbare Zeichen.',
  'issuer-problem.uses': 'Wählen Sie mindestens eine dieser Möglichkeiten: {choices}.',
  'issuer-problem.mapping': 'Wählen Sie eine dieser Möglichkeiten: {choices}.',
  'issuer-problem.users-without-table':
    'Benutzer lassen sich nur eingeben, wenn Subjekte in der Tabelle gesucht werden.',
  'issuer-problem.claim-without-names':
    'Ein Claim lässt sich nur eingeben, wenn Benutzer anhand des Benutzernamens gefunden werden.',
  'issuer-problem.name-claim': 'Der Name eines Claims hat höchstens {limit} Zeichen.',
  'issuer-problem.table': 'Die Tabelle hat 1 bis {limit} Einträge.',
  'issuer-problem.line': 'Jede Zeile besteht aus einem Subjekt, einem Gleichheitszeichen und einem Benutzernamen.',
  'issuer-problem.unknown-user': 'Niemand hat den Benutzernamen {username}.',
  'issuer-problem.ambiguous-line': 'Die Zeile {line} ist mehrdeutig: Mehrere Benutzer passen zu ihr.',
  'issuer-problem.repeated-subject': 'Das Subjekt von {username} ist noch einem anderen Benutzer zugeordnet.',
  'issuer-problem.many-claims': 'Es können höchstens {limit} Claims verlangt werden.',
  'issuer-problem.claim':
    'Ein verlangter Claim besteht aus einem Namen, einem Gleichheitszeichen und einem Wert, zum Beispiel ' +
    'repository=acme/api.',
  'issuer-problem.no-client': 'Geben Sie mindestens eine Anwendung ein.',
  'issuer-problem.clients': 'Geben Sie höchstens {limit} Anwendungen ein.',
  'issuer-problem.unknown-client': 'Keine Anwendung hat die Client-ID {client}.',
  'issuer-problem.public-client': 'Die Anwendung {client} ist öffentlich; sie muss vertraulich sein.',
  'issuer-problem.no-scope': 'Geben Sie mindestens einen Scope ein. Die Token bekommen nur die eingegebenen Scopes.',
  'issuer-problem.scopes': 'Geben Sie höchstens {limit} Scopes ein.',
  'issuer-problem.own-scope':
    'Der Scope {scope} setzt eine Anmeldung bei diesem Server voraus. Ein anderer Aussteller kann ihn nicht vergeben.',
  'issuer-problem.no-resource': 'Nennen Sie mindestens einen Ressourcenserver, oder begrenzen Sie sie nicht.',
  'issuer-problem.many-resources': 'Es können höchstens {limit} Ressourcenserver genannt werden.',
  'issuer-problem.removed': 'Der Aussteller wurde gleichzeitig entfernt.',
  'issuer-problem.seconds': 'Geben Sie eine ganze Zahl von Sekunden von {minimum} bis {maximum} ein.',
  'group.name-taken': 'Eine Gruppe mit dem Namen {group} gibt es schon.',
  'group.name-invalid': 'Der Name einer Gruppe hat 1 bis {limit} Zeichen und keine unsichtbaren Zeichen.',
  'scope-problem.taken': 'Es gibt schon einen Scope mit diesem Namen.',
  'scope-problem.built-in': 'Ein eingebauter Scope kann nicht entfernt werden.',
  'scope-problem.unknown': 'Diesen Scope gibt es nicht.',
  'scope-problem.no-name': 'Geben Sie einen Namen ein.',
  'scope-problem.name':
    'Geben Sie höchstens {limit} druckbare ASCII-Zeichen ein, ohne Leerzeichen, Anführungszeichen und umgekehrten ' +
    'Schrägstrich.',
  'scope-problem.long-description': 'Geben Sie höchstens {limit} Zeichen ein.',
  'scope-problem.description-characters':
    'Die Beschreibung enthält Steuerzeichen oder Zeichen, die die Schreibrichtung ändern. Geben Sie sie ohne diese ' +
    'Zeichen ein.',
  'scope-problem.no-description': 'Geben Sie ein, worauf der Scope Zugriff gibt.',
  'scope-problem.icon': 'Wählen Sie eines dieser Symbole oder keines: {choices}.',
  'scope-problem.sensitivity': 'Wählen Sie eine dieser Möglichkeiten: {choices}.',
};

/** Problems with the entered settings of exchange policies, trusted issuers, groups and scopes. */
export const delegationProblems = { en, de };
