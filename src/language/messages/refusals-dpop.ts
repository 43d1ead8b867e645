const en = {
  'refusal.dpop-proof-missing.expected': 'a DPoP header with a proof (RFC 9449 §5)',
  'refusal.dpop-proof-missing.seen': 'none',
  'refusal.dpop-proof-missing.advice':
    'Create a key, and send a proof with each token request. Many libraries have an option for this.',
  'refusal.dpop-proof-form.rule':
    'A proof must be a signed JWT of type dpop+jwt, in a single DPoP header (RFC 9449 §4.3).',
  'refusal.dpop-proof-form.expected': 'one DPoP header with one JWT whose typ is dpop+jwt',
  'refusal.dpop-proof-form.advice':
    'Use a library to create the proof, and look for a proxy or a wrapper that adds a second header.',
  'refusal.dpop-proof-algorithm.rule':
    'A proof must be signed with an asymmetric algorithm that is allowed for the application (RFC 9449 §4.3).',
  'refusal.dpop-proof-algorithm.expected': 'one of {allowed} as alg',
  'refusal.dpop-proof-algorithm.advice':
    'Sign with an allowed algorithm. Algorithms with a shared secret, such as HS256, and the algorithm none are ' +
    'never accepted.',
  'refusal.dpop-proof-key.rule': 'A proof must contain the public half of its key (RFC 9449 §4.2).',
  'refusal.dpop-proof-key.expected':
    'a valid public key as jwk: a P-256 or Ed25519 key, or an RSA key of 2048 to 8192 bits',
  'refusal.dpop-proof-key.advice':
    'Replace the key pair, because its private key was exposed, and send only the public members of the new key.',
  'refusal.dpop-proof-key.advice-2': 'Use a P-256 key with ES256, unless you need a different kind of key.',
  'refusal.dpop-proof-signature.rule': 'The signature must be valid (RFC 9449 §4.3).',
  'refusal.dpop-proof-signature.expected': 'a signature made with the key in the proof',
  'refusal.dpop-proof-signature.seen': 'a signature that was not made with this key',
  'refusal.dpop-proof-signature.advice':
    'Check that nothing alters the proof, and that jwk is the public half of the key that signs the proof.',
  'refusal.dpop-proof-method.rule': 'A proof is valid for only one HTTP method (RFC 9449 §4.3).',
  'refusal.dpop-proof-method.expected': '{expected} as htm',
  'refusal.dpop-proof-method.advice': 'Create a new proof for each request. Write the method in capital letters.',
  'refusal.dpop-proof-address.rule':
    'A proof is valid for only one URL (RFC 9449 §4.3). The query and the fragment are ignored.',
  'refusal.dpop-proof-address.expected': '{expected} as htu',
  'refusal.dpop-proof-address.advice':
    'Use the URL that the request is sent to. If the server is behind a proxy, its issuer must be its public URL.',
  'refusal.dpop-proof-time.rule': 'A proof is valid only for a short time (RFC 9449 §11.1).',
  'refusal.dpop-proof-time.expected':
    'an iat at most {duration} in the past and at most {duration2} in the future; if present, an exp in the future, ' +
    'and an nbf at most {duration2} in the future',
  'refusal.dpop-proof-time.advice':
    "Create a new proof just before you send each request, and check the application's clock.",
  'refusal.dpop-proof-id.rule': 'A proof must have an id, because it is accepted only once (RFC 9449 §4.2).',
  'refusal.dpop-proof-id.expected': 'a jti of 1 to {limit} characters',
  'refusal.dpop-proof-id.seen': 'none, or a longer one',
  'refusal.dpop-proof-id.advice': 'Set jti to a random value for each proof.',
  'refusal.dpop-proof-token.rule':
    'A proof that is sent with an access token must contain the hash of the token (RFC 9449 §4.3).',
  'refusal.dpop-proof-token.expected': 'the base64url-encoded SHA-256 hash of the access token as ath',
  'refusal.dpop-proof-token.seen': 'no ath',
  'refusal.dpop-proof-token.seen-2': 'a different value',
  'refusal.dpop-proof-token.advice': 'Create the proof for the access token that you send with it.',
  'refusal.dpop-nonce-needed.rule': 'The server can require a nonce in the proof (RFC 9449 §8).',
  'refusal.dpop-nonce-needed.expected': 'the newest DPoP-Nonce of this server as nonce',
  'refusal.dpop-nonce-needed.seen': 'no nonce',
  'refusal.dpop-nonce-needed.seen-2': 'a nonce that has expired, or that comes from a different node or an earlier run',
  'refusal.dpop-nonce-needed.advice':
    'Send the request again with a proof that contains the nonce. Libraries do so automatically. With several nodes, ' +
    'the load balancer must send all requests of a client to the same node.',
  'refusal.dpop-proof-replayed.rule': 'A proof is accepted only once (RFC 9449 §11.1).',
  'refusal.dpop-proof-replayed.expected': 'a new proof',
  'refusal.dpop-proof-replayed.seen': 'one with a jti that was already used with this key',
  'refusal.dpop-proof-replayed.advice':
    'Create a new proof for each request, even for a retry. If you already do so, somebody else may have sent a copy ' +
    'first.',
  'refusal.dpop-proofs-full.rule':
    'The server can remember only a limited number of proofs, and refuses proofs that it cannot remember.',
  'refusal.dpop-proofs-full.expected': 'fewer requests with proofs within 90 seconds',
  'refusal.dpop-proofs-full.seen': 'too many {flood}',
  'refusal.dpop-proofs-full.advice': 'Try again in a minute. Look for a flood of requests.',
  'refusal.dpop-keys-disagree.rule':
    'A request that has both a proof and dpop_jkt must use the same key for both (RFC 9449 §10.1).',
  'refusal.dpop-keys-disagree.expected': 'the thumbprint of the proof’s key as dpop_jkt',
  'refusal.dpop-keys-disagree.seen': 'a different key',
  'refusal.dpop-keys-disagree.advice': 'Leave out dpop_jkt, or compute it from the key of the proof (RFC 7638).',
  'refusal.dpop.requirers.client':
    'This application requires a proof in each token request (dpop_bound_access_tokens).',
  'refusal.dpop.requirers.profile': 'The security profile of this application requires a proof in each token request.',
  'refusal.dpop.requirers.server': 'This server requires a proof in each token request (requireDpop).',
  'refusal.dpop.forms.repeated': 'several DPoP headers, or one with a comma',
  'refusal.dpop.forms.malformed': 'a value that is not a valid JWT',
  'refusal.dpop.forms.type': 'a different typ, or none',
  'refusal.dpop.forms.critical': 'a JWT header with critical extensions (crit)',
  'refusal.dpop.keys.missing': 'no jwk',
  'refusal.dpop.keys.private': 'a private key',
  'refusal.dpop.keys.unsupported': 'an unsupported kind or size of key',
  'refusal.dpop.keys.other-kind': 'a key that does not match alg',
  'refusal.dpop.seen-time': 'no iat',
  'refusal.dpop.seen-time-2': 'a time {duration} in the past',
  'refusal.dpop.seen-time-3': 'a time {duration} in the future',
  'refusal.dpop.floods.caller': 'from this address or with this access token',
  'refusal.dpop.floods.client': 'from this application',
  'refusal.dpop.floods.server': 'from all applications together',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.dpop-proof-missing.expected': 'ein Header DPoP mit einem Nachweis (RFC 9449 §5)',
  'refusal.dpop-proof-missing.seen': 'nichts',
  'refusal.dpop-proof-missing.advice':
    'Erzeugen Sie einen Schlüssel, und senden Sie mit jeder Token-Anfrage einen Nachweis. Viele Bibliotheken haben ' +
    'dafür eine Einstellung.',
  'refusal.dpop-proof-form.rule':
    'Ein Nachweis muss ein signiertes JWT des Typs dpop+jwt in einem einzigen Header DPoP sein (RFC 9449 §4.3).',
  'refusal.dpop-proof-form.expected': 'ein Header DPoP mit einem JWT, dessen typ dpop+jwt ist',
  'refusal.dpop-proof-form.advice':
    'Lassen Sie eine Bibliothek den Nachweis erstellen, und suchen Sie nach einem Proxy oder einer Schicht, die ' +
    'einen zweiten Header hinzufügt.',
  'refusal.dpop-proof-algorithm.rule':
    'Ein Nachweis muss mit einem asymmetrischen Algorithmus signiert sein, der für die Anwendung erlaubt ist (RFC ' +
    '9449 §4.3).',
  'refusal.dpop-proof-algorithm.expected': 'einer von {allowed} als alg',
  'refusal.dpop-proof-algorithm.advice':
    'Signieren Sie mit einem erlaubten Algorithmus. Algorithmen mit gemeinsamem Geheimnis wie HS256 und der ' +
    'Algorithmus none werden nie angenommen.',
  'refusal.dpop-proof-key.rule':
    'Ein Nachweis muss die öffentliche Hälfte seines Schlüssels enthalten (RFC 9449 §4.2).',
  'refusal.dpop-proof-key.expected':
    'ein einwandfreier öffentlicher Schlüssel als jwk: auf P-256 oder Ed25519, oder ein RSA-Schlüssel mit 2048 bis ' +
    '8192 Bit',
  'refusal.dpop-proof-key.advice':
    'Ersetzen Sie den Schlüssel, denn sein privater Teil wurde offengelegt, und senden Sie nur die öffentlichen ' +
    'Teile des neuen Schlüssels.',
  'refusal.dpop-proof-key.advice-2':
    'Verwenden Sie einen Schlüssel auf P-256 mit ES256, wenn Sie keine andere Art brauchen.',
  'refusal.dpop-proof-signature.rule': 'Die Signatur muss stimmen (RFC 9449 §4.3).',
  'refusal.dpop-proof-signature.expected': 'eine Signatur des Schlüssels im Nachweis',
  'refusal.dpop-proof-signature.seen': 'eine Signatur, die nicht von diesem Schlüssel stammt',
  'refusal.dpop-proof-signature.advice':
    'Prüfen Sie, dass nichts den Nachweis verändert und dass jwk die öffentliche Hälfte des signierenden Schlüssels ' +
    'ist.',
  'refusal.dpop-proof-method.rule': 'Ein Nachweis gilt nur für eine HTTP-Methode (RFC 9449 §4.3).',
  'refusal.dpop-proof-method.expected': '{expected} als htm',
  'refusal.dpop-proof-method.advice':
    'Erstellen Sie für jede Anfrage einen neuen Nachweis. Schreiben Sie die Methode in Großbuchstaben.',
  'refusal.dpop-proof-address.rule':
    'Ein Nachweis gilt nur für eine Adresse (RFC 9449 §4.3). Query und Fragment werden nicht beachtet.',
  'refusal.dpop-proof-address.expected': '{expected} als htu',
  'refusal.dpop-proof-address.advice':
    'Verwenden Sie die Adresse, an die die Anfrage gesendet wird. Steht der Server hinter einem Proxy, muss sein ' +
    'Aussteller seine öffentliche Adresse sein.',
  'refusal.dpop-proof-time.rule': 'Ein Nachweis gilt nur kurze Zeit (RFC 9449 §11.1).',
  'refusal.dpop-proof-time.expected':
    'ein iat, das höchstens {duration} zurück- und höchstens {duration2} vorausliegt; falls vorhanden, ein exp in ' +
    'der Zukunft und ein nbf, das höchstens {duration2} vorausliegt',
  'refusal.dpop-proof-time.advice':
    'Erstellen Sie für jede Anfrage einen neuen Nachweis, kurz bevor Sie sie senden, und prüfen Sie die Uhr der ' +
    'Anwendung.',
  'refusal.dpop-proof-id.rule': 'Ein Nachweis hat eine ID, weil er nur einmal angenommen wird (RFC 9449 §4.2).',
  'refusal.dpop-proof-id.expected': 'ein jti mit 1 bis {limit} Zeichen',
  'refusal.dpop-proof-id.seen': 'keines, oder ein längeres',
  'refusal.dpop-proof-id.advice': 'Setzen Sie jti in jedem Nachweis auf einen zufälligen Wert.',
  'refusal.dpop-proof-token.rule':
    'Ein Nachweis, der mit einem Zugriffstoken gesendet wird, muss dessen Hash enthalten (RFC 9449 §4.3).',
  'refusal.dpop-proof-token.expected': 'der SHA-256-Hash des Zugriffstokens in base64url als ath',
  'refusal.dpop-proof-token.seen': 'kein ath',
  'refusal.dpop-proof-token.seen-2': 'ein anderer Wert',
  'refusal.dpop-proof-token.advice': 'Erstellen Sie den Nachweis für das Zugriffstoken, das Sie mit ihm senden.',
  'refusal.dpop-nonce-needed.rule': 'Der Server kann eine Nonce im Nachweis verlangen (RFC 9449 §8).',
  'refusal.dpop-nonce-needed.expected': 'die neueste DPoP-Nonce dieses Servers als nonce',
  'refusal.dpop-nonce-needed.seen': 'keine nonce',
  'refusal.dpop-nonce-needed.seen-2':
    'eine Nonce, die abgelaufen ist oder von einem anderen Knoten oder einem früheren Start stammt',
  'refusal.dpop-nonce-needed.advice':
    'Senden Sie die Anfrage noch einmal mit einem Nachweis, der die Nonce enthält. Bibliotheken tun das von selbst. ' +
    'Bei mehreren Knoten muss der Lastverteiler alle Anfragen eines Clients an denselben Knoten senden.',
  'refusal.dpop-proof-replayed.rule': 'Ein Nachweis wird nur einmal angenommen (RFC 9449 §11.1).',
  'refusal.dpop-proof-replayed.expected': 'ein neuer Nachweis',
  'refusal.dpop-proof-replayed.seen': 'einer mit einem jti, das mit diesem Schlüssel schon verwendet wurde',
  'refusal.dpop-proof-replayed.advice':
    'Erstellen Sie für jede Anfrage einen neuen Nachweis, auch für eine Wiederholung. Tun Sie das schon, hat ' +
    'vielleicht jemand anderes zuerst eine Kopie gesendet.',
  'refusal.dpop-proofs-full.rule':
    'Der Server kann sich nur eine begrenzte Zahl von Nachweisen merken und lehnt Nachweise ab, die er sich nicht ' +
    'merken kann.',
  'refusal.dpop-proofs-full.expected': 'weniger Anfragen mit Nachweisen innerhalb von 90 Sekunden',
  'refusal.dpop-proofs-full.seen': 'zu viele {flood}',
  'refusal.dpop-proofs-full.advice':
    'Versuchen Sie es in einer Minute noch einmal. Suchen Sie nach einer Flut von Anfragen.',
  'refusal.dpop-keys-disagree.rule':
    'Eine Anfrage, die sowohl einen Nachweis als auch dpop_jkt hat, muss für beide denselben Schlüssel verwenden ' +
    '(RFC 9449 §10.1).',
  'refusal.dpop-keys-disagree.expected': 'der Fingerabdruck des Schlüssels im Nachweis als dpop_jkt',
  'refusal.dpop-keys-disagree.seen': 'ein anderer Schlüssel',
  'refusal.dpop-keys-disagree.advice':
    'Lassen Sie dpop_jkt weg, oder berechnen Sie es aus dem Schlüssel des Nachweises (RFC 7638).',
  'refusal.dpop.requirers.client':
    'Diese Anwendung verlangt in jeder Token-Anfrage einen Nachweis (dpop_bound_access_tokens).',
  'refusal.dpop.requirers.profile':
    'Das Sicherheitsprofil dieser Anwendung verlangt in jeder Token-Anfrage einen Nachweis.',
  'refusal.dpop.requirers.server': 'Dieser Server verlangt in jeder Token-Anfrage einen Nachweis (requireDpop).',
  'refusal.dpop.forms.repeated': 'mehrere Header DPoP, oder einer mit einem Komma',
  'refusal.dpop.forms.malformed': 'ein Wert, der kein gültiges JWT ist',
  'refusal.dpop.forms.type': 'ein anderer typ, oder keiner',
  'refusal.dpop.forms.critical': 'ein JWT-Header mit kritischen Erweiterungen (crit)',
  'refusal.dpop.keys.missing': 'kein jwk',
  'refusal.dpop.keys.private': 'ein privater Schlüssel',
  'refusal.dpop.keys.unsupported': 'ein Schlüssel anderer Art oder Größe',
  'refusal.dpop.keys.other-kind': 'ein Schlüssel, der nicht zu alg passt',
  'refusal.dpop.seen-time': 'kein iat',
  'refusal.dpop.seen-time-2': 'eine Zeit, die {duration} zurückliegt',
  'refusal.dpop.seen-time-3': 'eine Zeit, die um {duration} vorausliegt',
  'refusal.dpop.floods.caller': 'von dieser Adresse oder mit diesem Zugriffstoken',
  'refusal.dpop.floods.client': 'von dieser Anwendung',
  'refusal.dpop.floods.server': 'von allen Anwendungen zusammen',
};

/** Explanations of refusals: DPoP. */
export const refusalDpop = { en, de };
