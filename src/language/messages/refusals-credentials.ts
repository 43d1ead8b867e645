const en = {
  'refusal.credential-unknown.rule':
    'The {parameter, select, code {code} device_code {device code} refresh_token {refresh token} other {access ' +
    'token}} must have been issued by this server.',
  'refusal.credential-unknown.expected':
    '{parameter, select, code {a code} device_code {a device code} refresh_token {a refresh token} other {an access ' +
    'token}} that this server issued',
  'refusal.credential-unknown.advice':
    'Send the complete, unchanged code to the server that issued it. Decode it exactly once after the redirect.',
  'refusal.credential-unknown.advice-2': 'Send the complete, unchanged value to the server that issued it.',
  'refusal.credential-of-another-client.rule':
    '{parameter, select, code {A code} device_code {A device code} refresh_token {A refresh token} other {An access ' +
    'token}} can be used only by the client it was issued to.',
  'refusal.credential-of-another-client.expected':
    '{parameter, select, code {a code} device_code {a device code} refresh_token {a refresh token} other {an access ' +
    'token}} issued to this client',
  'refusal.credential-of-another-client.seen': 'one that was issued to a different client',
  'refusal.credential-of-another-client.advice':
    'Use the client_id of the authorization request. If the value does not result from that request, it may have ' +
    'been injected.',
  'refusal.credential-dead.rule':
    'The {parameter, select, code {code} device_code {device code} refresh_token {refresh token} other {access ' +
    'token}} must be valid.',
  'refusal.credential-dead.expected': 'an active grant',
  'refusal.credential-dead.seen':
    'an unknown or inactive grant; the cause was not looked up, because too many requests were refused at once',
  'refusal.credential-dead.advice': 'Start a new authorization.',
  'refusal.code-expired.rule': 'Authorization codes expire quickly (RFC 6749 §4.1.2).',
  'refusal.code-expired.expected': 'redemption within {duration}',
  'refusal.code-expired.seen': 'redemption {duration} too late',
  'refusal.code-expired.advice':
    'Redeem the code as soon as the redirect arrives. If you do so already, look for a queue or a debugger that ' +
    'delays the request.',
  'refusal.code-redeemed.rule': 'Authorization codes can be used only once (RFC 6749 §4.1.2).',
  'refusal.code-redeemed.rule-2': 'Device codes can be used only once.',
  'refusal.code-redeemed.expected': 'an unused code',
  'refusal.code-redeemed.seen':
    'already redeemed{agoIs, select, known { {ago} ago (position {position} of the log)} other {}}',
  'refusal.code-redeemed.advice':
    '{endsGrant, select, yes {Its tokens have now been revoked. } other {}}Look for a {parameter, select, code ' +
    '{page that is loaded twice or a request} other {request}} that is retried, and keep the first response.',
  'refusal.grant-revoked.rule': 'Codes and tokens are invalid once their grant has been revoked.',
  'refusal.grant-revoked.expected': 'an active grant',
  'refusal.grant-revoked.seen':
    'the grant of this {parameter, select, code {code} device_code {device code} refresh_token {refresh token} ' +
    'other {access token}} was revoked{hasReason, select, yes { {revocationCause}} other {}}{agoIs, select, known { ' +
    '{ago} ago (position {position} of the log)} other {}}',
  'refusal.grant-revoked.advice': 'Start a new authorization.',
  'refusal.session-ended.rule':
    'A grant with openid but without offline_access ends with the session in which it was authorized.',
  'refusal.session-ended.expected':
    '{parameter, select, code {a code} device_code {a device code} refresh_token {a refresh token} other {an access ' +
    'token}} whose session has not ended',
  'refusal.session-ended.seen': 'one whose session has ended',
  'refusal.session-ended.advice':
    'The user logged out or ended the session. Start a new authorization. To keep access after a logout, request the ' +
    'offline_access scope.',
  'refusal.user-inactive.rule': "A grant ends when its user's account is disabled or erased.",
  'refusal.user-inactive.expected': 'an active account',
  'refusal.user-inactive.seen':
    '{parameter, select, code {a code} device_code {a device code} refresh_token {a refresh token} other {an access ' +
    'token}} of a user whose account was disabled or erased',
  'refusal.user-inactive.advice':
    'The account cannot be used. Start a new authorization with another user, or after an administrator has enabled ' +
    'the account.',
  'refusal.redirect-uri-left-out.rule':
    'redirect_uri is required if the authorization request contained it (RFC 6749 §4.1.3).',
  'refusal.redirect-uri-left-out.expected': 'the redirect_uri of the authorization request',
  'refusal.redirect-uri-left-out.seen': 'none',
  'refusal.redirect-uri-left-out.advice': 'Send the same redirect_uri with the code.',
  'refusal.redirect-uri-differs.rule':
    'redirect_uri must be identical to the one in the authorization request (RFC 6749 §4.1.3).',
  'refusal.redirect-uri-differs.expected': '{expected} ({differences})',
  'refusal.redirect-uri-differs.advice': 'Use the same constant for both requests.',
  'refusal.code-verifier-missing.rule': 'A code requested with PKCE requires the code verifier (RFC 7636 §4.5).',
  'refusal.code-verifier-missing.seen': 'none',
  'refusal.code-verifier-missing.advice': 'Keep the verifier from the authorization request and send it with the code.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.credential-unknown.rule':
    '{parameter, select, code {Der Code} device_code {Der Gerätecode} refresh_token {Das Refresh-Token} other {Das ' +
    'Zugriffstoken}} muss von diesem Server ausgestellt worden sein.',
  'refusal.credential-unknown.expected':
    '{parameter, select, code {ein Code} device_code {ein Gerätecode} refresh_token {ein Refresh-Token} other {ein ' +
    'Zugriffstoken}}, von diesem Server ausgestellt',
  'refusal.credential-unknown.advice':
    'Senden Sie den Code vollständig und unverändert an den Server, der ihn ausgestellt hat. Dekodieren Sie ihn nach ' +
    'der Weiterleitung genau einmal.',
  'refusal.credential-unknown.advice-2':
    'Senden Sie den Wert vollständig und unverändert an den Server, der ihn ausgestellt hat.',
  'refusal.credential-of-another-client.rule':
    'Nur der Client, für den {parameter, select, code {ein Code} device_code {ein Gerätecode} refresh_token {ein ' +
    'Refresh-Token} other {ein Zugriffstoken}} ausgestellt wurde, darf davon Gebrauch machen.',
  'refusal.credential-of-another-client.expected':
    '{parameter, select, code {ein Code} device_code {ein Gerätecode} refresh_token {ein Refresh-Token} other {ein ' +
    'Zugriffstoken}}, für diesen Client ausgestellt',
  'refusal.credential-of-another-client.seen': 'ein Wert, der für einen anderen Client ausgestellt wurde',
  'refusal.credential-of-another-client.advice':
    'Verwenden Sie die client_id der Autorisierungsanfrage. Stammt der Wert nicht aus dieser Anfrage, wurde er ' +
    'möglicherweise eingeschleust.',
  'refusal.credential-dead.rule':
    '{parameter, select, code {Der Code} device_code {Der Gerätecode} refresh_token {Das Refresh-Token} other {Das ' +
    'Zugriffstoken}} muss gültig sein.',
  'refusal.credential-dead.expected': 'ein Grant, der gilt',
  'refusal.credential-dead.seen':
    'ein unbekannter oder beendeter Grant; die Ursache wurde nicht gesucht, weil zu viele Anfragen zugleich ' +
    'abgelehnt wurden',
  'refusal.credential-dead.advice': 'Beginnen Sie eine neue Autorisierung.',
  'refusal.code-expired.rule': 'Autorisierungscodes laufen schnell ab (RFC 6749 §4.1.2).',
  'refusal.code-expired.expected': 'Einlösung innerhalb von {duration}',
  'refusal.code-expired.seen': 'eine Einlösung, die um {duration} zu spät kam',
  'refusal.code-expired.advice':
    'Lösen Sie den Code ein, sobald die Weiterleitung ankommt. Falls Sie das schon tun, suchen Sie nach einer ' +
    'Warteschlange oder einem Debugger, der die Anfrage verzögert.',
  'refusal.code-redeemed.rule': 'Autorisierungscodes sind nur einmal verwendbar (RFC 6749 §4.1.2).',
  'refusal.code-redeemed.rule-2': 'Gerätecodes sind nur einmal verwendbar.',
  'refusal.code-redeemed.expected': 'ein unbenutzter Code',
  'refusal.code-redeemed.seen':
    'schon eingelöst{agoIs, select, known { vor {ago} (Position {position} des Protokolls)} other {}}',
  'refusal.code-redeemed.advice':
    '{endsGrant, select, yes {Die zugehörigen Token wurden jetzt widerrufen. } other {}}Suchen Sie nach ' +
    '{parameter, select, code {einer Seite, die zweimal geladen wird, oder einer Anfrage} other {einer Anfrage}}, ' +
    'die wiederholt wird, und behalten Sie die erste Antwort.',
  'refusal.grant-revoked.rule': 'Codes und Token sind ungültig, sobald ihr Grant widerrufen wurde.',
  'refusal.grant-revoked.expected': 'ein Grant, der gilt',
  'refusal.grant-revoked.seen':
    'der Grant {parameter, select, code {des Codes} device_code {des Gerätecodes} refresh_token {des ' +
    'Refresh-Tokens} other {des Zugriffstokens}} wurde{hasReason, select, yes { {revocationCause}} other {}}{agoIs, ' +
    'select, known { vor {ago} (Position {position} des Protokolls)} other {}} widerrufen',
  'refusal.grant-revoked.advice': 'Beginnen Sie eine neue Autorisierung.',
  'refusal.session-ended.rule':
    'Ein Grant mit openid und ohne offline_access endet mit der Sitzung, in der er zugelassen wurde.',
  'refusal.session-ended.expected':
    '{parameter, select, code {ein Code} device_code {ein Gerätecode} refresh_token {ein Refresh-Token} other {ein ' +
    'Zugriffstoken}}, dessen Sitzung noch besteht',
  'refusal.session-ended.seen': 'eine Sitzung, die beendet ist',
  'refusal.session-ended.advice':
    'Der Benutzer hat sich abgemeldet oder die Sitzung beendet. Beginnen Sie eine neue Autorisierung. Um den ' +
    'Zugriff nach einer Abmeldung zu behalten, fordern Sie den Scope offline_access an.',
  'refusal.user-inactive.rule': 'Ein Grant endet, wenn das Konto seines Benutzers gesperrt oder gelöscht wird.',
  'refusal.user-inactive.expected': 'ein aktives Konto',
  'refusal.user-inactive.seen':
    '{parameter, select, code {ein Code} device_code {ein Gerätecode} refresh_token {ein Refresh-Token} other {ein ' +
    'Zugriffstoken}} eines Benutzers, dessen Konto gesperrt oder gelöscht wurde',
  'refusal.user-inactive.advice':
    'Das Konto ist nicht verwendbar. Beginnen Sie eine neue Autorisierung mit einem anderen Benutzer, oder nachdem ' +
    'ein Administrator das Konto entsperrt hat.',
  'refusal.redirect-uri-left-out.rule':
    'redirect_uri ist erforderlich, wenn die Autorisierungsanfrage sie enthielt (RFC 6749 §4.1.3).',
  'refusal.redirect-uri-left-out.expected': 'die redirect_uri der Autorisierungsanfrage',
  'refusal.redirect-uri-left-out.seen': 'nichts',
  'refusal.redirect-uri-left-out.advice': 'Senden Sie mit dem Code dieselbe redirect_uri.',
  'refusal.redirect-uri-differs.rule':
    'redirect_uri muss mit der in der Autorisierungsanfrage identisch sein (RFC 6749 §4.1.3).',
  'refusal.redirect-uri-differs.expected': '{expected} ({differences})',
  'refusal.redirect-uri-differs.advice': 'Verwenden Sie für beide Anfragen dieselbe Konstante.',
  'refusal.code-verifier-missing.rule': 'Ein mit PKCE angeforderter Code setzt den Verifier voraus (RFC 7636 §4.5).',
  'refusal.code-verifier-missing.seen': 'nichts',
  'refusal.code-verifier-missing.advice':
    'Bewahren Sie den Verifier der Autorisierungsanfrage auf, und senden Sie ihn mit dem Code.',
};

/** Explanations of refusals: credentials. */
export const refusalCredentials = { en, de };
