const en = {
  'provider-problem.id':
    'An id must consist of 1 to 40 lowercase letters, digits and hyphens, and must not begin with a hyphen.',
  'provider-problem.all': 'Choose one of the following: {choices}.',
  'provider-problem.name': 'A name must have 1 to {limit} visible characters.',
  'provider-problem.no-client-id': 'Enter the client id.',
  'provider-problem.client-id': 'A client id must have 1 to {limit} ASCII characters.',
  'provider-problem.domains': 'Enter at most {limit} domains, such as example.org.',
  'provider-problem.claim': 'The name of a claim can have at most {limit} ASCII characters.',
  'provider-problem.required-and-disabled': 'A disabled provider cannot be required, because nobody could log in.',
  'provider-problem.second-factor':
    'Enter at most {limit} values. Each value can contain only ASCII characters other than spaces.',
  'provider-problem.no-issuer': 'Enter the issuer, such as {example}.',
  'provider-problem.google': 'For Google, the issuer must be {issuer}.',
  'provider-problem.issuer': 'The issuer {problem}.',
  'provider-problem.discovery': 'Enter the issuer without /.well-known/openid-configuration.',
  'provider-problem.needless-tenants': 'Enter tenants only for an Entra issuer that serves several tenants.',
  'provider-problem.tenants': 'Enter the ids of 1 to {limit} tenants whose users may log in.',
  'provider-problem.needless-secret': 'Leave the client secret empty, because the method {method} does not use one.',
  'provider-problem.secret': 'A client secret can have at most {limit} ASCII characters.',
  'provider-problem.no-secret': 'Enter the client secret.',
  'provider-problem.secret-again': 'Enter the client secret again, because the issuer has changed.',
  'provider-problem.openid': 'Include the openid scope. Without it, the provider does not issue an ID token.',
  'provider-problem.scopes':
    'Enter at most {limit} scopes. Each scope can contain only ASCII characters, without spaces, quotes or ' +
    'backslashes.',
  'provider-problem.roles': 'Enter at most {limit} roles, each with a group, such as {role}=staff.',
  'provider-problem.groups':
    'Enter at most {limit} groups of this server, each with a group of the provider, such as staff=employees.',
  'provider-problem.no-claim': 'Also enter the claim that contains the groups.',
  'provider-problem.removed': 'The provider has just been removed.',
  'url.long': 'is longer than {limit} characters',
  'url.encoding': 'contains a character that must be percent-encoded',
  'url.not-https': 'is not an https URL',
  'url.not-web': 'is not an https or http URL',
  'url.https': 'must use https',
  'url.user': 'must not have a user name or password',
  'url.fragment': 'must not have a fragment',
  'url.query': 'must not have a query',
  'url.normal-form':
    'is not in normal form: it must have a path and a lowercase host without a trailing dot, and neither a default ' +
    'port nor dot segments',
  'url.unusual-host': 'has an IPv4 address in an unusual form; write it in the form 192.0.2.1',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'provider-problem.id':
    'Eine Kennung hat 1 bis 40 Kleinbuchstaben, Ziffern und Bindestriche, und beginnt nicht mit einem Bindestrich.',
  'provider-problem.all': 'Wählen Sie eine dieser Möglichkeiten: {choices}.',
  'provider-problem.name': 'Ein Name hat 1 bis {limit} sichtbare Zeichen.',
  'provider-problem.no-client-id': 'Geben Sie die Client-ID ein.',
  'provider-problem.client-id': 'Eine Client-ID hat 1 bis {limit} ASCII-Zeichen.',
  'provider-problem.domains': 'Nennen Sie höchstens {limit} Domains, zum Beispiel example.org.',
  'provider-problem.claim': 'Der Name eines Claims darf höchstens {limit} ASCII-Zeichen haben.',
  'provider-problem.required-and-disabled':
    'Ein ausgeschalteter Anbieter kann nicht vorgeschrieben sein, denn dann könnte sich niemand anmelden.',
  'provider-problem.second-factor':
    'Nennen Sie höchstens {limit} Werte. Jeder darf nur aus ASCII-Zeichen ohne Leerzeichen bestehen.',
  'provider-problem.no-issuer': 'Geben Sie den Aussteller ein, zum Beispiel {example}.',
  'provider-problem.google': 'Für Google muss der Aussteller {issuer} sein.',
  'provider-problem.issuer': 'Der Aussteller {problem}.',
  'provider-problem.discovery': 'Geben Sie den Aussteller ohne /.well-known/openid-configuration ein.',
  'provider-problem.needless-tenants':
    'Nennen Sie Mandanten nur bei einem Aussteller von Entra, der für mehrere Mandanten zuständig ist.',
  'provider-problem.tenants':
    'Nennen Sie die Kennungen von 1 bis {limit} Mandanten, deren Benutzer sich anmelden dürfen.',
  'provider-problem.needless-secret': 'Lassen Sie das Client-Secret leer, denn die Methode {method} verwendet keines.',
  'provider-problem.secret': 'Ein Client-Secret hat höchstens {limit} ASCII-Zeichen.',
  'provider-problem.no-secret': 'Geben Sie das Client-Secret ein.',
  'provider-problem.secret-again': 'Geben Sie das Client-Secret noch einmal ein, weil sich der Aussteller ändert.',
  'provider-problem.openid': 'Nennen Sie auch den Scope openid. Ohne ihn stellt der Anbieter kein ID-Token aus.',
  'provider-problem.scopes':
    'Nennen Sie höchstens {limit} Scopes. Jeder darf nur aus ASCII-Zeichen ohne Leerzeichen, Anführungszeichen und ' +
    'umgekehrte Schrägstriche bestehen.',
  'provider-problem.roles': 'Nennen Sie höchstens {limit} Rollen, jede mit einer Gruppe, zum Beispiel {role}=staff.',
  'provider-problem.groups':
    'Nennen Sie höchstens {limit} Gruppen dieses Servers, jede mit einer Gruppe des Anbieters, zum Beispiel ' +
    'staff=employees.',
  'provider-problem.no-claim': 'Nennen Sie auch den Claim mit den Gruppen.',
  'provider-problem.removed': 'Der Anbieter wurde gerade entfernt.',
  'url.long': 'ist länger als {limit} Zeichen',
  'url.encoding': 'enthält ein Zeichen, das mit % kodiert werden muss',
  'url.not-https': 'ist keine https-URL',
  'url.not-web': 'ist keine https- oder http-URL',
  'url.https': 'muss https verwenden',
  'url.user': 'darf weder Benutzernamen noch Passwort enthalten',
  'url.fragment': 'darf kein Fragment haben',
  'url.query': 'darf keinen Abfrageteil (nach dem ?) haben',
  'url.normal-form':
    'ist nicht in Normalform: Nötig sind ein Pfad und ein Host in Kleinbuchstaben ohne Punkt am Ende; ein ' +
    'Standardport und Pfadteile wie .. sind nicht erlaubt',
  'url.unusual-host': 'hat eine ungewöhnlich geschriebene IPv4-Adresse; schreiben Sie sie in der Form 192.0.2.1',
};

/** Problems with a provider’s settings, and with URLs that the server is asked to fetch. */
export const providerProblems = { en, de };
