const en = {
  'setting.host': 'The address to listen on.',
  'setting.port': 'The port to listen on; 0 picks a free port and logs it.',
  'setting.dataDir': 'The directory of the log, the snapshots and the keys; created if it does not exist.',
  'setting.log':
    'The PostgreSQL database of the log, for several nodes. By default, the log is in dataDir, for one process. If ' +
    'the URL lists several hosts, the first primary is used.',
  'setting.archive':
    'The archive of a log in PostgreSQL: a directory that all nodes share. Without it, such a log cannot be ' +
    'archived. A log in dataDir has its archive there.',
  'setting.keys':
    'Where the keys are stored: a directory, which several nodes can share, or the word database for the database of ' +
    'the log. By default, the keys directory in dataDir.',
  'setting.keysSecret':
    'Encrypts keys that are stored in a database; not needed otherwise. If there are several secrets, the first one ' +
    'encrypts and all of them decrypt, so that a secret can be replaced.',
  'setting.keysBackupDays':
    'How many days you keep backups and write-ahead logs of a database with keys. The pages for erasing an account ' +
    'state this number.',
  'setting.issuer': 'The public base URL; never derived from a request. By default, http://localhost:PORT.',
  'setting.adminUsername':
    'The user name of the first administrator, who is created if none exists; requires adminPassword.',
  'setting.adminPassword': 'The first administrator’s password.',
  'setting.clientDocuments':
    'Which applications may describe themselves in a document at the https URL that is their client_id (Client ID ' +
    'Metadata Document): none, those from allowed domains, or all except those from blocked domains. Off by default, ' +
    'because otherwise the server requests URLs that strangers choose.',
  'setting.scopes':
    'The scopes that the server recognizes, with the descriptions shown on the consent page. For a scope with a ' +
    'default description, the page instead shows what the scope gives access to in the sample API.',
  'setting.defaultScopes':
    'The scopes of a request without a scope parameter; an empty list makes the parameter mandatory.',
  'setting.scopeDisplay':
    'How the consent page shows a scope: with an icon, and marked as sensitive if users should think twice. admin ' +
    'and audit are sensitive unless this setting makes them normal.',
  'setting.scopeClaims': 'The claims about a user that your own scopes give access to (OpenID Connect).',
  'setting.readScope': 'The scope that the read-write policy requires for GET, HEAD and OPTIONS.',
  'setting.writeScope': 'The scope that the read-write policy requires for every other method.',
  'setting.resources':
    'The resource servers that a token can be restricted to (RFC 8707), in addition to the issuer, which stands for ' +
    'the APIs of this server.',
  'setting.resourceRegistration':
    'Who can register resource servers on the pages: only administrators, or all users. Owners can always ' +
    'manage their own. The owner of a resource server writes the descriptions of its scopes on the consent page.',
  'setting.accessTokenLifetimeSeconds': 'How long an access token is valid.',
  'setting.signingKeyPeriodDays':
    'How many days a key signs tokens. The next key is published a week before it starts to sign, or half a ' +
    'period before, if that is shorter.',
  'setting.authorizationCodeLifetimeSeconds': 'How long an authorization code is valid.',
  'setting.refreshTokenLifetimeSeconds': 'How long a refresh token is valid; if not set, until it is used or revoked.',
  'setting.refreshReuseWindowSeconds':
    'How long a refresh token that is presented again gets the same response, for clients that did not receive it, ' +
    'and how long the previous access token stays valid after a refresh; 0 disables both.',
  'setting.loginUrl': 'Where the authorization endpoint sends a user who is not logged in.',
  'setting.jsonTokenRequests': 'Whether token requests may be JSON as well as forms.',
  'setting.approvalPrompt': 'Whether to ask for consent again when an earlier grant covers the request.',
  'setting.requirePkce': 'Which clients must send a PKCE challenge (RFC 7636).',
  'setting.requirePar': 'Whether every authorization request must be pushed (RFC 9126), regardless of the client.',
  'setting.pkceMethods': 'The PKCE challenge methods that the server accepts.',
  'setting.plainHttpRedirectUris': 'Whether redirect URIs may use http on hosts other than loopback.',
  'setting.redirectUriSchemes':
    'Schemes without a dot that redirect URIs of public clients may use; schemes such as com.example.app need no ' +
    'entry.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'setting.host': 'Die Adresse, auf der der Server Verbindungen annimmt.',
  'setting.port':
    'Der Port, auf dem der Server Verbindungen annimmt. Bei 0 wählt er einen freien und schreibt ihn in sein Log.',
  'setting.dataDir':
    'Das Verzeichnis des Protokolls, der Snapshots und der Schlüssel. Es wird angelegt, wenn es fehlt.',
  'setting.log':
    'Die PostgreSQL-Datenbank des Protokolls, für mehrere Knoten. Ohne sie liegt das Protokoll in dataDir, für ' +
    'einen einzigen Prozess. Von mehreren Hosts gilt der erste, der beschreibbar ist.',
  'setting.archive':
    'Das Archiv eines Protokolls in PostgreSQL: ein Verzeichnis, das sich alle Knoten teilen. Ohne dieses lässt ' +
    'sich ein solches Protokoll nicht archivieren. Ein Protokoll in dataDir hat sein Archiv dort.',
  'setting.keys':
    'Wo die Schlüssel liegen: in einem Verzeichnis, das sich mehrere Knoten teilen können, oder mit dem Wort ' +
    'database in der Datenbank des Protokolls. Ohne Angabe im Verzeichnis keys in dataDir.',
  'setting.keysSecret':
    'Verschlüsselt Schlüssel, die in einer Datenbank liegen; sonst wird es nicht gebraucht. Von mehreren ' +
    'Geheimnissen verschlüsselt das erste, und alle entschlüsseln. So lässt sich ein Geheimnis ersetzen.',
  'setting.keysBackupDays':
    'Wie viele Tage Sie Sicherungen und Write-Ahead-Logs einer Datenbank mit Schlüsseln aufbewahren. Die Seiten, ' +
    'auf denen ein Konto gelöscht wird, nennen diese Frist.',
  'setting.issuer':
    'Die öffentliche Adresse des Servers. Sie wird nie aus einer Anfrage abgeleitet. Ohne Angabe ' +
    'http://localhost:PORT.',
  'setting.adminUsername': 'Legt den ersten Administrator an, solange es keinen gibt. Dazu gehört adminPassword.',
  'setting.adminPassword': 'Das Passwort des ersten Administrators.',
  'setting.clientDocuments':
    'Welche Anwendungen sich selbst in einem Dokument unter der https-URL beschreiben dürfen, die ihre client_id ' +
    'ist (Client ID Metadata Document): keine, die erlaubter Domains oder alle außer denen blockierter Domains. ' +
    'Voreingestellt ist keine, denn sonst ruft der Server Adressen ab, die Fremde wählen.',
  'setting.scopes':
    'Die Scopes, die der Server kennt, mit den Beschreibungen auf der Zustimmungsseite. Statt einer ' +
    'voreingestellten Beschreibung zeigt sie, was der Scope in der Beispiel-API erlaubt.',
  'setting.defaultScopes':
    'Die Scopes einer Anfrage ohne den Parameter scope. Eine leere Liste macht den Parameter zur Pflicht.',
  'setting.scopeDisplay':
    'Wie die Zustimmungsseite einen Scope zeigt: mit einem Symbol, und als sensibel gekennzeichnet, wenn Benutzer ' +
    'genauer hinsehen sollten. admin und audit sind sensibel, wenn hier nicht normal steht.',
  'setting.scopeClaims': 'Die Angaben über Benutzer, auf die Ihre eigenen Scopes Zugriff geben (OpenID Connect).',
  'setting.readScope': 'Der Scope, den die Richtlinie read-write für GET, HEAD und OPTIONS verlangt.',
  'setting.writeScope': 'Der Scope, den die Richtlinie read-write für alle anderen Methoden verlangt.',
  'setting.resources':
    'Die Ressourcenserver, auf die sich ein Token beschränken lässt (RFC 8707), neben dem Aussteller, der für die ' +
    'APIs dieses Servers steht.',
  'setting.resourceRegistration':
    'Wer auf der Seite Ressourcenserver registrieren kann: Administratoren oder alle Benutzer. Besitzer verwalten ' +
    'ihre eigenen in jedem Fall. Wer einen Ressourcenserver registriert, schreibt die Texte, mit denen die ' +
    'Zustimmungsseite seine Scopes beschreibt.',
  'setting.accessTokenLifetimeSeconds': 'Wie lange ein Zugriffstoken gültig ist.',
  'setting.signingKeyPeriodDays':
    'Wie viele Tage ein Schlüssel Token signiert. Der nächste wird eine Woche vorher veröffentlicht, bei kürzeren ' +
    'Laufzeiten nach deren Hälfte.',
  'setting.authorizationCodeLifetimeSeconds': 'Wie lange ein Autorisierungscode eingelöst werden kann.',
  'setting.refreshTokenLifetimeSeconds':
    'Wie lange ein Refresh-Token gültig ist. Ohne Angabe so lange, bis es verwendet oder widerrufen wird.',
  'setting.refreshReuseWindowSeconds':
    'Wie lange ein erneut vorgelegtes Refresh-Token dieselbe Antwort erhält, für Clients, die sie verloren haben, ' +
    'und wie lange das Zugriffstoken vor der Erneuerung gültig bleibt. 0: gar nicht.',
  'setting.loginUrl': 'Wohin der Autorisierungsendpunkt Benutzer schickt, die nicht angemeldet sind.',
  'setting.jsonTokenRequests': 'Ob Token-Anfragen außer als Formular auch als JSON gestellt werden dürfen.',
  'setting.approvalPrompt': 'Ob erneut um Zustimmung gebeten wird, wenn eine frühere Zustimmung die Anfrage abdeckt.',
  'setting.requirePkce': 'Welche Clients eine PKCE-Challenge senden müssen (RFC 7636).',
  'setting.requirePar':
    'Ob jede Autorisierungsanfrage vorab eingereicht werden muss (RFC 9126), unabhängig vom Client.',
  'setting.pkceMethods': 'Die Methoden der PKCE-Challenge, die der Server akzeptiert.',
  'setting.plainHttpRedirectUris':
    'Ob Redirect-URIs auch bei anderen Hosts als dem eigenen Gerät (Loopback) http verwenden dürfen.',
  'setting.redirectUriSchemes':
    'Schemata ohne Punkt, zu denen öffentliche Clients weiterleiten dürfen. Schemata wie com.example.app brauchen ' +
    'keinen Eintrag.',
};

/** The descriptions of the first half of the settings. A setting without a description is a compile-time error. */
export const settingDescriptions = { en, de };
