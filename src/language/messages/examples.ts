const en = {
  'example.authorize': 'Authorize<hidden>: {title}</hidden>',
  'example.new-tab': 'Open it in a new tab',
  'example.run': 'Run<hidden>: {title}</hidden>',
  'example.show': '<hidden>{title}: </hidden>Show the request',
  'example.qr-code': 'QR code for the page where device codes are entered',
  'example.scan': 'Scan the QR code with a phone. It opens the page where device codes are entered.',
  'example.enter-code':
    'On that page, enter the <code>user_code</code> from the response. A real device shows ' +
    '<code>verification_uri_complete</code> as a QR code, so that users only have to compare the codes.',
  'example.username': 'User name',
  'example.password': 'Password',
  'example.subject-token': 'Token to exchange',
  'example.assertion': 'Assertion',
  'example.ask': 'Authorization code: ask the user',
  'example.ask-text': 'The user is asked to allow access, and returns to the redirect URI with a code.',
  'example.ask-pushed-text':
    'The URL refers to the pushed request, which is valid for a minute. The user returns with a code.',
  'example.login': 'OpenID Connect: log the user in',
  'example.login-text':
    'The same request with the openid scope. The token response then contains an ID token, which identifies the user ' +
    'who logged in.',
  'example.push': 'Authorization code: push the request',
  'example.push-text':
    'The application sends its request to this server first (PAR). The response contains a request_uri, which refers ' +
    'to the request.',
  'example.push-login': 'OpenID Connect: push the request',
  'example.exchange': 'Authorization code: exchange the code',
  'example.exchange-text': 'The code works once, for a short time, and only with the code verifier of its request.',
  'example.client-credentials-text': 'The application gets a token for itself, without a user.',
  'example.password-text': 'The application sends the user name and password of a user.',
  'example.device': 'Device: get the codes',
  'example.device-text':
    'The device shows the user code and a URL. The user opens the URL in any browser and approves the request.',
  'example.device-token': 'Device: request the tokens',
  'example.device-token-text': 'The device repeats this request every five seconds until the user has decided.',
  'example.token-exchange-text':
    'The application exchanges a token that it received for a narrower one. An exchange policy must allow this.',
  'example.assertion-text':
    'The application redeems an assertion, which is a token from another issuer. An assertion works once, and this ' +
    'server must trust its issuer.',
  'example.refresh': 'Refresh the tokens',
  'example.refresh-text': 'Returns new tokens. The old refresh token stops working.',
  'example.userinfo': 'OpenID Connect: read the claims about the user',
  'example.userinfo-text': 'Needs an access token with the openid scope. Returns what the user agreed to share.',
  'example.api': 'Use the token',
  'example.api-text': 'Calls the sample API, which lists users for a token with the read scope.',
  'example.introspect': 'Introspect a token',
  'example.introspect-text': 'An API asks this server about a token that it received.',
  'example.revoke': 'Revoke the token',
  'example.revoke-text': 'The token stops working immediately. The response is the same for an unknown token.',
  'usage.curl': 'Paste an example into a terminal.',
  'usage.javascript': 'Paste an example into node, or into the console of a browser on this page.',
  'usage.python': 'Paste an example into python3. It needs no packages.',
  'usage.go': 'Save an example as main.go and run it with go run main.go. It needs no modules.',
  'usage.java':
    'Save an example as Main.java and run it with java Main.java (Java 11 or newer). It needs no libraries.',
  'usage.csharp': 'Save an example as Program.cs in a console project and run it with dotnet run (.NET 6 or newer).',
  'claim-meaning.iss': 'The server that issued the token.',
  'claim-meaning.sub':
    'Identifies the user. Store this value, because user names and e-mail addresses can change hands.',
  'claim-meaning.aud': 'The application that the token is for.',
  'claim-meaning.azp': 'The application that requested the token.',
  'claim-meaning.exp': 'When the token expires.',
  'claim-meaning.iat': 'When the token was issued.',
  'claim-meaning.auth-time': 'When the user logged in.',
  'claim-meaning.nonce': 'The nonce of the authorization request, so that a token cannot be used in another login.',
  'claim-meaning.acr':
    'How strong the login was: pwd is a password or a provider, mfa adds a second factor, phr is a passkey, which ' +
    'cannot be phished.',
  'claim-meaning.amr':
    'How the user logged in: pwd is a password, otp a code, fed a provider and pop a key. mfa means that two steps ' +
    'were needed, and user means that the device recognized the user.',
  'claim-meaning.at-hash': 'Half of the hash of the access token. It ties the ID token to the access token.',
  'claim-meaning.c-hash': 'Half of the hash of the code.',
  'claim-meaning.client-id': 'The application that the token was issued to.',
  'claim-meaning.scope': 'What the token allows.',
  'claim-meaning.jti': 'Identifies the token.',
  'claim-meaning.sid': 'The session of the login. A logout token contains the same value.',
  'claim-meaning.preferred-username': 'The user name. Do not identify users by it: sub never changes.',
  'claim-meaning.email': 'The e-mail address. Do not identify users by it: sub never changes.',
  'claim-meaning.email-verified': 'Whether the user has proved that they receive e-mail at this address.',
  'claim-meaning.phone-number-verified': 'This server does not verify phone numbers.',
  'claim-meaning.updated-at': 'When the user’s profile last changed.',
  'claim-meaning.groups': 'The names of the user’s groups, included with the groups scope.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'example.authorize': 'Autorisieren<hidden>: {title}</hidden>',
  'example.new-tab': 'In neuem Tab öffnen',
  'example.run': 'Ausführen<hidden>: {title}</hidden>',
  'example.show': '<hidden>{title}: </hidden>Anfrage anzeigen',
  'example.qr-code': 'QR-Code der Seite, auf der Benutzer den Code eines Geräts eingeben',
  'example.scan': 'Scannen Sie ihn mit einem Telefon. Er öffnet die Seite zur Eingabe des Codes.',
  'example.enter-code':
    'Geben Sie dort den <code>user_code</code> der Antwort ein. Ein Gerät zeigt ' +
    '<code>verification_uri_complete</code> als QR-Code, sodass Benutzer den Code nur vergleichen.',
  'example.username': 'Benutzername',
  'example.password': 'Passwort',
  'example.subject-token': 'Einzutauschendes Token',
  'example.assertion': 'Assertion',
  'example.ask': 'Authorization Code: den Benutzer fragen',
  'example.ask-text': 'Der Benutzer wird um Zugriff gebeten und kehrt mit einem Code zur Redirect-URI zurück.',
  'example.ask-pushed-text':
    'Die Adresse verweist auf die vorab eingereichte Anfrage, die eine Minute lang gilt. Der Benutzer kehrt mit ' +
    'einem Code zurück.',
  'example.login': 'OpenID Connect: den Benutzer anmelden',
  'example.login-text':
    'Dasselbe mit dem Scope openid. Die Antwort auf den Code enthält dann ein ID-Token, das sagt, wer sich ' +
    'angemeldet hat.',
  'example.push': 'Authorization Code: die Anfrage vorab einreichen',
  'example.push-text':
    'Die Anwendung sendet ihre Anfrage zuerst an diesen Server (PAR). Die Antwort enthält eine request_uri, die auf ' +
    'die Anfrage verweist.',
  'example.push-login': 'OpenID Connect: die Anfrage vorab einreichen',
  'example.exchange': 'Authorization Code: den Code eintauschen',
  'example.exchange-text': 'Der Code gilt nur einmal, nur kurze Zeit und nur mit dem Code-Verifier seiner Anfrage.',
  'example.client-credentials-text': 'Die Anwendung bekommt ein Token für sich selbst, ohne Benutzer.',
  'example.password-text': 'Die Anwendung sendet Benutzername und Passwort eines Benutzers.',
  'example.device': 'Gerät: die Codes holen',
  'example.device-text':
    'Das Gerät zeigt den Benutzercode und die Adresse. Der Benutzer öffnet sie in irgendeinem Browser und stimmt zu.',
  'example.device-token': 'Gerät: die Token abholen',
  'example.device-token-text': 'Das Gerät wiederholt dies alle fünf Sekunden, bis der Benutzer entschieden hat.',
  'example.token-exchange-text':
    'Die Anwendung tauscht ein empfangenes Token gegen ein enger begrenztes. Eine Tauschregel muss es erlauben.',
  'example.assertion-text':
    'Die Anwendung löst ein Token eines anderen Ausstellers ein, nur einmal. Er muss hier als vertrauenswürdig ' +
    'eingetragen sein.',
  'example.refresh': 'Token erneuern',
  'example.refresh-text': 'Liefert neue Token. Das alte Refresh-Token wird ungültig.',
  'example.userinfo': 'OpenID Connect: die Claims über den Benutzer lesen',
  'example.userinfo-text':
    'Braucht ein Zugriffstoken mit dem Scope openid. Liefert die Angaben, deren Weitergabe der Benutzer zugestimmt ' +
    'hat.',
  'example.api': 'Das Token verwenden',
  'example.api-text': 'Ruft die Beispiel-API auf, die für ein Token mit dem Scope read Benutzer auflistet.',
  'example.introspect': 'Ein Token prüfen (Introspection)',
  'example.introspect-text': 'Eine API fragt diesen Server nach einem empfangenen Token.',
  'example.revoke': 'Das Token widerrufen',
  'example.revoke-text': 'Das Token wird sofort ungültig. Bei einem unbekannten Token ist die Antwort dieselbe.',
  'usage.curl': 'Fügen Sie ein Beispiel in ein Terminal ein.',
  'usage.javascript': 'Fügen Sie ein Beispiel in node ein, oder auf dieser Seite in die Konsole eines Browsers.',
  'usage.python': 'Fügen Sie ein Beispiel in python3 ein. Es braucht keine Pakete.',
  'usage.go': 'Speichern Sie ein Beispiel als main.go, und starten Sie es mit go run main.go. Es braucht keine Module.',
  'usage.java':
    'Speichern Sie ein Beispiel als Main.java, und starten Sie es mit java Main.java (ab Java 11). Es braucht keine ' +
    'Bibliotheken.',
  'usage.csharp':
    'Speichern Sie ein Beispiel als Program.cs eines Konsolenprojekts, und starten Sie es mit dotnet run (ab .NET 6).',
  'claim-meaning.iss': 'Der Server, der das Token ausgestellt hat.',
  'claim-meaning.sub':
    'Bezeichnet den Benutzer. Speichern Sie dies, denn Benutzernamen und E-Mail-Adressen können den Besitzer wechseln.',
  'claim-meaning.aud': 'Die Anwendung, für die das Token bestimmt ist.',
  'claim-meaning.azp': 'Die Anwendung, die das Token angefordert hat.',
  'claim-meaning.exp': 'Wann das Token abläuft.',
  'claim-meaning.iat': 'Wann das Token ausgestellt wurde.',
  'claim-meaning.auth-time': 'Wann sich der Benutzer angemeldet hat.',
  'claim-meaning.nonce':
    'Die Nonce der Autorisierungsanfrage, damit ein Token nicht bei einer anderen Anmeldung verwendet werden kann.',
  'claim-meaning.acr':
    'Wie stark die Anmeldung war: pwd steht für ein Passwort oder einen Anbieter, mfa zusätzlich für einen zweiten ' +
    'Faktor, phr für einen Passkey, der vor Phishing schützt.',
  'claim-meaning.amr':
    'Wie sich der Benutzer angemeldet hat: pwd ist ein Passwort, otp ein Code, fed ein Anbieter, mfa bedeutet zwei ' +
    'Schritte, pop einen Schlüssel und user, dass das Gerät den Benutzer erkannt hat.',
  'claim-meaning.at-hash': 'Die Hälfte des Hashwerts des Zugriffstokens. Sie verbindet die beiden Token.',
  'claim-meaning.c-hash': 'Die Hälfte des Hashwerts des Codes.',
  'claim-meaning.client-id': 'Die Anwendung, für die das Token ausgestellt wurde.',
  'claim-meaning.scope': 'Was das Token erlaubt.',
  'claim-meaning.jti': 'Bezeichnet das Token.',
  'claim-meaning.sid': 'Die Sitzung der Anmeldung. Ein Logout-Token enthält denselben Wert.',
  'claim-meaning.preferred-username': 'Der Benutzername. Erkennen Sie Benutzer nicht daran: sub ändert sich nie.',
  'claim-meaning.email': 'Die E-Mail-Adresse. Erkennen Sie Benutzer nicht daran: sub ändert sich nie.',
  'claim-meaning.email-verified': 'Ob der Benutzer nachgewiesen hat, dass er E-Mails an diese Adresse liest.',
  'claim-meaning.phone-number-verified': 'Dieser Server prüft keine Telefonnummern.',
  'claim-meaning.updated-at': 'Wann sich das Profil des Benutzers zuletzt geändert hat.',
  'claim-meaning.groups': 'Die Namen der Gruppen des Benutzers, mit dem Scope groups.',
};

/** Messages in an application’s example requests, and the meanings of the claims in its tokens. */
export const examples = { en, de };
