const en = {
  'resources.title': 'Resource servers',
  'resources.lede':
    'APIs that tokens can be restricted to. Clients specify them in the <code>resource</code> parameter.',
  'resources.register': 'Register a resource server',
  'resources.settings-of': 'Settings of {resource}',
  'resources.fixed': 'From the <code>resources</code> setting',
  'resources.fixed-text': 'These have no settings of their own. Register one here to define its scopes.',
  'resources.metadata-at': 'Its metadata is at',
  'resources.uri': 'URI',
  'resources.uri-help':
    'The URI of the API. Clients send it as the resource parameter, and it is the audience of the API’s tokens. It ' +
    'cannot be changed later.',
  'resources.name': 'Name',
  'resources.scopes': 'Scopes',
  'resources.scopes-help':
    'One per line: the name, a space, and a description for users. Tokens for the API have no other scopes. If you ' +
    'list none, tokens have all the scopes that were granted.',
  'resources.scopes-example': 'files:read Read your files',
  'resources.format': 'Format of access tokens',
  'resources.as-client': 'As registered for each client',
  'resources.format-opaque': 'Opaque: the API asks this server about each token',
  'resources.format-jwt': 'Signed (JWT): the API verifies each token itself',
  'resources.algorithm': 'Signature of JWTs',
  'resources.lifetime': 'Lifetime of access tokens, in seconds',
  'resources.lifetime-help': 'At most the lifetime of this server’s other access tokens.',
  'resources.details': 'Types of authorization details',
  'resources.details-help':
    'A JSON array, for access that a scope cannot describe, such as a single payment (RFC 9396). Each entry has a ' +
    'type, a JSON Schema and a sentence for users, in which {member} stands for a value.',
  'resources.details-section': 'Authorization details and introspection',
  'resources.no-details': 'only scopes',
  'resources.some-details': 'scopes and details',
  'resources.details-example': 'Pay {amount} to {creditor}',
  'resources.metadata': 'Metadata',
  'resources.serve-metadata': 'Serve its metadata here',
  'resources.serve-metadata-help':
    'Clients that know only the API, such as MCP clients, can then find this server (RFC 9728).',
  'resources.save': 'Save',
  'resources.remove': 'Remove…',
  'resources.not-allowed': 'Only administrators can register resource servers here',
  'resources.not-allowed-text': 'The resourceRegistration setting allows only administrators to register them.',
  'resources.not-allowed-advice': 'Ask an administrator to register yours and to make you its owner.',
  'resources.fixed-uri': 'Only an administrator can register a URI that is in the resources setting.',
  'resources.registered': '{resource} was registered. Clients can now request tokens for it.',
  'resources.changed': 'The settings were saved. They apply to new tokens; the scopes also apply to existing ones.',
  'resources.removal': 'Remove {resource}?',
  'resources.removal-text':
    'Tokens that are only for {uri} become invalid immediately, and clients cannot request new ones.',
  'resources.removal-button': 'Remove the resource server',
  'resources.removed': '{resource} was removed.',
  'resources.client': 'Client id for introspection',
  'resources.client-help':
    'The application that the API uses to introspect tokens. If you enter one, introspection shows authorization ' +
    'details of these types only to this application and to the application that the token was issued to, and shows ' +
    'no other details to this application.',
  'resources.foreign-client': 'Enter the client id of an application that you own, or ask an administrator.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'resources.title': 'Ressourcenserver',
  'resources.lede':
    'APIs, auf die Token beschränkt werden können. Anwendungen nennen sie im Parameter <code>resource</code>.',
  'resources.register': 'Ressourcenserver registrieren',
  'resources.settings-of': 'Einstellungen von {resource}',
  'resources.fixed': 'Aus der Einstellung <code>resources</code>',
  'resources.fixed-text':
    'Diese haben keine eigenen Einstellungen. Registrieren Sie einen hier, um seine Scopes festzulegen.',
  'resources.metadata-at': 'Seine Metadaten stehen unter',
  'resources.uri': 'URI',
  'resources.uri-help':
    'Die Adresse der API, die Anwendungen als resource senden, und der Empfänger (Audience) ihrer Token. Sie lässt ' +
    'sich später nicht ändern.',
  'resources.name': 'Name',
  'resources.scopes': 'Scopes',
  'resources.scopes-help':
    'Einer pro Zeile: sein Name, ein Leerzeichen und seine Beschreibung für Benutzer. Token für die API haben keine ' +
    'anderen Scopes. Ohne Angabe haben sie alle, die gewährt wurden.',
  'resources.scopes-example': 'files:read Ihre Dateien lesen',
  'resources.format': 'Format der Zugriffstoken',
  'resources.as-client': 'Wie bei der jeweiligen Anwendung eingestellt',
  'resources.format-opaque': 'Opak: Die API fragt diesen Server nach jedem Token',
  'resources.format-jwt': 'Signiert (JWT): Die API prüft jedes Token selbst',
  'resources.algorithm': 'Signatur der JWTs',
  'resources.lifetime': 'Gültigkeitsdauer der Zugriffstoken in Sekunden',
  'resources.lifetime-help': 'Höchstens so lange wie andere Zugriffstoken dieses Servers.',
  'resources.details': 'Typen von Autorisierungsdetails',
  'resources.details-help':
    'Eine JSON-Liste, für Zugriff, den ein Scope nicht beschreiben kann, zum Beispiel eine Zahlung (RFC 9396). Jeder ' +
    'Eintrag hat einen Typ, ein JSON-Schema und einen Satz für Benutzer, in dem {member} für einen Wert steht.',
  'resources.details-section': 'Autorisierungsdetails und Introspection',
  'resources.no-details': 'nur Scopes',
  'resources.some-details': 'Scopes und Details',
  'resources.details-example': '{amount} an {creditor} zahlen',
  'resources.metadata': 'Metadaten',
  'resources.serve-metadata': 'Seine Metadaten hier bereitstellen',
  'resources.serve-metadata-help':
    'Anwendungen, die nur die API kennen, zum Beispiel MCP-Clients, finden dann diesen Server (RFC 9728).',
  'resources.save': 'Speichern',
  'resources.remove': 'Entfernen …',
  'resources.not-allowed': 'Nur Administratoren können hier Ressourcenserver registrieren',
  'resources.not-allowed-text': 'Die Einstellung resourceRegistration erlaubt es nur Administratoren.',
  'resources.not-allowed-advice':
    'Bitten Sie einen Administrator, Ihren zu registrieren und Sie zum Besitzer zu machen.',
  'resources.fixed-uri': 'Nur ein Administrator kann eine URI aus der Einstellung resources registrieren.',
  'resources.registered': '{resource} wurde registriert. Anwendungen können jetzt Token dafür anfordern.',
  'resources.changed':
    'Die Einstellungen wurden gespeichert. Sie gelten für neue Token, die Scopes auch für vorhandene.',
  'resources.removal': '{resource} entfernen?',
  'resources.removal-text':
    'Token, die nur für {uri} gelten, werden sofort ungültig, und Anwendungen können keine neuen anfordern.',
  'resources.removal-button': 'Ressourcenserver entfernen',
  'resources.removed': '{resource} wurde entfernt.',
  'resources.client': 'Client-ID für die Introspection',
  'resources.client-help':
    'Die Anwendung, mit der die API Token prüft. Autorisierungsdetails dieser Typen zeigt die Introspection dann nur ' +
    'ihr und der Anwendung des Tokens, und ihr keine anderen.',
  'resources.foreign-client':
    'Geben Sie die Client-ID einer Anwendung ein, die Ihnen gehört, oder fragen Sie einen Administrator.',
};

/** Messages on the pages for resource servers. */
export const resources = { en, de };
