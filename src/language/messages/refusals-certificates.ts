const en = {
  'refusal.certificate-missing.rule': 'The client authenticates with a TLS certificate (RFC 8705 §2).',
  'refusal.certificate-missing.rule-2': 'The tokens of the client are bound to its TLS certificate (RFC 8705 §3).',
  'refusal.certificate-missing.expected': 'a connection with a client certificate',
  'refusal.certificate-missing.seen': 'no certificate',
  'refusal.certificate-missing.advice':
    'Present the certificate in the TLS handshake. If the server is behind a proxy, the proxy must send Client-Cert.',
  'refusal.certificate-missing.advice-2':
    'Present the certificate at {at}: see mtls_endpoint_aliases in the server’s metadata.',
  'refusal.certificate-refused.rule':
    'A client certificate must be valid, and must come from the TLS handshake or from a trusted proxy (RFC 9440).',
  'refusal.certificate-refused.expected': 'a certificate that is valid now, with a strong key and signature',
  'refusal.certificate-chain.rule':
    'The certificate must be issued for clients by an authority that this server trusts (RFC 8705 §2.1).',
  'refusal.certificate-chain.expected': 'a client certificate that chains to an authority in tlsClientCaFile',
  'refusal.certificate-chain.advice':
    'Present the certificate that the authority issued, together with the intermediate certificates. The operator ' +
    'sets tlsClientCaFile.',
  'refusal.certificate-subject-differs.rule':
    'The certificate must have the subject that is registered for the client (RFC 8705 §2.1.2).',
  'refusal.certificate-subject-differs.expected': 'the {subject} {expected}',
  'refusal.certificate-subject-differs.advice':
    'Register the name as openssl x509 -noout -subject -nameopt RFC2253 prints it: the order of its parts matters.',
  'refusal.certificate-subject-differs.advice-2':
    'Register the name that the certificate has, or use the right certificate. A wildcard matches nothing.',
  'refusal.certificate-key-unknown.rule':
    'The key of a self-signed certificate must be registered for the client (RFC 8705 §2.2).',
  'refusal.certificate-key-unknown.expected': 'the registered key',
  'refusal.certificate-key-unknown.expected-2': 'one of {keys} registered keys',
  'refusal.certificate-key-unknown.expected-3': 'a registered key, but the client has none',
  'refusal.certificate-key-unknown.seen': 'a certificate with a different key',
  'refusal.certificate-key-unknown.advice':
    'Register the public key of the certificate before you use it: grantlog client keys CLIENT_ID --add FILE.',
  'refusal.certificates.seen-problem': 'a Client-Cert header from an address that is not a trusted proxy',
  'refusal.certificates.seen-problem-2': 'a malformed certificate',
  'refusal.certificates.seen-problem-3': 'a malformed {header} header',
  'refusal.certificates.seen-problem-4': 'a certificate that expired {duration} ago',
  'refusal.certificates.seen-problem-5': 'a certificate that becomes valid in {duration}',
  'refusal.certificates.seen-problem-6': 'a certificate whose key is too weak: {weakness}',
  'refusal.certificates.seen-problem-7': 'a certificate whose signature is too weak: {weakness}',
  'refusal.certificates.advice-for':
    'Only trusted proxies may send Client-Cert. If the header came from your proxy, add the proxy’s address to ' +
    'clientCertificateProxies.',
  'refusal.certificates.advice-for-7': 'Present a correctly encoded X.509 certificate in the TLS handshake.',
  'refusal.certificates.advice-for-2':
    'The header must contain the certificate as base64-encoded DER between colons. Check the proxy (RFC 9440 §2).',
  'refusal.certificates.advice-for-3':
    'Renew the certificate. If it is new, check that the application loads the new file.',
  'refusal.certificates.advice-for-4':
    'Wait until the certificate is valid, or check the clock of the authority that issued it.',
  'refusal.certificates.advice-for-5':
    'Create a P-256 or Ed25519 key, or an RSA key of at least 2048 bits, and get a certificate for it.',
  'refusal.certificates.advice-for-6':
    'Have the certificate reissued with a signature that uses SHA-256 or a longer hash.',
  'refusal.certificates.seen-chain': 'a certificate from a different chain',
  'refusal.certificates.seen-chain-2': 'a certificate, but no authority is configured',
  'refusal.certificates.seen-chain-3': 'a certificate that is not for clients',
  'refusal.certificates.seen-chain-4': 'a certificate whose issuer may not issue client certificates',
  'refusal.certificates.seen-chain-5': 'a certificate whose issuer has a certificate that is too weak: {weakness}',
  'refusal.certificates.seen-chain-6':
    'a certificate with the extension {id}, which restricts it in a way that the server does not check',
  'refusal.certificates.subjects.subject-dn': 'distinguished name',
  'refusal.certificates.subjects.san-dns': 'host name (DNS)',
  'refusal.certificates.subjects.san-uri': 'URI',
  'refusal.certificates.subjects.san-ip': 'IP address',
  'refusal.certificates.subjects.san-email': 'e-mail address',
  'weakness.bits': '{bits}-bit RSA',
  'weakness.exponent': 'RSA with the exponent {exponent}',
  'weakness.curve': 'the curve {curve}',
  'weakness.kind': 'the key type {kind}',
  'weakness.signature': '{hash} with {algorithm}',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.certificate-missing.rule': 'Der Client authentifiziert sich mit einem TLS-Zertifikat (RFC 8705 §2).',
  'refusal.certificate-missing.rule-2': 'Die Token des Clients sind an sein TLS-Zertifikat gebunden (RFC 8705 §3).',
  'refusal.certificate-missing.expected': 'eine Verbindung mit einem Client-Zertifikat',
  'refusal.certificate-missing.seen': 'kein Zertifikat',
  'refusal.certificate-missing.advice':
    'Legen Sie das Zertifikat beim TLS-Handshake vor. Steht der Server hinter einem Proxy, muss dieser Client-Cert ' +
    'senden.',
  'refusal.certificate-missing.advice-2':
    'Legen Sie das Zertifikat bei {at} vor: siehe mtls_endpoint_aliases in den Metadaten des Servers.',
  'refusal.certificate-refused.rule':
    'Ein Client-Zertifikat muss gültig sein und aus dem TLS-Handshake oder von einem vertrauenswürdigen Proxy kommen ' +
    '(RFC 9440).',
  'refusal.certificate-refused.expected': 'ein zurzeit gültiges Zertifikat mit starkem Schlüssel und starker Signatur',
  'refusal.certificate-chain.rule':
    'Das Zertifikat muss von einer Zertifizierungsstelle, der dieser Server vertraut, für Clients ausgestellt sein ' +
    '(RFC 8705 §2.1).',
  'refusal.certificate-chain.expected':
    'ein Zertifikat für Clients, dessen Kette zu einer Stelle in tlsClientCaFile führt',
  'refusal.certificate-chain.advice':
    'Legen Sie das Zertifikat vor, das die Stelle ausgestellt hat, mit dessen Zwischenzertifikaten. Der Betreiber ' +
    'setzt tlsClientCaFile.',
  'refusal.certificate-subject-differs.rule':
    'Das Zertifikat muss den Namen haben, der für den Client registriert ist (RFC 8705 §2.1.2).',
  'refusal.certificate-subject-differs.expected': '{subject}: {expected}',
  'refusal.certificate-subject-differs.advice':
    'Registrieren Sie den Namen so, wie openssl x509 -noout -subject -nameopt RFC2253 ihn ausgibt: Die Reihenfolge ' +
    'zählt.',
  'refusal.certificate-subject-differs.advice-2':
    'Registrieren Sie den Namen, den das Zertifikat hat, oder verwenden Sie das richtige Zertifikat. Ein ' +
    'Platzhalter passt zu nichts.',
  'refusal.certificate-key-unknown.rule':
    'Der Schlüssel eines selbst signierten Zertifikats muss für den Client registriert sein (RFC 8705 §2.2).',
  'refusal.certificate-key-unknown.expected': 'der registrierte Schlüssel',
  'refusal.certificate-key-unknown.expected-2': 'einer von {keys} registrierten Schlüsseln',
  'refusal.certificate-key-unknown.expected-3': 'ein registrierter Schlüssel, aber der Client hat keinen',
  'refusal.certificate-key-unknown.seen': 'ein Zertifikat mit einem anderen Schlüssel',
  'refusal.certificate-key-unknown.advice':
    'Registrieren Sie den öffentlichen Schlüssel des Zertifikats, bevor Sie es verwenden: grantlog client keys ' +
    'CLIENT_ID --add FILE.',
  'refusal.certificates.seen-problem':
    'ein Header Client-Cert von einer Adresse, die kein vertrauenswürdiger Proxy ist',
  'refusal.certificates.seen-problem-2': 'ein Zertifikat, das sich nicht lesen lässt',
  'refusal.certificates.seen-problem-3': 'ein Header {header}, der sich nicht lesen lässt',
  'refusal.certificates.seen-problem-4': 'ein Zertifikat, das vor {duration} abgelaufen ist',
  'refusal.certificates.seen-problem-5': 'ein Zertifikat, das erst in {duration} gültig wird',
  'refusal.certificates.seen-problem-6': 'ein Zertifikat mit zu schwachem Schlüssel: {weakness}',
  'refusal.certificates.seen-problem-7': 'ein Zertifikat mit zu schwacher Signatur: {weakness}',
  'refusal.certificates.advice-for':
    'Nur vertrauenswürdige Proxys dürfen Client-Cert senden. Kam der Header von Ihrem Proxy, fügen Sie dessen ' +
    'Adresse clientCertificateProxies hinzu.',
  'refusal.certificates.advice-for-7':
    'Legen Sie beim Aufbau der TLS-Verbindung ein gültig kodiertes X.509-Zertifikat vor.',
  'refusal.certificates.advice-for-2':
    'Der Header muss das Zertifikat als Base64-kodiertes DER zwischen Doppelpunkten enthalten. Prüfen Sie den Proxy ' +
    '(RFC 9440 §2).',
  'refusal.certificates.advice-for-3':
    'Erneuern Sie das Zertifikat. Ist es neu, prüfen Sie, ob die Anwendung die neue Datei lädt.',
  'refusal.certificates.advice-for-4':
    'Warten Sie, bis das Zertifikat gültig ist, oder prüfen Sie die Uhr der Zertifizierungsstelle, die es ' +
    'ausgestellt hat.',
  'refusal.certificates.advice-for-5':
    'Erzeugen Sie einen Schlüssel auf P-256 oder Ed25519 oder einen RSA-Schlüssel mit mindestens 2048 Bit, und holen ' +
    'Sie ein Zertifikat dafür.',
  'refusal.certificates.advice-for-6':
    'Lassen Sie das Zertifikat neu ausstellen, mit einer Signatur über SHA-256 oder einen längeren Hash.',
  'refusal.certificates.seen-chain': 'eines einer anderen Kette',
  'refusal.certificates.seen-chain-2': 'eines, aber es ist keine Zertifizierungsstelle eingestellt',
  'refusal.certificates.seen-chain-3': 'eines, das nicht für Clients ist',
  'refusal.certificates.seen-chain-4': 'eines, dessen Aussteller keine Zertifikate für Clients ausstellen darf',
  'refusal.certificates.seen-chain-5': 'eines, dessen Aussteller ein zu schwaches Zertifikat hat: {weakness}',
  'refusal.certificates.seen-chain-6': 'eines mit der Erweiterung {id}, deren Einschränkung der Server nicht prüft',
  'refusal.certificates.subjects.subject-dn': 'Distinguished Name',
  'refusal.certificates.subjects.san-dns': 'Hostname (DNS)',
  'refusal.certificates.subjects.san-uri': 'URI',
  'refusal.certificates.subjects.san-ip': 'IP-Adresse',
  'refusal.certificates.subjects.san-email': 'E-Mail-Adresse',
  'weakness.bits': 'RSA mit {bits} Bit',
  'weakness.exponent': 'RSA mit dem Exponenten {exponent}',
  'weakness.curve': 'die Kurve {curve}',
  'weakness.kind': 'der Schlüsseltyp {kind}',
  'weakness.signature': '{hash} mit {algorithm}',
};

/** Explanations of refusals: certificates. */
export const refusalCertificates = { en, de };
