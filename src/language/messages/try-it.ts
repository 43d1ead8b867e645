const en = {
  'try-it.title': 'Try {application}',
  'try-it.heading': 'Try it',
  'try-it.needs-certificate': 'This application’s requests require its TLS client certificate.',
  'try-it.not-yet': 'These requests cannot work here yet',
  'try-it.lede': 'Run each request on this page, or copy it. Responses fill in the requests that follow.',
  'try-it.lede-certificate':
    'A page cannot present a TLS client certificate, so copy the requests and run them in a terminal.',
  'try-it.lede-some-certificates':
    'A page cannot present a TLS client certificate, so copy the requests that need one and run them in a terminal.',
  'try-it.in-browser': 'Try the whole flow in this browser',
  'try-it.in-browser-text':
    'The built-in callback page receives the code, and exchanges it when you press a button there. Using that page ' +
    'adds <code>{address}</code> to the redirect URIs. Only owners of the application can use it.',
  'try-it.use-callback': 'Use the built-in callback page',
  'try-it.callback-added': 'The built-in callback page is now one of the redirect URIs.',
  'try-it.private-key': 'Private key',
  'try-it.private-key-help': 'As a JWK, or in PEM format (PKCS #8). It stays on this page, which uses it to sign.',
  'try-it.make-key': 'Create a key and register it',
  'try-it.secret': 'Client secret',
  'try-it.secret-help':
    'This server has only the hash of the secret. The secret stays on this page until you run a request.',
  'try-it.languages': 'Language of the examples',
  'try-it.fill-in': 'Fill in a response that you got elsewhere',
  'try-it.fill-in-label': 'Paste a response to fill in the examples',
  'try-it.fill-in-help':
    'The address you were sent back to, a token response, or the client secret. Your input stays on this page until ' +
    'you run a request.',
  'needs.title': 'What this application’s requests need',
  'needs.assertions': 'Assertions',
  'needs.assertions-text':
    'It authenticates with a JWT that it signs with its private key. This JWT replaces CLIENT_ASSERTION.',
  'needs.signed': 'Signed requests',
  'needs.signed-text': 'Its authorization requests are JWTs that it signs (JAR). They replace REQUEST_OBJECT.',
  'needs.proofs': 'Proofs',
  'needs.proofs-text':
    'Its tokens are bound to a key (DPoP). Each request that gets or uses a token contains a new JWT for its method ' +
    'and URL. This JWT replaces DPOP_PROOF.',
  'needs.pushed': 'Pushed requests',
  'needs.pushed-text':
    'It sends its authorization requests to this server first, and the user’s browser gets only references to them ' +
    '(PAR).',
  'needs.certificate': 'A certificate',
  'needs.certificate-text':
    'It connects with its TLS client certificate. A page cannot do this, so run the curl commands in a terminal, ' +
    'where client.pem is the certificate and client.key is its private key. Paste each response under “Fill in a ' +
    'response that you got elsewhere” below, to fill in the next command.',
  'needs.terminal': 'Create the JWTs in a terminal',
  'needs.terminal-text':
    '“Run” creates them on this page. To use a terminal instead, download <a>sign.mjs</a> and run it with Node. ' +
    '<code>key.pem</code> is the private key. Each JWT works only once, and only for a minute.',
  'needs.nonce':
    'If a response has a <code>DPoP-Nonce</code> header, repeat the request with its value: append the value to the ' +
    'command, after <code>{empty}</code> if there is no token.',
  'callback.title': 'Callback page of {application}',
  'callback.heading': 'Callback page of <bdi>{application}</bdi>',
  'callback.nothing':
    'No response has arrived. Users return to this page with a code after they have authorized the application.',
  'callback.malformed-error': 'The response is an error with a malformed error code.',
  'callback.error': 'The response is the error <code>{error}</code>.',
  'callback.code': 'A code has arrived.',
  'callback.code-exchange': 'A code has arrived. Exchange it for tokens, then use them.',
  'callback.signed':
    'The response is a signed JWT (JARM), which contains the parameters that would otherwise be in the URL.',
  'callback.not-yet': 'The code cannot be exchanged here yet',
  'callback.the-code': 'The code',
  'callback.without-script':
    'It works once, for a short time. Replace <code>CODE_VERIFIER</code> with the code verifier from the page you ' +
    'started on, and run the request.',
  'callback.without-script-secret':
    'It works once, for a short time. Replace <code>CODE_VERIFIER</code> with the code verifier from the page you ' +
    'started on, and <code>CLIENT_SECRET</code> with the client secret, and run the request.',
  'callback.start': 'Start',
  'callback.again': 'Start again',
  'callback.why': 'Why requests were refused',
  'callback.for-developers': 'For developers',
  'callback.others': 'This page is for the application’s developers',
  'callback.others-lede':
    'Developers use it to test their application. Nothing was shown, stored or passed on. You can close this page.',
  'callback.visitor': 'If this is your application, log in and start again.',
  'callback.other-user':
    'If an application sent you here, its developer is testing it, or its settings are wrong. You can see and revoke ' +
    'what you allowed.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'try-it.title': '{application} ausprobieren',
  'try-it.heading': 'Ausprobieren',
  'try-it.needs-certificate': 'Die Anfragen dieser Anwendung brauchen ihr TLS-Client-Zertifikat.',
  'try-it.not-yet': 'Diese Anfragen funktionieren hier noch nicht',
  'try-it.lede':
    'Führen Sie jede Anfrage auf dieser Seite aus, oder kopieren Sie sie. Antworten füllen die folgenden Anfragen aus.',
  'try-it.lede-certificate':
    'Eine Seite kann kein TLS-Client-Zertifikat vorlegen. Kopieren Sie die Anfragen deshalb, und führen Sie sie in ' +
    'einem Terminal aus.',
  'try-it.lede-some-certificates':
    'Eine Seite kann kein TLS-Client-Zertifikat vorlegen. Kopieren Sie deshalb die Anfragen, die es brauchen, und ' +
    'führen Sie sie in einem Terminal aus.',
  'try-it.in-browser': 'Den ganzen Ablauf in diesem Browser ausprobieren',
  'try-it.in-browser-text':
    'Die eingebaute Callback-Seite empfängt den Code und tauscht ihn auf Knopfdruck ein. Dies fügt den Redirect-URIs ' +
    '<code>{address}</code> hinzu. Nur Besitzer der Anwendung können diese Seite verwenden.',
  'try-it.use-callback': 'Eingebaute Callback-Seite verwenden',
  'try-it.callback-added': 'Die eingebaute Callback-Seite ist jetzt eine der Redirect-URIs.',
  'try-it.private-key': 'Privater Schlüssel',
  'try-it.private-key-help': 'Als JWK oder im PEM-Format (PKCS #8). Er bleibt auf dieser Seite, die damit signiert.',
  'try-it.make-key': 'Einen Schlüssel erzeugen und registrieren',
  'try-it.secret': 'Client-Secret',
  'try-it.secret-help':
    'Dieser Server hat nur den Hashwert. Das Secret bleibt auf dieser Seite, bis Sie eine Anfrage ausführen.',
  'try-it.languages': 'Programmiersprache der Beispiele',
  'try-it.fill-in': 'Eine anderswo erhaltene Antwort eintragen',
  'try-it.fill-in-label': 'Fügen Sie eine Antwort ein, um die Beispiele auszufüllen',
  'try-it.fill-in-help':
    'Die Adresse, zu der Sie zurückgekehrt sind, eine Token-Antwort oder das Client-Secret. Die Eingabe bleibt auf ' +
    'dieser Seite, bis Sie eine Anfrage ausführen.',
  'needs.title': 'Was die Anfragen dieser Anwendung brauchen',
  'needs.assertions': 'Assertions',
  'needs.assertions-text':
    'Sie authentifiziert sich mit einem JWT, das sie mit ihrem privaten Schlüssel signiert, anstelle von ' +
    'CLIENT_ASSERTION.',
  'needs.signed': 'Signierte Anfragen',
  'needs.signed-text': 'Ihre Autorisierungsanfragen sind JWTs, die sie signiert, anstelle von REQUEST_OBJECT (JAR).',
  'needs.proofs': 'Nachweise',
  'needs.proofs-text':
    'Ihre Token sind an einen Schlüssel gebunden. Jede Anfrage, die eines holt oder verwendet, enthält ein neues JWT ' +
    'für ihre Methode und Adresse, anstelle von DPOP_PROOF (DPoP).',
  'needs.pushed': 'Vorab eingereichte Anfragen',
  'needs.pushed-text':
    'Sie sendet ihre Autorisierungsanfragen zuerst an diesen Server, und der Benutzer öffnet nur einen Verweis ' +
    'darauf (PAR).',
  'needs.certificate': 'Ein Zertifikat',
  'needs.certificate-text':
    'Sie verbindet sich mit ihrem TLS-Client-Zertifikat. Eine Seite kann das nicht. Führen Sie die curl-Befehle ' +
    'deshalb in einem Terminal aus: client.pem ist das Zertifikat, client.key sein privater Schlüssel. Fügen Sie ' +
    'jede Antwort unten bei „Eine anderswo erhaltene Antwort eintragen“ ein, das füllt den nächsten Befehl aus.',
  'needs.terminal': 'Die JWTs in einem Terminal erzeugen',
  'needs.terminal-text':
    '„Ausführen“ erzeugt sie auf dieser Seite. Laden Sie für ein Terminal <a>sign.mjs</a> herunter, das mit Node ' +
    'läuft. <code>key.pem</code> ist der private Schlüssel. Jedes JWT gilt einmal, eine Minute lang.',
  'needs.nonce':
    'Hat eine Antwort den Header <code>DPoP-Nonce</code>, wiederholen Sie die Anfrage mit seinem Wert: Hängen Sie ' +
    'ihn an den Befehl an, und davor <code>{empty}</code>, wo es kein Token gibt.',
  'callback.title': 'Callback-Seite von {application}',
  'callback.heading': 'Callback-Seite von <bdi>{application}</bdi>',
  'callback.nothing':
    'Es ist keine Antwort angekommen. Benutzer kehren mit einem Code auf diese Seite zurück, nachdem sie die ' +
    'Anwendung zugelassen haben.',
  'callback.malformed-error': 'Die Antwort ist ein Fehler mit einem ungültigen Fehlercode.',
  'callback.error': 'Die Antwort ist der Fehler <code>{error}</code>.',
  'callback.code': 'Ein Code ist angekommen.',
  'callback.code-exchange': 'Ein Code ist angekommen. Tauschen Sie ihn gegen Token ein, und verwenden Sie diese.',
  'callback.signed': 'Die Antwort ist ein signiertes JWT (JARM). Es enthält, was sonst in der Adresse steht.',
  'callback.not-yet': 'Der Code kann hier noch nicht eingetauscht werden',
  'callback.the-code': 'Der Code',
  'callback.without-script':
    'Er gilt einmal, für kurze Zeit. Ersetzen Sie <code>CODE_VERIFIER</code> durch den Code-Verifier der Seite, auf ' +
    'der Sie begonnen haben, und führen Sie die Anfrage aus.',
  'callback.without-script-secret':
    'Er gilt einmal, für kurze Zeit. Ersetzen Sie <code>CODE_VERIFIER</code> durch den Code-Verifier der Seite, auf ' +
    'der Sie begonnen haben, und <code>CLIENT_SECRET</code> durch das Client-Secret, und führen Sie die Anfrage aus.',
  'callback.start': 'Starten',
  'callback.again': 'Von vorn beginnen',
  'callback.why': 'Warum Anfragen abgelehnt wurden',
  'callback.for-developers': 'Für Entwickler',
  'callback.others': 'Diese Seite ist für die Entwickler der Anwendung',
  'callback.others-lede':
    'Entwickler testen damit ihre Anwendung. Es wurde nichts angezeigt, gespeichert oder weitergegeben. Sie können ' +
    'diese Seite schließen.',
  'callback.visitor': 'Ist dies Ihre Anwendung, melden Sie sich an, und beginnen Sie von vorn.',
  'callback.other-user':
    'Hat eine Anwendung Sie hierher geschickt, wird sie gerade getestet, oder ihre Einstellungen sind falsch. Sie ' +
    'können sehen und widerrufen, was Sie erlaubt haben.',
};

/** Messages on the page for trying an application, and on its built-in callback page. */
export const tryIt = { en, de };
