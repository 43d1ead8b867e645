const en = {
  'api.lede':
    'Every endpoint of this server and who may call it. Trailing slashes are optional; HEAD works wherever GET does.',
  'api.contract': 'The descriptions of the operations are part of the technical contract, which is in English.',
  'api.found': '{count} found',
  'api.on-this-page': 'On this page',
  'api.operations': '{count, plural, one {# operation} other {# operations}}',
  'api.guide': 'Guide',
  'api.errors': 'Errors',
  'api.schemas': 'Schemas',
  'api.which': 'Which grant, which endpoint?',
  'api.login': 'Users log in to your application',
  'api.login-text':
    'Send them to <authorize><code>/o/authorize/</code></authorize> with PKCE, and redeem the code at ' +
    '<token><code>/o/token/</code></token> (<code>grant_type=authorization_code</code>). The <code>openid</code> ' +
    'scope adds an ID token.',
  'api.program': 'A program acts on its own behalf',
  'api.program-text':
    'Call <token><code>/o/token/</code></token> with <code>grant_type=client_credentials</code> and the program’s ' +
    'own client secret. No user is involved.',
  'api.expiry': 'A token is about to expire',
  'api.expiry-text':
    'Call <token><code>/o/token/</code></token> with <code>grant_type=refresh_token</code>. Store the new refresh ' +
    'token, which replaces the old one.',
  'api.receives': 'Your API receives a token',
  'api.receives-text':
    'Call <introspect><code>/o/introspect/</code></introspect> to find out whether the token is active, for whom, ' +
    'and with which scopes.',
  'api.leaves': 'A user logs out of your application or leaves it',
  'api.leaves-text': 'Revoke the tokens at <revoke><code>/o/revoke_token/</code></revoke>.',
  'api.find': 'Find an operation',
  'api.access': 'Access',
  'api.anyone': 'anyone',
  'api.or': 'or',
  'api.response': 'Response {status}',
  'api.example': 'Example',
  'api.statuses': 'Error statuses',
  'api.statuses-text':
    'For an explanation, look up the response’s <code>X-Request-Id</code> under <em>Refusals</em> on your ' +
    'application’s pages.',
  'api.any-token': 'any access token',
  'api.token-with': 'an access token with',
  'api.client-certificate': 'a client, with its TLS certificate',
  'api.session': 'a user logged in to this server’s pages',
  'api.client': 'a client, with HTTP Basic or with its credentials in the form',
  'api.in-path': 'In the path',
  'api.in-query': 'In the query',
  'api.headers': 'Headers',
  'api.in-form': 'In the form',
  'api.in-json': 'In the JSON body',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'api.lede':
    'Alle Endpunkte dieses Servers und wer sie aufrufen darf. Schrägstriche am Ende sind optional. HEAD funktioniert ' +
    'überall, wo auch GET funktioniert.',
  'api.contract': 'Die Beschreibungen der Operationen gehören zum technischen Vertrag. Er ist auf Englisch.',
  'api.found': '{count} gefunden',
  'api.on-this-page': 'Auf dieser Seite',
  'api.operations': '{count, plural, one {# Operation} other {# Operationen}}',
  'api.guide': 'Wegweiser',
  'api.errors': 'Fehler',
  'api.schemas': 'Schemas',
  'api.which': 'Welcher Grant-Typ, welcher Endpunkt?',
  'api.login': 'Benutzer melden sich bei Ihrer Anwendung an',
  'api.login-text':
    'Senden Sie sie mit PKCE zu <authorize><code>/o/authorize/</code></authorize>, und lösen Sie den Code bei ' +
    '<token><code>/o/token/</code></token> ein (<code>grant_type=authorization_code</code>). Mit dem Scope ' +
    '<code>openid</code> kommt ein ID-Token dazu.',
  'api.program': 'Ein Programm handelt für sich selbst',
  'api.program-text':
    '<token><code>/o/token/</code></token> mit <code>grant_type=client_credentials</code> und seinem eigenen ' +
    'Client-Secret. Es ist kein Benutzer beteiligt.',
  'api.expiry': 'Ein Token läuft bald ab',
  'api.expiry-text':
    '<token><code>/o/token/</code></token> mit <code>grant_type=refresh_token</code>. Speichern Sie das neue ' +
    'Refresh-Token: Es ersetzt das alte.',
  'api.receives': 'Ihre API empfängt ein Token',
  'api.receives-text':
    '<introspect><code>/o/introspect/</code></introspect> sagt, ob es gültig ist, für wen und mit welchen Scopes.',
  'api.leaves': 'Ein Benutzer meldet sich ab oder verlässt die Anwendung',
  'api.leaves-text': 'Widerrufen Sie die Token bei <revoke><code>/o/revoke_token/</code></revoke>.',
  'api.find': 'Operation suchen',
  'api.access': 'Zugriff',
  'api.anyone': 'alle',
  'api.or': 'oder',
  'api.response': 'Antwort {status}',
  'api.example': 'Beispiel',
  'api.statuses': 'Fehlerstatus',
  'api.statuses-text':
    'Die Erklärung finden Sie auf den Seiten Ihrer Anwendung unter <em>Ablehnungen</em>, mit der ' +
    '<code>X-Request-Id</code> der Antwort.',
  'api.any-token': 'jedes Zugriffstoken',
  'api.token-with': 'ein Zugriffstoken mit',
  'api.client-certificate': 'eine Anwendung mit ihrem TLS-Zertifikat',
  'api.session': 'ein auf den Seiten angemeldeter Benutzer',
  'api.client': 'eine Anwendung, mit HTTP Basic oder mit ihren Zugangsdaten im Formular',
  'api.in-path': 'Im Pfad',
  'api.in-query': 'In der Query',
  'api.headers': 'Header',
  'api.in-form': 'Im Formular',
  'api.in-json': 'Im JSON-Inhalt',
};

/** Messages on the API page, except for the descriptions of the endpoints themselves. */
export const apiPage = { en, de };
