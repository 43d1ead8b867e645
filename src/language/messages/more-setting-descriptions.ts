const en = {
  'setting.requireSecondFactor':
    'Who must log in with a second factor in addition to the password, or with a passkey: nobody, administrators and ' +
    'auditors, or all users. Users who have neither must set one up at their next login.',
  'setting.languages':
    'The languages that readers can choose for pages and e-mails. Readers whose browsers prefer none of them get the ' +
    'first one.',
  'setting.brandName': 'The name on the pages, in e-mails, and for passkeys and authenticator apps.',
  'setting.brandColor':
    'The color of links and buttons on light pages, and of buttons in e-mails. Other shades are derived from it. A ' +
    'color that would make text unreadable is refused.',
  'setting.brandColorDark':
    'The color of links and buttons on dark pages. By default, it is brandColor, lightened as much as needed.',
  'setting.brandLogo':
    'The image next to the name on pages and in e-mails, and in the browser tab. By default, pages show the initial ' +
    'of the name.',
  'setting.brandLogoDark': 'The logo on dark pages. By default, it is brandLogo.',
  'setting.brandTexts':
    'Your own texts on pages and in e-mails. grantlog brand texts lists the keys, and brand check checks a file. A ' +
    'text is an ICU message with the same arguments and tags as the one that it replaces.',
  'setting.brandLinks':
    'Links at the bottom of each page. The server metadata contains those for privacy (op_policy_uri) and terms ' +
    '(op_tos_uri).',
  'setting.signup': 'Whether anyone may create an account.',
  'setting.sampleApi':
    'Whether the sample API (/users/, /groups/) is served. It shows the user name, names and e-mail address of every ' +
    'user to every application with a token that has the read scope. On in the sample configuration; off once a ' +
    'configuration file is specified or another program embeds the server.',
  'setting.bodyLimitBytes': 'The largest request body that the server reads.',
  'setting.minFreeDiskBytes':
    'Requests that record something are refused while the disk that contains dataDir has less free space than this ' +
    'plus a reserve of 16 MiB.',
  'setting.tokensPerMinutePerClient':
    'The number of tokens that a confidential client, or each user of a public client, may get per minute; further ' +
    'requests are refused with status 429.',
  'setting.trustedProxies':
    'The number of your proxies in front of the server. It trusts that many entries at the end of ' +
    'X-Forwarded-For.',
  'setting.sessionLifetimeSeconds': 'How long a session in a browser lasts.',
  'setting.introspectionOwnTokensOnly': 'Whether a client may introspect only its own tokens.',
  'setting.snapshotEvents':
    'The number of events after which the projections are saved to a snapshot. The server starts from the latest ' +
    'snapshot.',
  'setting.maxStalenessSeconds':
    'How many seconds a node may be out of contact with the shared log before it refuses requests. Until then, it ' +
    'may accept access tokens that were revoked on other nodes.',
  'setting.dynamicRegistration':
    'Whether programs may register themselves (RFC 7591): never, with an access token that has the clients:register ' +
    'scope, or without one. Nothing is stored before a user authorizes the program.',
  'setting.registrationLifetimeSeconds':
    'How long after registering itself a program can be authorized for the first time.',
  'setting.softwareStatementIssuers':
    'The issuers whose software statements are accepted (RFC 7591 §2.3). The metadata in such a statement replaces ' +
    'the metadata that the program itself sends.',
  'setting.requireDpop':
    'Whether all token requests need a DPoP proof (RFC 9449), except those of clients that bind their tokens to a ' +
    'certificate.',
  'setting.tlsCertificateFile':
    'The certificate of this server, followed by the intermediate certificates. If set, the server uses HTTPS ' +
    'instead of HTTP.',
  'setting.tlsKeyFile': 'The private key of tlsCertificateFile.',
  'setting.tlsClientCaFile':
    'The certificates of the authorities that issue certificates to clients, for tls_client_auth. The server ' +
    'trusts each of them.',
  'setting.mtlsPort':
    'A second HTTPS port, on which the server requests client certificates. It is separate because browsers ask ' +
    'their users for a certificate there.',
  'setting.mtlsUrl': 'The base URL where clients present their certificates, if it is not the issuer with mtlsPort.',
  'setting.clientCertificateProxies':
    'The addresses of your proxies that verify client certificates and send them in Client-Cert (RFC 9440). Such a ' +
    'proxy must remove this header from the requests that it receives.',
  'setting.outgoingHttp':
    'Whether the server may also send requests over http. By default, the URLs of sector documents and keys ' +
    '(jwks_uri), and those for back-channel logout, must use https.',
  'setting.outgoingNetworks':
    'The loopback and private networks that the server may send requests to, in addition to public addresses. ' +
    'Registered applications choose the addresses, so list only networks whose servers are prepared for such ' +
    'requests.',
  'setting.mail':
    'How e-mails are sent. Without this setting, users cannot verify an e-mail address or reset a password by ' +
    'themselves. Connections to other machines are always encrypted. A directory and the console are for trying out ' +
    'the server.',
  'setting.mailFrom': 'The sender of e-mails; required for SMTP.',
  'setting.logLevel': 'The lowest level that is logged; info logs a line for each request, warn does not.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'setting.requireSecondFactor':
    'Wer sich außer mit dem Passwort mit einem zweiten Faktor oder mit einem Passkey anmelden muss: niemand, ' +
    'Administratoren und Prüfer, oder alle Benutzer. Wer noch keinen hat, richtet ihn bei der nächsten Anmeldung ' +
    'ein.',
  'setting.languages':
    'Die Sprachen der Seiten und Mails, aus denen Leser wählen. Die erste ist für Leser, deren Browser keine von ' +
    'ihnen bevorzugt.',
  'setting.brandName': 'Der Name auf den Seiten, in Mails sowie für Passkeys und Authentifizierungs-Apps.',
  'setting.brandColor':
    'Die Farbe von Links und Schaltflächen auf hellen Seiten und von Schaltflächen in Mails. Andere Farbtöne leiten ' +
    'sich daraus ab. Eine Farbe, in der Texte nicht lesbar sind, wird abgelehnt.',
  'setting.brandColorDark':
    'Die Farbe von Links und Schaltflächen auf dunklen Seiten. Ohne Angabe gilt brandColor, so weit aufgehellt wie ' +
    'nötig.',
  'setting.brandLogo':
    'Das Bild neben dem Namen auf Seiten und in Mails und im Tab des Browsers. Ohne Bild auf Seiten der ' +
    'Anfangsbuchstabe des Namens.',
  'setting.brandLogoDark': 'Das Logo auf dunklen Seiten. Ohne Angabe gilt brandLogo.',
  'setting.brandTexts':
    'Ihre eigenen Texte auf Seiten und in Mails. grantlog brand texts nennt die Schlüssel, und brand check prüft ' +
    'eine Datei. Ein Text ist eine ICU-Nachricht mit denselben Argumenten und Tags wie der Text, den sie ersetzt.',
  'setting.brandLinks':
    'Links am Ende jeder Seite. Die Metadaten des Servers enthalten die Links privacy (op_policy_uri) und terms ' +
    '(op_tos_uri).',
  'setting.signup': 'Ob jeder ein Konto anlegen kann.',
  'setting.sampleApi':
    'Ob die Beispiel-API (/users/, /groups/) angeboten wird. Sie zeigt jeder Anwendung mit einem Token des Scopes ' +
    'read die Benutzernamen, Namen und E-Mail-Adressen aller Benutzer. In der Beispielkonfiguration ist sie ' +
    'eingeschaltet, mit einer Konfigurationsdatei oder in einem anderen Programm ausgeschaltet.',
  'setting.bodyLimitBytes': 'Der größte Inhalt einer Anfrage, den der Server liest.',
  'setting.minFreeDiskBytes':
    'Anfragen, die etwas aufzeichnen, werden abgelehnt, solange die Festplatte von dataDir weniger freien Platz ' +
    'hat. Dazu kommt eine Reserve von 16 MiB.',
  'setting.tokensPerMinutePerClient':
    'Wie viele Token ein vertraulicher Client, oder jeder Benutzer eines öffentlichen Clients, pro Minute ' +
    'erhalten kann. Weitere Anfragen werden mit 429 abgelehnt.',
  'setting.trustedProxies':
    'Die Zahl Ihrer Proxys vor dem Server. So vielen Einträgen am Ende von X-Forwarded-For vertraut er.',
  'setting.sessionLifetimeSeconds': 'Wie lange eine Sitzung in einem Browser dauert.',
  'setting.introspectionOwnTokensOnly': 'Ob ein Client nur seine eigenen Token prüfen lassen darf.',
  'setting.snapshotEvents':
    'Die Zahl der Ereignisse, nach der die Projektionen in einem Snapshot gespeichert werden. Der Server startet vom ' +
    'neuesten Snapshot.',
  'setting.maxStalenessSeconds':
    'Nach wie vielen Sekunden ein Knoten ohne Verbindung zu seinem gemeinsamen Protokoll Anfragen ablehnt. Bis ' +
    'dahin akzeptiert er Zugriffstoken, die auf anderen Knoten widerrufen wurden.',
  'setting.dynamicRegistration':
    'Ob sich Programme selbst registrieren dürfen (RFC 7591): nie, mit einem Zugriffstoken des Scopes ' +
    'clients:register oder ohne Token. Gespeichert wird erst etwas, wenn ein Benutzer das Programm zulässt.',
  'setting.registrationLifetimeSeconds':
    'Wie lange nach seiner eigenen Registrierung ein Programm zum ersten Mal zugelassen werden kann.',
  'setting.softwareStatementIssuers':
    'Die Aussteller, deren Software-Statements akzeptiert werden (RFC 7591 §2.3). Die Angaben eines Statements ' +
    'über ein Programm ersetzen dessen eigene Angaben.',
  'setting.requireDpop':
    'Ob jede Token-Anfrage einen DPoP-Nachweis braucht (RFC 9449), außer denen von Clients, die ihre Token an ein ' +
    'Zertifikat binden.',
  'setting.tlsCertificateFile':
    'Das Zertifikat dieses Servers, gefolgt von den Zwischenzertifikaten. Damit spricht er HTTPS statt HTTP.',
  'setting.tlsKeyFile': 'Der private Schlüssel zu tlsCertificateFile.',
  'setting.tlsClientCaFile':
    'Die Zertifikate der Stellen, die Zertifikate für Clients ausstellen, für tls_client_auth. Der Server ' +
    'vertraut jeder von ihnen.',
  'setting.mtlsPort':
    'Ein zweiter Port mit HTTPS, der das Zertifikat des Clients anfordert. Er ist getrennt, weil Browser ihre ' +
    'Benutzer dort nach einem Zertifikat fragen.',
  'setting.mtlsUrl':
    'Die Adresse, unter der Clients ihre Zertifikate vorlegen, falls sie nicht der Aussteller mit mtlsPort ist.',
  'setting.clientCertificateProxies':
    'Die Adressen Ihrer Proxys, die Client-Zertifikate prüfen und in Client-Cert weitergeben (RFC 9440). Ein solcher ' +
    'Proxy muss diesen Header aus den Anfragen entfernen, die er empfängt.',
  'setting.outgoingHttp':
    'Ob der Server auch Anfragen mit http senden darf. Ohne diese Einstellung müssen die Adressen von ' +
    'Sektor-Dokumenten, von Schlüsseln (jwks_uri) und für die Back-Channel-Abmeldung https verwenden.',
  'setting.outgoingNetworks':
    'Die Loopback- und privaten Netze, in die der Server außer an öffentliche Adressen Anfragen senden darf. Die ' +
    'Adressen wählen die registrierten Anwendungen. Nennen Sie also nur Netze, deren Server darauf eingerichtet ' +
    'sind.',
  'setting.mail':
    'Wie Mails verschickt werden. Ohne Mails können Benutzer weder eine E-Mail-Adresse bestätigen noch selbst ein ' +
    'Passwort zurücksetzen. Verbindungen zu anderen Rechnern sind immer verschlüsselt. Ein Verzeichnis und die ' +
    'Konsole sind zum Ausprobieren da.',
  'setting.mailFrom': 'Der Absender von Mails. SMTP braucht ihn.',
  'setting.logLevel':
    'Die niedrigste Stufe, die ins Log des Servers geschrieben wird. Bei info eine Zeile für jede Anfrage, bei ' +
    'warn nicht.',
};

/** The descriptions of the second half of the settings. */
export const moreSettingDescriptions = { en, de };
