const en = {
  'forecast.title': 'What would have been different',
  'forecast.unknown': 'The log does not show what would have been different.',
  'forecast.no-effect': 'No response would have been different.',
  'forecast.because': 'Reason: {because}.',
  'forecast.applications':
    '{refused, plural, =0 {{answered, plural, =0 {Nothing would have been different} one {# application would have ' +
    'received a different response} other {# applications would have received different responses}}} one {# ' +
    'application would have been refused{answered, plural, =0 {} one {, and # would have received a different ' +
    'response} other {, and # would have received different responses}}} other {# applications would have been ' +
    'refused{answered, plural, =0 {} one {, and # would have received a different response} other {, and # would ' +
    'have received different responses}}}}',
  'forecast.requests':
    'The forecast is based on {count, plural, one {# request} other {# requests}} for authorizations, tokens and ' +
    'registrations that succeeded <time>{period}</time>.',
  'forecast.no-requests':
    'No requests for authorizations, tokens or registrations have succeeded <time>{period}</time>, so nothing would ' +
    'have been different.',
  'forecast.column-requests': 'Requests',
  'forecast.column-difference': 'Difference',
  'forecast.refused': 'refused',
  'forecast.different': 'different response',
  'forecast.difference.requirePkce': 'It sent no PKCE challenge.',
  'forecast.difference.pkceMethods': 'It used a PKCE method that the server would not accept.',
  'forecast.difference.requirePar': 'It did not push its authorization requests (RFC 9126).',
  'forecast.difference.requireDpop': 'It requested tokens without a DPoP proof.',
  'forecast.difference.plainHttpRedirectUris': 'It used an http redirect URI.',
  'forecast.difference.redirectUriSchemes': 'It used a redirect URI with a scheme that would not be allowed.',
  'forecast.difference.clientDocuments': 'The domain of its metadata document would not be accepted.',
  'forecast.difference.resources': 'It requested access to a resource server that this server would not recognize.',
  'forecast.difference.authorizationCodeLifetimeSeconds': 'It redeemed codes that would have expired.',
  'forecast.difference.refreshTokenLifetimeSeconds': 'It used refresh tokens that would have expired.',
  'forecast.difference.valid-for': 'Its access tokens would have been valid for {after}.',
  'forecast.difference.valid-instead': 'Its access tokens would have been valid for {after} instead of {before}.',
  'forecast.difference.consent-required':
    'Its users would have been asked for consent again. With prompt=none, the request would have been refused.',
  'forecast.difference.redirect-uri': 'Its codes would have been sent to a different redirect URI.',
  'forecast.difference.resource': 'Its access tokens would have been for different resource servers.',
  'forecast.because.shown': 'the value is only shown to users',
  'forecast.because.brandLinks': 'the value is only shown to users and published in the server metadata',
  'forecast.because.scopes': 'events record the granted scope, not the requested one',
  'forecast.because.defaultScopes': 'events record the granted scope, not whether it was requested',
  'forecast.because.scopeClaims': 'the log does not record which claims an application reads',
  'forecast.because.resourceRegistration': 'the setting only affects the page where resource servers are registered',
  'forecast.because.refreshReuseWindowSeconds':
    'reuse of a refresh token within the window is not recorded, nor is use of the previous access token',
  'forecast.because.approvalPrompt': 'the log does not record whether approval_prompt was set in the request',
  'forecast.because.requireSecondFactor': 'the log does not record whether users could have set up a second factor',
  'forecast.because.signup': 'the later activity of users who would not have been able to sign up cannot be excluded',
  'forecast.because.tokensPerMinutePerClient': 'rate-limited requests are not recorded, nor are their retries',
  'forecast.because.sessionLifetimeSeconds': 'visits to pages are not recorded',
  'forecast.because.registrationLifetimeSeconds': 'registrations that no user authorized are not recorded',
  'forecast.because.introspectionOwnTokensOnly': 'introspection is not recorded',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'forecast.title': 'Was anders gewesen wäre',
  'forecast.unknown': 'Das Protokoll zeigt nicht, was anders gewesen wäre.',
  'forecast.no-effect': 'Keine Antwort wäre anders gewesen.',
  'forecast.because': 'Grund: {because}.',
  'forecast.applications':
    '{refused, plural, =0 {{answered, plural, =0 {Nichts wäre anders gewesen} one {# Anwendung hätte eine andere ' +
    'Antwort erhalten} other {# Anwendungen hätten eine andere Antwort erhalten}}} one {# Anwendung wäre abgelehnt ' +
    'worden{answered, plural, =0 {} one {, # hätte eine andere Antwort erhalten} other {, # hätten eine andere ' +
    'Antwort erhalten}}} other {# Anwendungen wären abgelehnt worden{answered, plural, =0 {} one {, # hätte eine ' +
    'andere Antwort erhalten} other {, # hätten eine andere Antwort erhalten}}}}',
  'forecast.requests':
    'Die Prognose beruht auf {count, plural, one {# erfolgreichen Anfrage} other {# erfolgreichen Anfragen}} nach ' +
    'Zustimmungen, Token und Registrierungen <time>{period}</time>.',
  'forecast.no-requests':
    'Es gab <time>{period}</time> keine erfolgreiche Anfrage nach Zustimmungen, Token und Registrierungen. Nichts ' +
    'wäre also anders gewesen.',
  'forecast.column-requests': 'Anfragen',
  'forecast.column-difference': 'Unterschied',
  'forecast.refused': 'abgelehnt',
  'forecast.different': 'andere Antwort',
  'forecast.difference.requirePkce': 'Sie hat keine PKCE-Challenge gesendet.',
  'forecast.difference.pkceMethods': 'Sie hat eine PKCE-Methode verwendet, die der Server nicht akzeptieren würde.',
  'forecast.difference.requirePar': 'Sie hat ihre Autorisierungsanfragen nicht vorab eingereicht (RFC 9126).',
  'forecast.difference.requireDpop': 'Sie hat Token ohne DPoP-Nachweis angefordert.',
  'forecast.difference.plainHttpRedirectUris': 'Sie hat eine Redirect-URI mit http verwendet.',
  'forecast.difference.redirectUriSchemes':
    'Sie hat eine Redirect-URI mit einem Schema verwendet, das nicht erlaubt wäre.',
  'forecast.difference.clientDocuments': 'Die Domain ihres Metadatendokuments würde nicht akzeptiert.',
  'forecast.difference.resources':
    'Sie hat Zugriff auf einen Ressourcenserver angefordert, den dieser Server nicht kennen würde.',
  'forecast.difference.authorizationCodeLifetimeSeconds': 'Sie hat Codes eingelöst, die abgelaufen gewesen wären.',
  'forecast.difference.refreshTokenLifetimeSeconds': 'Sie hat Refresh-Token verwendet, die abgelaufen gewesen wären.',
  'forecast.difference.valid-for': 'Ihre Zugriffstoken wären {after} gültig gewesen.',
  'forecast.difference.valid-instead': 'Ihre Zugriffstoken wären {after} statt {before} gültig gewesen.',
  'forecast.difference.consent-required':
    'Ihre Benutzer wären erneut um Zustimmung gebeten worden. Mit prompt=none wäre die Anfrage abgelehnt worden.',
  'forecast.difference.redirect-uri': 'Ihre Codes wären an eine andere Redirect-URI gegangen.',
  'forecast.difference.resource': 'Ihre Zugriffstoken hätten für andere Ressourcenserver gegolten.',
  'forecast.because.shown': 'Benutzern wird nur etwas anderes angezeigt',
  'forecast.because.brandLinks': 'der Wert wird nur Benutzern angezeigt und steht in den Metadaten des Servers',
  'forecast.because.scopes': 'Ereignisse enthalten den erteilten Scope, nicht den angeforderten',
  'forecast.because.defaultScopes': 'Ereignisse enthalten den erteilten Scope, aber nicht, ob er angefordert wurde',
  'forecast.because.scopeClaims': 'welche Angaben eine Anwendung liest, wird nicht aufgezeichnet',
  'forecast.because.resourceRegistration':
    'die Einstellung betrifft nur die Seite, auf der Ressourcenserver registriert werden',
  'forecast.because.refreshReuseWindowSeconds':
    'weder wiederholte Refresh-Token innerhalb der Frist noch die Verwendung des vorherigen Zugriffstokens werden ' +
    'aufgezeichnet',
  'forecast.because.approvalPrompt': 'ob eine Anfrage selbst approval_prompt gesetzt hat, wird nicht aufgezeichnet',
  'forecast.because.requireSecondFactor':
    'ob Benutzer einen zweiten Faktor hätten einrichten können, wird nicht aufgezeichnet',
  'forecast.because.signup':
    'was Benutzer, die sich nicht hätten registrieren können, später getan haben, lässt sich nicht abziehen',
  'forecast.because.tokensPerMinutePerClient':
    'weder Anfragen über der Grenze noch ihre Wiederholungen werden aufgezeichnet',
  'forecast.because.sessionLifetimeSeconds': 'Besuche auf den Seiten werden nicht aufgezeichnet',
  'forecast.because.registrationLifetimeSeconds':
    'Registrierungen, die kein Benutzer zugelassen hat, werden nicht aufgezeichnet',
  'forecast.because.introspectionOwnTokensOnly': 'die Prüfung von Token wird nicht aufgezeichnet',
};

/** Messages in the forecast on a setting's page. */
export const settingForecasts = { en, de };
