const en = {
  'uri.too-long': 'is longer than {limit} characters',
  'uri.not-full': 'is not a full URL such as https://app.example.com',
  'uri.percent-encoding': 'contains a character that must be percent-encoded',
  'uri.fragment': 'must not have a fragment',
  'uri.user': 'must not have a user name or password',
  'uri.host': 'must have // and a host after the scheme',
  'uri.wildcard': 'must not contain a wildcard; register each URI separately',
  'uri.forbidden-scheme': 'must not use the {scheme} scheme',
  'uri.https': 'must use https',
  'uri.https-or-loopback': 'must use https; http is allowed only for 127.0.0.1, [::1] and localhost',
  'uri.https-for-confidential': 'must use https; only public clients may use a private-use scheme',
  'uri.https-or-dot': 'must use https, or a private-use scheme with a dot such as com.example.app',
  'uri.https-for-public': 'must use https; only confidential applications may use http',
  'uri.of-list': '"{uri}" {problem}.',
  'uri.named':
    'The {what, select, post_logout {post-logout redirect URI} back_channel {back-channel logout URI} ' +
    'initiate_login {initiate-login URI} sector {sector identifier URI} other {request URI}} "{uri}" {problem}.',
  'uri.named-only':
    'The {what, select, post_logout {post-logout redirect URI} back_channel {back-channel logout URI} ' +
    'initiate_login {initiate-login URI} other {sector identifier URI}} {problem}.',
  'uri.request': 'A request URI {problem}.',
  'uri.link':
    'The URL of the {what, select, homepage {homepage} policy {privacy policy} other {terms of service}} {problem}.',
  'uri.link-not-full': 'Enter a full URL, such as https://app.example.com.',
  'uri.too-many':
    'Register at most {limit} {what, select, redirect {redirect URIs} post_logout {post-logout redirect URIs} ' +
    'request {request URIs} other {origins}}.',
  'uri.too-long-together':
    'Use at most {limit} characters for all {what, select, redirect {redirect URIs} post_logout ' +
    '{post-logout redirect URIs} request {request URIs} other {origins}} together.',
  'client.name': 'Enter a name. Users see it when they are asked to authorize the application.',
  'client.invisible':
    'Remove the character U+{code}: it is invisible or changes how the text is displayed, so one text could pass for ' +
    'another.',
  'client.choose-one': 'Choose one of: {choices}.',
  'client.choose-method': 'Choose at least one way to authenticate.',
  'client.choose-some': 'Choose one or more of: {choices}.',
  'client.many-detail-types': 'An application can have at most {limit} types of authorization details.',
  'client.detail-type':
    'A type of authorization details can have at most {limit} printable ASCII characters, without spaces, quotes or ' +
    'backslashes.',
  'client.public-client-credentials': 'The client credentials grant requires a confidential client.',
  'client.public-token-exchange': 'Token exchange requires a confidential client.',
  'client.public-jwt-bearer': 'The JWT bearer grant requires a confidential client.',
  'client.redirect-uri-needed': 'The authorization code grant needs at least one redirect URI.',
  'client.origin': '"{origin}" is not an origin such as https://app.example.com.',
  'client.public-method': 'A public client has no credentials, so its authentication method must be none.',
  'client.confidential-method': 'A confidential client must authenticate: none is for public clients.',
  'client.many-keys': 'A client can have at most {limit} keys.',
  'client.same-kid': 'Two keys have the same kid.',
  'client.keys-and-address':
    'A client can register its public keys or the jwks_uri where it publishes them, but not both.',
  'client.jwt-keys': 'private_key_jwt needs at least one public key or the jwks_uri of the client.',
  'client.certificate-key':
    'self_signed_tls_client_auth needs the public key of the certificate or the jwks_uri of the client.',
  'client.certificate-subject': 'tls_client_auth needs the subject of the certificate.',
  'client.unused-subject':
    'The subject of a certificate is used only with tls_client_auth: choose that method, or remove the subject.',
  'client.subject-length': 'The subject of the certificate must have 1 to {limit} characters.',
  'client.subject-dn':
    'The subject is not a distinguished name such as CN=client,O=Example (RFC 4514). The command openssl x509 ' +
    '-noout -subject -nameopt RFC2253 prints the subject of a certificate.',
  'client.subject-dns': 'The subject is not a host name without a wildcard, such as client.example.com.',
  'client.subject-uri': 'The subject is not a URI such as spiffe://example.com/client.',
  'client.subject-ip': 'The subject is not an IPv4 or IPv6 address.',
  'client.subject-email': 'The subject is not an e-mail address.',
  'client.id-token-algorithm': 'Sign ID tokens with one of: {choices}.',
  'client.userinfo-algorithm': 'Do not sign userinfo responses, or sign them with one of: {choices}.',
  'client.subject-type': 'Choose a subject type: {one} or {other}.',
  'client.max-age': 'The default maximum age must be a whole number of seconds from 0 to {limit} (ten years).',
  'client.sector': 'Pairwise subjects need a sector identifier URI if the redirect URIs have several hosts: {hosts}.',
  'client.profile': 'Choose no profile, or one of: {choices}.',
  'client.two-bindings': 'Bind access tokens to a DPoP key or to a certificate, not to both.',
  'client.signed-requests-key': 'Signed requests need a public key of the client.',
  'client.request-objects-key': 'Request objects need a public key of the client.',
  'client.request-algorithm': 'Accept request objects with any algorithm, or with one of: {choices}.',
  'client.response-algorithm': 'Sign authorization responses with one of: {choices}.',
  'client.introspection-algorithm': 'Sign introspection responses with one of: {choices}.',
  'client.key-algorithm':
    'No public key of the client works with {algorithm}: register one, or choose a different algorithm.',
  'fapi2.confidential': 'FAPI 2.0 (§{clause}) requires a confidential client: choose this type.',
  'fapi2.password': 'FAPI 2.0 (§{clause}) forbids the password grant: remove it.',
  'fapi2.bound-tokens':
    'FAPI 2.0 (§{clause}) requires bound access tokens: bind them to a DPoP key or to a certificate.',
  'fapi2.pushed': 'FAPI 2.0 (§{clause}) requires pushed authorization requests: do not turn them off.',
  'fapi2.https': 'FAPI 2.0 (§{clause}) requires https, even for loopback addresses: replace {uris}.',
  'fapi2.methods':
    'FAPI 2.0 (§{clause}) requires private_key_jwt or a client certificate, not {methods}: choose ' +
    'private_key_jwt, and register a key.',
  'fapi2.keys': 'Replace each key whose algorithm FAPI 2.0 (§{clause}) forbids: {keys}.',
  'fapi2.algorithm': 'FAPI 2.0 (§{clause}) forbids RS256: choose one of {choices}.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'uri.too-long': 'ist länger als {limit} Zeichen',
  'uri.not-full': 'ist keine vollständige URL wie https://app.example.com',
  'uri.percent-encoding': 'enthält ein Zeichen, das mit % kodiert werden muss',
  'uri.fragment': 'darf kein Fragment haben',
  'uri.user': 'darf weder Benutzernamen noch Passwort enthalten',
  'uri.host': 'muss nach dem Schema // und einen Host haben',
  'uri.wildcard': 'darf keinen Platzhalter enthalten; registrieren Sie jede URI einzeln',
  'uri.forbidden-scheme': 'darf das Schema {scheme} nicht verwenden',
  'uri.https': 'muss https verwenden',
  'uri.https-or-loopback': 'muss https verwenden; http ist nur für 127.0.0.1, [::1] und localhost erlaubt',
  'uri.https-for-confidential': 'muss https verwenden; nur öffentliche Clients dürfen ein eigenes Schema verwenden',
  'uri.https-or-dot': 'muss https verwenden, oder ein eigenes Schema mit einem Punkt wie com.example.app',
  'uri.https-for-public': 'muss https verwenden; nur vertrauliche Anwendungen dürfen http verwenden',
  'uri.of-list': '„{uri}“ {problem}.',
  'uri.named':
    'Die {what, select, post_logout {Post-Logout-Redirect-URI} back_channel {Back-Channel-Logout-URI} ' +
    'initiate_login {Initiate-Login-URI} sector {Sector-Identifier-URI} other {Request-URI}} „{uri}“ {problem}.',
  'uri.named-only':
    'Die {what, select, post_logout {Post-Logout-Redirect-URI} back_channel {Back-Channel-Logout-URI} ' +
    'initiate_login {Initiate-Login-URI} other {Sector-Identifier-URI}} {problem}.',
  'uri.request': 'Eine Request-URI {problem}.',
  'uri.link':
    'Die Adresse der {what, select, homepage {Startseite} policy {Datenschutzerklärung} other {Nutzungsbedingungen}} ' +
    '{problem}.',
  'uri.link-not-full': 'Geben Sie eine vollständige Adresse wie https://app.example.com ein.',
  'uri.too-many':
    'Registrieren Sie höchstens {limit} {what, select, redirect {Redirect-URIs} post_logout ' +
    '{Post-Logout-Redirect-URIs} request {Request-URIs} other {Origins}}.',
  'uri.too-long-together':
    'Verwenden Sie höchstens {limit} Zeichen für alle {what, select, redirect {Redirect-URIs} post_logout ' +
    '{Post-Logout-Redirect-URIs} request {Request-URIs} other {Origins}} zusammen.',
  'client.name':
    'Geben Sie einen Namen ein. Benutzer sehen ihn, wenn sie gefragt werden, ob sie die Anwendung zulassen.',
  'client.invisible':
    'Entfernen Sie das Zeichen U+{code}: Es ist unsichtbar oder ändert, wie der Text angezeigt wird, sodass man zwei ' +
    'Texte verwechseln könnte.',
  'client.choose-one': 'Wählen Sie eines davon: {choices}.',
  'client.choose-method': 'Wählen Sie mindestens eine Art der Authentifizierung.',
  'client.choose-some': 'Wählen Sie mindestens eines davon: {choices}.',
  'client.many-detail-types': 'Eine Anwendung kann höchstens {limit} Typen von Autorisierungsdetails haben.',
  'client.detail-type':
    'Ein Typ von Autorisierungsdetails kann höchstens {limit} druckbare ASCII-Zeichen haben, ohne Leerzeichen, ' +
    'Anführungszeichen und umgekehrten Schrägstrich.',
  'client.public-client-credentials': 'Der Grant-Typ Client Credentials erfordert einen vertraulichen Client.',
  'client.public-token-exchange': 'Der Grant-Typ Token Exchange erfordert einen vertraulichen Client.',
  'client.public-jwt-bearer': 'Der Grant-Typ JWT Bearer erfordert einen vertraulichen Client.',
  'client.redirect-uri-needed': 'Der Grant-Typ Authorization Code braucht mindestens eine Redirect-URI.',
  'client.origin': '„{origin}“ ist keine Origin wie https://app.example.com.',
  'client.public-method': 'Ein öffentlicher Client hat keine Zugangsdaten: Sein einziges Verfahren ist none.',
  'client.confidential-method':
    'Ein vertraulicher Client muss sich authentifizieren: none ist für öffentliche Clients.',
  'client.many-keys': 'Ein Client kann höchstens {limit} Schlüssel haben.',
  'client.same-kid': 'Zwei Schlüssel haben dieselbe kid.',
  'client.keys-and-address':
    'Ein Client registriert entweder seine öffentlichen Schlüssel oder die jwks_uri, unter der er sie ' +
    'veröffentlicht, aber nicht beides.',
  'client.jwt-keys': 'private_key_jwt braucht mindestens einen öffentlichen Schlüssel des Clients oder seine jwks_uri.',
  'client.certificate-key':
    'self_signed_tls_client_auth braucht den öffentlichen Schlüssel des Zertifikats oder die jwks_uri des Clients.',
  'client.certificate-subject': 'tls_client_auth braucht den Inhaber im Zertifikat.',
  'client.unused-subject':
    'Der Inhaber im Zertifikat wird nur mit tls_client_auth verwendet: Wählen Sie dieses Verfahren, oder entfernen ' +
    'Sie den Inhaber.',
  'client.subject-length': 'Der Inhaber im Zertifikat muss 1 bis {limit} Zeichen haben.',
  'client.subject-dn':
    'Der Inhaber ist kein Distinguished Name wie CN=client,O=Example (RFC 4514). Der Befehl openssl x509 -noout ' +
    '-subject -nameopt RFC2253 gibt den Inhaber eines Zertifikats aus.',
  'client.subject-dns': 'Der Inhaber muss ein Hostname ohne Platzhalter sein, zum Beispiel client.example.com.',
  'client.subject-uri': 'Der Inhaber ist keine URI wie spiffe://example.com/client.',
  'client.subject-ip': 'Der Inhaber ist keine IPv4- oder IPv6-Adresse.',
  'client.subject-email': 'Der Inhaber ist keine E-Mail-Adresse.',
  'client.id-token-algorithm': 'ID-Token lassen sich mit einem davon signieren: {choices}.',
  'client.userinfo-algorithm': 'Userinfo-Antworten lassen sich nicht oder mit einem davon signieren: {choices}.',
  'client.subject-type': 'Wählen Sie einen Subject Type: {one} oder {other}.',
  'client.max-age':
    'Das Höchstalter der Anmeldung muss eine ganze Zahl von Sekunden von 0 bis {limit} (zehn Jahre) sein.',
  'client.sector':
    'Eigene IDs (pairwise) brauchen eine Sector-Identifier-URI, wenn die Redirect-URIs mehrere Hosts haben: {hosts}.',
  'client.profile': 'Wählen Sie kein Profil oder eines davon: {choices}.',
  'client.two-bindings': 'Binden Sie Zugriffstoken an einen DPoP-Schlüssel oder an ein Zertifikat, nicht an beides.',
  'client.signed-requests-key': 'Signierte Anfragen brauchen einen öffentlichen Schlüssel des Clients.',
  'client.request-objects-key': 'Request Objects brauchen einen öffentlichen Schlüssel des Clients.',
  'client.request-algorithm': 'Wählen Sie für Request Objects jedes Verfahren oder eines davon: {choices}.',
  'client.response-algorithm': 'Autorisierungsantworten lassen sich mit einem davon signieren: {choices}.',
  'client.introspection-algorithm': 'Introspection-Antworten lassen sich mit einem davon signieren: {choices}.',
  'client.key-algorithm':
    'Kein öffentlicher Schlüssel des Clients passt zu {algorithm}: Registrieren Sie einen, oder wählen Sie ' +
    'ein anderes Verfahren.',
  'fapi2.confidential': 'FAPI 2.0 (§{clause}) erfordert einen vertraulichen Client: Wählen Sie diesen Typ.',
  'fapi2.password': 'FAPI 2.0 (§{clause}) verbietet den Grant-Typ Password: Entfernen Sie ihn.',
  'fapi2.bound-tokens':
    'FAPI 2.0 (§{clause}) erfordert gebundene Zugriffstoken: Binden Sie sie an einen DPoP-Schlüssel oder an ein ' +
    'Zertifikat.',
  'fapi2.pushed':
    'FAPI 2.0 (§{clause}) erfordert vorab eingereichte Autorisierungsanfragen: Schalten Sie sie nicht aus.',
  'fapi2.https': 'FAPI 2.0 (§{clause}) erfordert https, auch für Loopback-Adressen: Ersetzen Sie {uris}.',
  'fapi2.methods':
    'FAPI 2.0 (§{clause}) erfordert private_key_jwt oder ein Client-Zertifikat, nicht {methods}: Wählen Sie ' +
    'private_key_jwt, und registrieren Sie einen Schlüssel.',
  'fapi2.keys': 'Ersetzen Sie jeden Schlüssel, dessen Verfahren FAPI 2.0 (§{clause}) verbietet: {keys}.',
  'fapi2.algorithm': 'FAPI 2.0 (§{clause}) verbietet RS256: Wählen Sie eines davon: {choices}.',
};

/**
 * Problems with the registration of an application. Entries about URIs that do not end with a period continue a
 * sentence that starts with the URI.
 */
export const registrationProblems = { en, de };
