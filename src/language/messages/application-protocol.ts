const en = {
  'authentication.methods': 'How the application authenticates',
  'authentication.methods-help': 'Choose all methods that its software uses, and no others.',
  'authentication.keys': 'Public keys',
  'authentication.keys-help':
    'One or more public keys: as a JWK, as a JWK set, or in PEM format. Never paste a private key: this server needs ' +
    'only the public half.',
  'authentication.subject-kind': 'Kind of certificate subject',
  'authentication.subject': 'Certificate subject',
  'authentication.subject-help':
    'Only for a certificate issued by a certificate authority; otherwise, leave empty. Enter a distinguished name in ' +
    'the form CN=client,O=Example. Certificates with a different subject are refused.',
  'authentication.secret-basic': 'Client secret in a header',
  'authentication.secret-basic-help': 'client_secret_basic: HTTP Basic, which all software supports.',
  'authentication.secret-post': 'Client secret in the request body',
  'authentication.secret-post-help': 'client_secret_post: as a form field.',
  'authentication.private-key': 'Signature with a private key',
  'authentication.private-key-help': 'private_key_jwt: no secret is stored here or sent. Requires a public key.',
  'authentication.tls': 'TLS client certificate issued by an authority',
  'authentication.tls-help':
    'tls_client_auth: the certificate is issued by an authority that the operator trusts. Requires the certificate ' +
    'subject.',
  'authentication.self-signed': 'TLS client certificate with a registered key',
  'authentication.self-signed-help':
    'self_signed_tls_client_auth: the application connects with a certificate for one of its public keys.',
  'authentication.subject-dn': 'Distinguished name',
  'authentication.subject-dns': 'Alternative name: DNS name',
  'authentication.subject-uri': 'Alternative name: URI',
  'authentication.subject-ip': 'Alternative name: IP address',
  'authentication.subject-email': 'Alternative name: e-mail address',
  'security.title': 'Protection',
  'security.summary': 'profile, bound tokens, signed requests',
  'security.help': 'For applications that handle sensitive data. Your software must support what you choose here.',
  'security.profile': 'Profile',
  'security.profile-none': 'None',
  'security.profile-none-help': 'Only what you choose below.',
  'security.profile-fapi-help':
    'For banking, health and other sensitive data. It requires a key or a certificate instead of a secret, turns on ' +
    'every mandatory protection, and refuses every forbidden option. RS256 is replaced by PS256.',
  'security.binding': 'Bind access tokens to',
  'security.binding-none': 'Nothing',
  'security.binding-none-help': 'Anyone who gets hold of an access token can use it. The usual choice.',
  'security.binding-dpop': 'A key of the application (DPoP)',
  'security.binding-dpop-help':
    'Every request for tokens must prove possession of the key. A stolen token is useless without it.',
  'security.binding-tls': 'Its TLS client certificate',
  'security.binding-tls-help': 'The application must connect with the same certificate whenever it uses a token.',
  'security.requests': 'Authorization requests',
  'security.pushed': 'Must be pushed (PAR)',
  'security.pushed-help':
    'The application sends the request to this server first, so that users cannot see or change it.',
  'security.signed': 'Must be signed (JAR)',
  'security.signed-help': 'The request is a JWT signed with a private key whose public key is registered here.',
  'security.signatures': 'Request and response signatures',
  'security.request-algorithm': 'Request signing algorithm',
  'security.request-algorithm-help':
    'The only algorithm that this server accepts for the application’s signed requests.',
  'security.any-algorithm': 'Any that suits a key of the application',
  'security.request-uris': 'Request URLs',
  'security.request-uris-help':
    'Request URIs: https URLs that this server may fetch signed requests from. One per line.',
  'security.response-algorithm': 'Authorization response signing algorithm',
  'security.response-algorithm-help': 'Only used if a request asks for a signed response (JARM).',
  'security.introspection-algorithm': 'Introspection response signing algorithm',
  'security.introspection-algorithm-help': 'Only used if the application asks for a signed response (RFC 9701).',
  'openid.summary': 'logins, logouts, user ids',
  'openid.help':
    'For applications whose users log in with their accounts here. Leave everything as it is if you are not sure: ' +
    'the defaults suit most applications.',
  'openid.after-logout': 'After logging out, users may return to',
  'openid.after-logout-help':
    'Post-logout redirect URIs: where your application may send users once they have logged out here. One full URL ' +
    'per line, which must match exactly.',
  'openid.backchannel': 'Report logouts to',
  'openid.backchannel-help':
    'Back-channel logout URI: when a user logs out here, this server sends a message to this URL of your ' +
    'application, so that the user is logged out there, too.',
  'openid.login-page': 'Login page of the application',
  'openid.login-page-help':
    'Initiate-login URI: an https URL of your application that starts a login. Other sites can send users to it.',
  'openid.max-age': 'Require a new login after (seconds)',
  'openid.max-age-help':
    'Default maximum age: if the login here is older, users must log in again before they return to your ' +
    'application. 3600 is an hour. Leave empty for no limit.',
  'openid.relies': 'Your application requires',
  'openid.relies-help': 'Choose only what your software needs.',
  'openid.relies-session': 'The session id in logout tokens',
  'openid.relies-session-help': 'The application can then end only that session of the user (sid).',
  'openid.relies-time': 'The login time in ID tokens',
  'openid.relies-time-help': 'The application can then tell how long ago the user logged in (auth_time).',
  'openid.ids-and-signatures': 'User ids and signatures',
  'openid.user-ids': 'User ids',
  'openid.user-ids-help':
    'Subject type: the id by which your application recognizes a user (sub). Changing it gives all users new ids.',
  'openid.ids-public': 'The same as for other applications',
  'openid.ids-public-help': 'The usual choice.',
  'openid.ids-pairwise': 'Its own (pairwise)',
  'openid.ids-pairwise-help': 'Other applications cannot tell from the ids that it is the same user.',
  'openid.sector': 'Sector identifier URI',
  'openid.sector-help':
    'Only needed for pairwise ids if the redirect URIs have several hosts: the https URL of a JSON file that lists ' +
    'all redirect URIs.',
  'openid.id-token-algorithm': 'ID token signing algorithm',
  'openid.id-token-algorithm-help': 'All OpenID Connect software can verify RS256.',
  'openid.userinfo-algorithm': 'Userinfo response signing algorithm',
  'openid.userinfo-algorithm-help': 'Almost all software expects JSON without a signature.',
  'openid.userinfo-none': 'None (JSON)',
  'certificate.not-reached':
    'This server does not accept client certificates yet. Its operator can change this with the mtlsPort setting, or ' +
    'with the clientCertificateProxies setting if a proxy verifies them.',
  'certificate.no-authorities':
    'This server does not trust any certificate authority for client certificates yet. Its operator can ' +
    'specify trusted authorities with the tlsClientCaFile setting.',
  'authentication.help-and-problem': '{help} {problem}',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'authentication.methods': 'Wie sich die Anwendung authentifiziert',
  'authentication.methods-help': 'Wählen Sie alle Verfahren, die ihre Software verwendet, und keine anderen.',
  'authentication.keys': 'Öffentliche Schlüssel',
  'authentication.keys-help':
    'Ein öffentlicher Schlüssel oder mehrere: als JWK, als JWK-Set oder im PEM-Format. Fügen Sie nie einen privaten ' +
    'Schlüssel ein: Dieser Server braucht nur die öffentliche Hälfte.',
  'authentication.subject-kind': 'Art des Zertifikatsinhabers (Subject)',
  'authentication.subject': 'Inhaber (Subject) des Zertifikats',
  'authentication.subject-help':
    'Für ein Zertifikat einer Zertifizierungsstelle, sonst leer. Ein Distinguished Name wird wie CN=client,O=Example ' +
    'geschrieben. Zertifikate mit anderem Inhaber werden abgelehnt.',
  'authentication.secret-basic': 'Client-Secret in einem Header',
  'authentication.secret-basic-help': 'client_secret_basic: HTTP Basic, das jede Software beherrscht.',
  'authentication.secret-post': 'Client-Secret im Body der Anfrage',
  'authentication.secret-post-help': 'client_secret_post: als Formularfeld.',
  'authentication.private-key': 'Signatur mit einem privaten Schlüssel',
  'authentication.private-key-help':
    'private_key_jwt: Hier wird kein Geheimnis gespeichert oder gesendet. Nötig ist ein öffentlicher Schlüssel.',
  'authentication.tls': 'TLS-Client-Zertifikat einer Zertifizierungsstelle',
  'authentication.tls-help':
    'tls_client_auth: Eine Zertifizierungsstelle, der der Betreiber vertraut, stellt das Zertifikat aus. Nötig ist ' +
    'dessen Inhaber (Subject).',
  'authentication.self-signed': 'TLS-Client-Zertifikat mit registriertem Schlüssel',
  'authentication.self-signed-help':
    'self_signed_tls_client_auth: Die Anwendung verbindet sich mit einem Zertifikat für einen ihrer öffentlichen ' +
    'Schlüssel.',
  'authentication.subject-dn': 'Distinguished Name',
  'authentication.subject-dns': 'Alternativer Name: DNS-Name',
  'authentication.subject-uri': 'Alternativer Name: URI',
  'authentication.subject-ip': 'Alternativer Name: IP-Adresse',
  'authentication.subject-email': 'Alternativer Name: E-Mail-Adresse',
  'security.title': 'Schutz',
  'security.summary': 'Profil, gebundene Token, signierte Anfragen',
  'security.help': 'Für Anwendungen mit sensiblen Daten. Ihre Software muss unterstützen, was Sie hier wählen.',
  'security.profile': 'Profil',
  'security.profile-none': 'Keines',
  'security.profile-none-help': 'Nur was Sie unten wählen.',
  'security.profile-fapi-help':
    'Für Bank-, Gesundheits- und andere sensible Daten. Es verlangt einen Schlüssel oder ein Zertifikat statt eines ' +
    'Client-Secrets, schaltet ein, was es vorschreibt, und lehnt ab, was es verbietet. Aus RS256 wird PS256.',
  'security.binding': 'Zugriffstoken binden an',
  'security.binding-none': 'Nichts',
  'security.binding-none-help': 'Wer an ein Zugriffstoken gelangt, kann es verwenden. Die übliche Wahl.',
  'security.binding-dpop': 'Einen Schlüssel der Anwendung (DPoP)',
  'security.binding-dpop-help':
    'Jede Anfrage nach Token muss den Besitz des Schlüssels nachweisen. Ein gestohlenes Token ist ohne ihn wertlos.',
  'security.binding-tls': 'Ihr TLS-Client-Zertifikat',
  'security.binding-tls-help':
    'Die Anwendung muss sich jedes Mal mit demselben Zertifikat verbinden, wenn sie ein Token verwendet.',
  'security.requests': 'Autorisierungsanfragen',
  'security.pushed': 'Müssen vorab eingereicht werden (PAR)',
  'security.pushed-help':
    'Die Anwendung sendet die Anfrage zuerst an diesen Server, sodass Benutzer sie weder sehen noch ändern können.',
  'security.signed': 'Müssen signiert sein (JAR)',
  'security.signed-help':
    'Die Anfrage ist ein JWT, das sich mit einem hier registrierten öffentlichen Schlüssel prüfen lässt.',
  'security.signatures': 'Signaturen von Anfragen und Antworten',
  'security.request-algorithm': 'Signaturverfahren der Anfragen',
  'security.request-algorithm-help':
    'Das einzige Verfahren, das dieser Server für signierte Anfragen der Anwendung akzeptiert.',
  'security.any-algorithm': 'Jedes, das zu einem Schlüssel der Anwendung passt',
  'security.request-uris': 'Adressen von Anfragen',
  'security.request-uris-help':
    'Request-URIs: https-Adressen, von denen dieser Server signierte Anfragen abrufen darf. Eine pro Zeile.',
  'security.response-algorithm': 'Signaturverfahren der Autorisierungsantworten',
  'security.response-algorithm-help': 'Gilt nur, wenn eine Anfrage eine signierte Antwort verlangt (JARM).',
  'security.introspection-algorithm': 'Signaturverfahren der Introspection-Antworten',
  'security.introspection-algorithm-help': 'Gilt nur, wenn die Anwendung eine signierte Antwort verlangt (RFC 9701).',
  'openid.summary': 'Anmeldungen, Abmeldungen, Benutzer-IDs',
  'openid.help':
    'Für Anwendungen, deren Benutzer sich mit ihrem Konto auf diesem Server anmelden. Lassen Sie im Zweifel alles, ' +
    'wie es ist: Die Vorgaben passen für die meisten Anwendungen.',
  'openid.after-logout': 'Nach der Abmeldung dürfen Benutzer zurückkehren zu',
  'openid.after-logout-help':
    'Post-Logout-Redirect-URIs: wohin Ihre Anwendung Benutzer senden darf, sobald sie sich hier abgemeldet haben. ' +
    'Eine vollständige URL pro Zeile, die genau übereinstimmen muss.',
  'openid.backchannel': 'Abmeldungen melden an',
  'openid.backchannel-help':
    'Back-Channel-Logout-URI: Meldet sich ein Benutzer hier ab, sendet dieser Server eine Nachricht an diese Adresse ' +
    'Ihrer Anwendung, damit er auch dort abgemeldet wird.',
  'openid.login-page': 'Anmeldeseite der Anwendung',
  'openid.login-page-help':
    'Initiate-Login-URI: eine https-Adresse Ihrer Anwendung, die eine Anmeldung startet. Andere Websites können ' +
    'Benutzer dorthin senden.',
  'openid.max-age': 'Erneute Anmeldung nach (Sekunden)',
  'openid.max-age-help':
    'Höchstalter: Ist die Anmeldung hier älter, müssen sich Benutzer erneut anmelden, bevor sie zu Ihrer Anwendung ' +
    'zurückkehren. 3600 ist eine Stunde. Leer: ohne Grenze.',
  'openid.relies': 'Ihre Anwendung benötigt',
  'openid.relies-help': 'Wählen Sie nur, was Ihre Software verlangt.',
  'openid.relies-session': 'Die Sitzungs-ID in Logout-Token',
  'openid.relies-session-help': 'Die Anwendung kann dann nur diese Sitzung des Benutzers beenden (sid).',
  'openid.relies-time': 'Den Zeitpunkt der Anmeldung in ID-Token',
  'openid.relies-time-help':
    'Die Anwendung kann dann erkennen, wie lange die Anmeldung des Benutzers her ist (auth_time).',
  'openid.ids-and-signatures': 'Benutzer-IDs und Signaturen',
  'openid.user-ids': 'Benutzer-IDs',
  'openid.user-ids-help':
    'Subject Type: die ID, an der Ihre Anwendung einen Benutzer erkennt (sub). Durch eine Änderung erhalten alle ' +
    'Benutzer neue IDs.',
  'openid.ids-public': 'Dieselbe wie für andere Anwendungen',
  'openid.ids-public-help': 'Die übliche Wahl.',
  'openid.ids-pairwise': 'Eine eigene (pairwise)',
  'openid.ids-pairwise-help': 'Andere Anwendungen können an den IDs nicht erkennen, dass es derselbe Benutzer ist.',
  'openid.sector': 'Sector-Identifier-URI',
  'openid.sector-help':
    'Nur nötig für eigene IDs, wenn die Redirect-URIs mehrere Hosts haben: die https-Adresse einer JSON-Datei, die ' +
    'alle Redirect-URIs auflistet.',
  'openid.id-token-algorithm': 'Signaturverfahren der ID-Token',
  'openid.id-token-algorithm-help': 'Jede Software für OpenID Connect kann RS256 prüfen.',
  'openid.userinfo-algorithm': 'Signaturverfahren der Userinfo-Antworten',
  'openid.userinfo-algorithm-help': 'Fast jede Software erwartet JSON ohne Signatur.',
  'openid.userinfo-none': 'Keine (JSON)',
  'certificate.not-reached':
    'Dieser Server nimmt noch keine Client-Zertifikate an. Der Betreiber schaltet sie mit der Einstellung mtlsPort ' +
    'ein, oder mit clientCertificateProxies, wenn ein Proxy sie prüft.',
  'certificate.no-authorities':
    'Dieser Server vertraut noch keiner Zertifizierungsstelle für Client-Zertifikate. Der Betreiber legt sie mit ' +
    'tlsClientCaFile fest.',
  'authentication.help-and-problem': '{help} {problem}',
};

/** Messages in the form sections about authentication, protection and OpenID Connect. */
export const applicationProtocol = { en, de };
