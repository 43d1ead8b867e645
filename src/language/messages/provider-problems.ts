const en = {
  'provider-problem.id': 'An id has 1 to 40 lowercase letters, digits and hyphens, and does not begin with a hyphen.',
  'provider-problem.all': 'Choose {choices}.',
  'provider-problem.name': 'A name has 1 to {limit} visible characters.',
  'provider-problem.no-client-id': 'Enter the client id.',
  'provider-problem.client-id': 'A client id has 1 to {limit} ASCII characters.',
  'provider-problem.domains': 'Enter at most {limit} domains, such as example.org.',
  'provider-problem.claim': 'A claim has at most {limit} ASCII characters.',
  'provider-problem.required-and-disabled': 'A disabled provider cannot be required, because nobody could log in.',
  'provider-problem.second-factor': 'Enter at most {limit} values of ASCII characters, without spaces.',
  'provider-problem.no-issuer': 'Enter the issuer, such as {example}.',
  'provider-problem.google': 'Google’s issuer is {issuer}.',
  'provider-problem.issuer': 'The issuer {problem}.',
  'provider-problem.discovery': 'Enter the issuer without /.well-known/….',
  'provider-problem.needless-tenants': 'Enter tenants only for an Entra issuer that stands for several.',
  'provider-problem.tenants': 'Enter the ids of 1 to {limit} tenants whose users may log in.',
  'provider-problem.needless-secret': 'With {method}, there is no client secret.',
  'provider-problem.secret': 'A client secret has at most {limit} ASCII characters.',
  'provider-problem.no-secret': 'Enter the client secret.',
  'provider-problem.secret-again': 'Enter the client secret again, because the issuer has changed.',
  'provider-problem.openid': 'The openid scope is needed, because there is no ID token without it.',
  'provider-problem.scopes':
    'Enter at most {limit} scopes of ASCII characters, without spaces, quotes and backslashes.',
  'provider-problem.roles': 'Write each role with a group, such as {role}=staff; at most {limit}.',
  'provider-problem.groups': 'Write each group here with one there, such as staff=employees; at most {limit}.',
  'provider-problem.no-claim': 'Enter the claim with the groups, too.',
  'provider-problem.removed': 'It has just been removed.',
  'url.long': 'is longer than {limit} characters',
  'url.encoding': 'contains a character that must be percent-encoded',
  'url.not-https': 'is not an https URL',
  'url.not-web': 'is not an https or http URL',
  'url.https': 'must use https',
  'url.user': 'must not have a user name or password',
  'url.fragment': 'must not have a fragment',
  'url.query': 'must not have a query',
  'url.normal-form':
    'is not in normal form: it needs a path, a host in lower case without a trailing dot, and neither a default port ' +
    'nor dot segments',
  'url.unusual-host': 'has an address in an unusual form; write it like 192.0.2.1',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'provider-problem.id':
    'Eine Kennung hat 1 bis 40 Kleinbuchstaben, Ziffern und Bindestriche, und beginnt nicht mit einem Bindestrich.',
  'provider-problem.all': 'Wählen Sie {choices}.',
  'provider-problem.name': 'Ein Name hat 1 bis {limit} sichtbare Zeichen.',
  'provider-problem.no-client-id': 'Geben Sie die Client-ID ein.',
  'provider-problem.client-id': 'Eine Client-ID hat 1 bis {limit} ASCII-Zeichen.',
  'provider-problem.domains': 'Nennen Sie höchstens {limit} Domains, zum Beispiel example.org.',
  'provider-problem.claim': 'Ein Claim hat höchstens {limit} ASCII-Zeichen.',
  'provider-problem.required-and-disabled':
    'Ein ausgeschalteter Anbieter kann nicht vorgeschrieben sein, denn dann könnte sich niemand anmelden.',
  'provider-problem.second-factor': 'Nennen Sie höchstens {limit} Werte aus ASCII-Zeichen ohne Leerzeichen.',
  'provider-problem.no-issuer': 'Geben Sie den Aussteller ein, zum Beispiel {example}.',
  'provider-problem.google': 'Der Aussteller von Google ist {issuer}.',
  'provider-problem.issuer': 'Der Aussteller {problem}.',
  'provider-problem.discovery': 'Geben Sie den Aussteller ohne /.well-known/… ein.',
  'provider-problem.needless-tenants':
    'Nennen Sie Mandanten nur bei einem Aussteller von Entra, der für mehrere steht.',
  'provider-problem.tenants':
    'Nennen Sie die Kennungen von 1 bis {limit} Mandanten, deren Benutzer sich anmelden dürfen.',
  'provider-problem.needless-secret': 'Mit {method} gibt es kein Client-Secret.',
  'provider-problem.secret': 'Ein Client-Secret hat höchstens {limit} ASCII-Zeichen.',
  'provider-problem.no-secret': 'Geben Sie das Client-Secret ein.',
  'provider-problem.secret-again': 'Geben Sie das Client-Secret noch einmal ein, weil sich der Aussteller ändert.',
  'provider-problem.openid': 'Der Scope openid ist nötig, weil es nur mit ihm ein ID-Token gibt.',
  'provider-problem.scopes':
    'Nennen Sie höchstens {limit} Scopes aus ASCII-Zeichen, ohne Leerzeichen, Anführungszeichen und umgekehrten ' +
    'Schrägstrich.',
  'provider-problem.roles': 'Schreiben Sie jede Rolle mit einer Gruppe, zum Beispiel {role}=staff; höchstens {limit}.',
  'provider-problem.groups':
    'Schreiben Sie jede Gruppe dieses Servers mit einer des Anbieters, zum Beispiel staff=employees; höchstens ' +
    '{limit}.',
  'provider-problem.no-claim': 'Nennen Sie auch den Claim mit den Gruppen.',
  'provider-problem.removed': 'Der Anbieter wurde gleichzeitig entfernt.',
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
  'url.unusual-host': 'hat eine ungewöhnlich geschriebene Adresse; schreiben Sie sie wie 192.0.2.1',
};

/** Problems with a provider’s settings, and with URLs that the server is asked to fetch. */
export const providerProblems = { en, de };
