const en = {
  'refusal.code-verifier-unexpected.rule': 'A verifier without a challenge is refused (RFC 9700 §2.1.1).',
  'refusal.code-verifier-unexpected.expected': 'no code_verifier',
  'refusal.code-verifier-unexpected.seen': 'a code_verifier, although the authorization request had no code_challenge',
  'refusal.code-verifier-unexpected.advice':
    'Send code_challenge in the authorization request. If the client did send it, an attacker may have removed it.',
  'refusal.code-verifier-mismatch.rule': 'code_verifier must match the code_challenge ({method}).',
  'refusal.code-verifier-mismatch.expected': 'base64url(SHA-256(code_verifier)) = code_challenge',
  'refusal.code-verifier-mismatch.expected-2': 'code_verifier = code_challenge',
  'refusal.code-verifier-mismatch.seen': 'the challenge itself',
  'refusal.code-verifier-mismatch.seen-2': 'a different verifier',
  'refusal.code-verifier-mismatch.advice': 'Send the verifier that the challenge was computed from.',
  'refusal.code-verifier-mismatch.advice-2':
    'Store a separate verifier for each authorization request, together with its state: two tabs would overwrite a ' +
    'shared verifier. The challenge must be base64url without padding.',
  'refusal.password-wrong.rule': 'The user name and password must be correct, and the account must be active.',
  'refusal.password-wrong.expected': 'the user name and password of an active account',
  'refusal.password-wrong.seen': 'a wrong user name or password (the server never reveals which)',
  'refusal.password-wrong.advice': 'Try them on the login page.',
  'refusal.passwords-off.rule':
    'While users are required to log in through a provider, nobody can log in with a password.',
  'refusal.passwords-off.expected': 'a login through a provider',
  'refusal.passwords-off.seen': 'a user name and a password',
  'refusal.passwords-off.advice':
    'Use the authorization code grant. Users log in through the provider on the login page.',
  'refusal.second-factor-needed.rule': 'The password alone is not enough for a login that needs a second factor.',
  'refusal.second-factor-needed.expected': 'an authorization code, for which the user logs in on the login page',
  'refusal.second-factor-needed.seen': 'an application that requires a second factor',
  'refusal.second-factor-needed.seen-2': 'a user with two-step login',
  'refusal.second-factor-needed.advice': 'Use the authorization code grant (RFC 6749 §4.1).',
  'refusal.refresh-token-expired.rule':
    'A refresh token can be used only until it expires (refreshTokenLifetimeSeconds).',
  'refusal.refresh-token-expired.expected': 'an unexpired refresh token',
  'refusal.refresh-token-expired.seen': 'one that expired {duration} ago',
  'refusal.refresh-token-expired.advice': 'Start a new authorization.',
  'refusal.refresh-token-reused.rule':
    'A refresh token can be used only once, but a retry within {duration} gets the same response (RFC 9700 §4.14.2).',
  'refusal.refresh-token-reused.expected': 'the newest refresh token',
  'refusal.refresh-token-reused.seen':
    'one that was already used{agoIs, select, known { {ago} ago (position {position} of the log)} other {}}',
  'refusal.refresh-token-reused.advice':
    'The whole grant has now been revoked. Save the new refresh token before you use the response, and refresh from ' +
    'only one process at a time.',
  'refusal.retry-differs.rule': 'A retried refresh must be identical to the first request.',
  'refusal.retry-differs.expected': '{parameter}: {before}',
  'refusal.retry-differs.seen': 'a different {parameter}',
  'refusal.retry-differs.advice': 'Retry with the same parameters, or use the newest refresh token.',
  'refusal.retry-key-differs.rule': 'A retried refresh must prove possession of the same key as the first request.',
  'refusal.retry-key-differs.expected': 'the key or certificate that the access token is bound to',
  'refusal.retry-key-differs.advice': 'Retry with the same key, or use the newest refresh token.',
  'refusal.credential-bound-to-key.rule':
    'A code that is bound to a key can be redeemed only with that key (RFC 9449 §10).',
  'refusal.credential-bound-to-key.rule-2':
    'The refresh tokens of a public client can be used only with the key of the first request (RFC 9449 §5).',
  'refusal.credential-bound-to-key.expected':
    'proof of possession of the key or certificate that this {parameter, select, code {code} device_code {device ' +
    'code} refresh_token {refresh token} other {access token}} is bound to',
  'refusal.credential-bound-to-key.advice':
    'Use the same key from the authorization request on, and keep it for as long as its tokens. If the application ' +
    'already does this, somebody else may have the token.',
  'refusal.answer-not-repeatable.rule': 'A lost response can be repeated only under the same settings.',
  'refusal.answer-not-repeatable.expected': 'unchanged settings of the server and the client',
  'refusal.answer-not-repeatable.seen': 'settings that have changed since the first response',
  'refusal.answer-not-repeatable.advice': 'Start a new authorization.',
  'refusal.credentials.describe-credential':
    'a value in the right format that this server did not issue or no longer knows',
  'refusal.credentials.describe-credential-2': 'a value that this server did not issue',
  'refusal.credentials.describe-credential-3': 'a truncated or mistyped credential',
  'refusal.credentials.describe-credential-4': 'a different kind of credential: {form}',
  'refusal.credentials.revocation-causes.device-code-replayed': 'because its device code was presented a second time',
  'refusal.credentials.revocation-causes.code-replayed': 'because its code was presented a second time',
  'refusal.credentials.revocation-causes.refresh-token-reused': 'because a refresh token was used a second time',
  'refusal.credentials.revocation-causes.revoked-by-client': 'by the application itself',
  'refusal.credentials.revocation-causes.revoked-by-resource-owner': 'by the user',
  'refusal.credentials.revocation-causes.revoked-by-operator': 'by the operator',
  'refusal.credentials.revocation-causes.updated':
    'by an update that the application requested and the user consented to',
  'refusal.credentials.seen-keys.none': 'no proof of possession',
  'refusal.credentials.seen-keys.another-key': 'a proof with a different key',
  'refusal.credentials.seen-keys.a-certificate': 'a certificate',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.code-verifier-unexpected.rule': 'Ein Verifier ohne Challenge wird abgelehnt (RFC 9700 §2.1.1).',
  'refusal.code-verifier-unexpected.expected': 'kein code_verifier',
  'refusal.code-verifier-unexpected.seen':
    'ein code_verifier, obwohl die Autorisierungsanfrage keine code_challenge hatte',
  'refusal.code-verifier-unexpected.advice':
    'Senden Sie code_challenge in der Autorisierungsanfrage. Hat der Client das getan, kann ein Angreifer sie ' +
    'entfernt haben.',
  'refusal.code-verifier-mismatch.rule': 'code_verifier muss zur code_challenge passen ({method}).',
  'refusal.code-verifier-mismatch.expected': 'base64url(SHA-256(code_verifier)) = code_challenge',
  'refusal.code-verifier-mismatch.expected-2': 'code_verifier = code_challenge',
  'refusal.code-verifier-mismatch.seen': 'die Challenge selbst',
  'refusal.code-verifier-mismatch.seen-2': 'ein anderer Verifier',
  'refusal.code-verifier-mismatch.advice': 'Senden Sie den Verifier, aus dem die Challenge berechnet wurde.',
  'refusal.code-verifier-mismatch.advice-2':
    'Speichern Sie für jede Autorisierungsanfrage einen eigenen Verifier, zusammen mit ihrem state: Zwei Tabs ' +
    'überschreiben einen gemeinsamen. Die Challenge ist base64url ohne Füllzeichen.',
  'refusal.password-wrong.rule': 'Benutzername und Passwort müssen stimmen, und das Konto muss aktiv sein.',
  'refusal.password-wrong.expected': 'Benutzername und Passwort eines aktiven Kontos',
  'refusal.password-wrong.seen':
    'ein falscher Benutzername oder ein falsches Passwort (der Server verrät nie, welches von beiden)',
  'refusal.password-wrong.advice': 'Probieren Sie beide auf der Anmeldeseite aus.',
  'refusal.passwords-off.rule':
    'Solange die Anmeldung über einen Anbieter vorgeschrieben ist, kann sich niemand mit einem Passwort anmelden.',
  'refusal.passwords-off.expected': 'eine Anmeldung über einen Anbieter',
  'refusal.passwords-off.seen': 'ein Benutzername und ein Passwort',
  'refusal.passwords-off.advice':
    'Verwenden Sie den Grant-Typ authorization_code. Benutzer melden sich auf der Anmeldeseite über den Anbieter an.',
  'refusal.second-factor-needed.rule':
    'Für eine Anmeldung, die einen zweiten Faktor braucht, genügt das Passwort allein nicht.',
  'refusal.second-factor-needed.expected':
    'ein Autorisierungscode, für den sich der Benutzer auf der Anmeldeseite anmeldet',
  'refusal.second-factor-needed.seen': 'eine Anwendung, die einen zweiten Faktor verlangt',
  'refusal.second-factor-needed.seen-2': 'ein Benutzer mit Anmeldung in zwei Schritten',
  'refusal.second-factor-needed.advice': 'Verwenden Sie den Grant-Typ authorization_code (RFC 6749 §4.1).',
  'refusal.refresh-token-expired.rule':
    'Ein Refresh-Token ist nur bis zu seinem Ablauf verwendbar (refreshTokenLifetimeSeconds).',
  'refusal.refresh-token-expired.expected': 'ein Refresh-Token, das nicht abgelaufen ist',
  'refusal.refresh-token-expired.seen': 'eines, das vor {duration} abgelaufen ist',
  'refusal.refresh-token-expired.advice': 'Beginnen Sie eine neue Autorisierung.',
  'refusal.refresh-token-reused.rule':
    'Refresh-Token sind nur einmal verwendbar; eine Wiederholung innerhalb von {duration} bekommt dieselbe Antwort ' +
    '(RFC 9700 §4.14.2).',
  'refusal.refresh-token-reused.expected': 'das neueste Refresh-Token',
  'refusal.refresh-token-reused.seen':
    'eines, das schon verwendet wurde{agoIs, select, known { vor {ago} (Position {position} des Protokolls)} other {}}',
  'refusal.refresh-token-reused.advice':
    'Der ganze Grant wurde jetzt widerrufen. Speichern Sie das neue Refresh-Token, bevor Sie die Antwort verwenden, ' +
    'und erneuern Sie immer nur in einem Prozess zugleich.',
  'refusal.retry-differs.rule': 'Eine wiederholte Erneuerung muss mit der ersten Anfrage identisch sein.',
  'refusal.retry-differs.expected': '{parameter}: {before}',
  'refusal.retry-differs.seen': 'ein anderer Wert von {parameter}',
  'refusal.retry-differs.advice':
    'Wiederholen Sie mit denselben Parametern, oder verwenden Sie das neueste Refresh-Token.',
  'refusal.retry-key-differs.rule':
    'Eine wiederholte Erneuerung muss den Besitz desselben Schlüssels nachweisen wie die erste Anfrage.',
  'refusal.retry-key-differs.expected': 'der Schlüssel oder das Zertifikat, woran das Zugriffstoken gebunden ist',
  'refusal.retry-key-differs.advice':
    'Wiederholen Sie mit demselben Schlüssel, oder verwenden Sie das neueste Refresh-Token.',
  'refusal.credential-bound-to-key.rule':
    'Ein Code, der an einen Schlüssel gebunden ist, lässt sich nur mit diesem Schlüssel einlösen (RFC 9449 §10).',
  'refusal.credential-bound-to-key.rule-2':
    'Die Refresh-Token eines öffentlichen Clients sind nur mit dem Schlüssel der ersten Anfrage verwendbar (RFC ' +
    '9449 §5).',
  'refusal.credential-bound-to-key.expected':
    'ein Nachweis des Besitzes des Schlüssels oder Zertifikats, woran {parameter, select, code {dieser Code} ' +
    'device_code {dieser Gerätecode} refresh_token {dieses Refresh-Token} other {dieses Zugriffstoken}} gebunden ist',
  'refusal.credential-bound-to-key.advice':
    'Verwenden Sie von der Autorisierungsanfrage an denselben Schlüssel, und bewahren Sie ihn so lange auf wie seine ' +
    'Token. Tut die Anwendung das schon, hat vielleicht jemand anderes das Token.',
  'refusal.answer-not-repeatable.rule': 'Eine verlorene Antwort lässt sich nur bei gleichen Einstellungen wiederholen.',
  'refusal.answer-not-repeatable.expected': 'unveränderte Einstellungen von Server und Client',
  'refusal.answer-not-repeatable.seen': 'Einstellungen, die sich seit der ersten Antwort geändert haben',
  'refusal.answer-not-repeatable.advice': 'Beginnen Sie eine neue Autorisierung.',
  'refusal.credentials.describe-credential':
    'ein Wert im richtigen Format, den dieser Server nicht ausgestellt hat oder nicht mehr kennt',
  'refusal.credentials.describe-credential-2': 'ein Wert, den dieser Server nicht ausgestellt hat',
  'refusal.credentials.describe-credential-3': 'ein abgeschnittener oder vertippter Wert',
  'refusal.credentials.describe-credential-4': 'etwas anderes: {form}',
  'refusal.credentials.revocation-causes.device-code-replayed':
    'wegen eines Gerätecodes, der ein zweites Mal vorgelegt wurde,',
  'refusal.credentials.revocation-causes.code-replayed': 'wegen eines Codes, der ein zweites Mal vorgelegt wurde,',
  'refusal.credentials.revocation-causes.refresh-token-reused':
    'wegen eines Refresh-Tokens, das ein zweites Mal verwendet wurde,',
  'refusal.credentials.revocation-causes.revoked-by-client': 'von der Anwendung selbst',
  'refusal.credentials.revocation-causes.revoked-by-resource-owner': 'vom Benutzer',
  'refusal.credentials.revocation-causes.revoked-by-operator': 'vom Betreiber',
  'refusal.credentials.revocation-causes.updated':
    'durch eine Änderung, die die Anwendung angefordert und der der Benutzer zugestimmt hat,',
  'refusal.credentials.seen-keys.none': 'kein Nachweis des Besitzes',
  'refusal.credentials.seen-keys.another-key': 'ein Nachweis mit einem anderen Schlüssel',
  'refusal.credentials.seen-keys.a-certificate': 'ein Zertifikat',
};

/** Explanations of refusals: code verifiers, passwords and refresh tokens. */
export const refusalRefreshTokens = { en, de };
