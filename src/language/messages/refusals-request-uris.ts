const en = {
  'refusal.push-required.rule': 'Authorization requests must be pushed: {requiredBy} requires it (RFC 9126 §6).',
  'refusal.push-required.expected': 'client_id, and the request_uri from the response to a POST to /o/par/',
  'refusal.push-required.seen': 'parameters in the URL that the browser opened',
  'refusal.push-required.advice': 'Turn on pushed authorization requests (PAR) in the client library.',
  'refusal.request-uri-pushed.rule':
    'A pushed request must contain its parameters, not a reference to them (RFC 9126 §2.1).',
  'refusal.request-uri-pushed.expected': 'the parameters themselves, or a request object in the request parameter',
  'refusal.request-uri-pushed.advice': 'Leave request_uri out. This endpoint returns one.',
  'refusal.request-too-long.rule': 'The request_uri contains the encrypted request, and must fit in a URL.',
  'refusal.request-too-long.expected':
    'a request_uri of at most {limit} characters, which leaves about three quarters of that for the parameters',
  'refusal.request-too-long.seen': 'a longer request_uri',
  'refusal.request-too-long.advice':
    'Shorten the request: state and claims are usually the longest parameters. Keep the data behind state on your ' +
    'server.',
  'refusal.request-uri-not-registered.rule': 'A request object is fetched only from a registered URL (RFC 9101 §10.4).',
  'refusal.request-uri-not-registered.expected':
    '{registered, plural, one {the registered request URI} other {one of the {registered} registered request URIs}}',
  'refusal.request-uri-not-registered.seen': 'a different URI of {length} characters',
  'refusal.request-uri-not-registered.advice':
    'Register the URI for the application, or send the object itself in the request parameter.',
  'refusal.request-uri-unreadable.rule': 'The request object must be available at the request_uri (RFC 9101 §5.2.3).',
  'refusal.request-uri-unreadable.expected':
    'a response with status 200 and the request object, without a redirect, within 5 seconds',
  'refusal.request-uri-unreadable.seen': 'the request_uri {problem}',
  'refusal.request-uri-unreadable.advice': 'Check that this server can reach the URL, or push the request instead.',
  'refusal.request-uri-unknown.rule':
    "A request_uri must come from this server's response to a pushed request (RFC 9126 §2.2).",
  'refusal.request-uri-unknown.expected': 'the unchanged request_uri from such a response',
  'refusal.request-uri-unknown.seen': 'a different URI of {length} characters',
  'refusal.request-uri-unknown.advice':
    "Send the request_uri exactly as it was returned. It is valid only on this server, and only until the server's " +
    'keys are replaced.',
  'refusal.request-uri-of-another-client.rule':
    'A request_uri is bound to the client that pushed the request (RFC 9126 §2.2).',
  'refusal.request-uri-of-another-client.expected': 'the client_id that the request was pushed with',
  'refusal.request-uri-of-another-client.seen': 'a different client_id',
  'refusal.request-uri-of-another-client.advice': 'Send the client_id of the application that pushed the request.',
  'refusal.request-uri-expired.rule':
    'The browser must open the request_uri within {lifetimeSeconds} seconds. Login and consent may take longer.',
  'refusal.request-uri-expired.expected': 'a request_uri that was just issued',
  'refusal.request-uri-expired.seen': 'a request_uri that expired {duration} ago',
  'refusal.request-uri-expired.advice':
    'Push the request when the user clicks the login button, not when the page is shown.',
  'refusal.request-uri-used.rule':
    'A request_uri is for one authorization (RFC 9126 §4). Until that is complete, the request_uri can be opened ' +
    'again.',
  'refusal.request-uri-used.expected': 'a request_uri whose authorization is not complete',
  'refusal.request-uri-used.seen': 'a request_uri that has already led to a grant',
  'refusal.request-uri-used.advice': 'Push a new request for each authorization.',
  'refusal.request-uris.required-by.profile': 'the profile of the application',
  'refusal.request-uris.required-by.client': 'the registration of the application',
  'refusal.request-uris.required-by.server': 'the requirePar setting',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.push-required.rule':
    'Autorisierungsanfragen müssen vorab eingereicht werden: {requiredBy} verlangt es (RFC 9126 §6).',
  'refusal.push-required.expected': 'client_id und die request_uri aus der Antwort auf einen POST an /o/par/',
  'refusal.push-required.seen': 'Parameter in der Adresse, die der Browser geöffnet hat',
  'refusal.push-required.advice': 'Schalten Sie vorab eingereichte Anfragen (PAR) in der Client-Bibliothek ein.',
  'refusal.request-uri-pushed.rule':
    'Eine vorab eingereichte Anfrage muss ihre Parameter enthalten, keinen Verweis darauf (RFC 9126 §2.1).',
  'refusal.request-uri-pushed.expected': 'die Parameter selbst, oder ein Request-Objekt im Parameter request',
  'refusal.request-uri-pushed.advice': 'Lassen Sie request_uri weg. Dieser Endpunkt gibt eine zurück.',
  'refusal.request-too-long.rule':
    'Die request_uri enthält die verschlüsselte Anfrage und muss in eine Adresse passen.',
  'refusal.request-too-long.expected':
    'eine request_uri mit höchstens {limit} Zeichen, davon etwa drei Viertel für die Parameter',
  'refusal.request-too-long.seen': 'eine längere request_uri',
  'refusal.request-too-long.advice':
    'Kürzen Sie die Anfrage: Meist sind state und claims die längsten Parameter. Bewahren Sie die Daten zu state auf ' +
    'Ihrem Server auf.',
  'refusal.request-uri-not-registered.rule':
    'Ein Request-Objekt wird nur von einer registrierten Adresse geladen (RFC 9101 §10.4).',
  'refusal.request-uri-not-registered.expected':
    '{registered, plural, one {die registrierte Request-URI} other {eine der {registered} registrierten Request-URIs}}',
  'refusal.request-uri-not-registered.seen': 'eine andere URI mit {length} Zeichen',
  'refusal.request-uri-not-registered.advice':
    'Registrieren Sie die URI für die Anwendung, oder senden Sie das Objekt selbst im Parameter request.',
  'refusal.request-uri-unreadable.rule':
    'Das Request-Objekt muss unter der request_uri abrufbar sein (RFC 9101 §5.2.3).',
  'refusal.request-uri-unreadable.expected':
    'eine Antwort mit Status 200 und dem Request-Objekt, ohne Weiterleitung, innerhalb von 5 Sekunden',
  'refusal.request-uri-unreadable.seen': 'ein Fehler der request_uri: {problem}',
  'refusal.request-uri-unreadable.advice':
    'Prüfen Sie, ob dieser Server die Adresse erreicht, oder reichen Sie die Anfrage stattdessen vorab ein.',
  'refusal.request-uri-unknown.rule':
    'Eine request_uri muss aus der Antwort dieses Servers auf eine vorab eingereichte Anfrage stammen (RFC 9126 §2.2).',
  'refusal.request-uri-unknown.expected': 'die unveränderte request_uri aus einer solchen Antwort',
  'refusal.request-uri-unknown.seen': 'eine andere URI mit {length} Zeichen',
  'refusal.request-uri-unknown.advice':
    'Senden Sie die request_uri genau so, wie sie zurückgegeben wurde. Sie gilt nur auf diesem Server, und nur bis ' +
    'zum Austausch seiner Schlüssel.',
  'refusal.request-uri-of-another-client.rule':
    'Eine request_uri ist an den Client gebunden, der die Anfrage eingereicht hat (RFC 9126 §2.2).',
  'refusal.request-uri-of-another-client.expected': 'die client_id, mit der die Anfrage eingereicht wurde',
  'refusal.request-uri-of-another-client.seen': 'eine andere client_id',
  'refusal.request-uri-of-another-client.advice':
    'Senden Sie die client_id der Anwendung, die die Anfrage eingereicht hat.',
  'refusal.request-uri-expired.rule':
    'Der Browser muss die request_uri innerhalb von {lifetimeSeconds} Sekunden öffnen. Anmeldung und Zustimmung ' +
    'dürfen länger dauern.',
  'refusal.request-uri-expired.expected': 'eine gerade erst ausgestellte request_uri',
  'refusal.request-uri-expired.seen': 'eine request_uri, die vor {duration} abgelaufen ist',
  'refusal.request-uri-expired.advice':
    'Reichen Sie die Anfrage ein, wenn der Benutzer auf die Schaltfläche zum Anmelden klickt, nicht wenn die Seite ' +
    'angezeigt wird.',
  'refusal.request-uri-used.rule':
    'Eine request_uri ist für eine einzige Autorisierung (RFC 9126 §4). Bis diese abgeschlossen ist, lässt sich die ' +
    'request_uri erneut öffnen.',
  'refusal.request-uri-used.expected': 'eine request_uri, deren Autorisierung nicht abgeschlossen ist',
  'refusal.request-uri-used.seen': 'eine request_uri, die schon zu einem Grant geführt hat',
  'refusal.request-uri-used.advice': 'Reichen Sie für jede Autorisierung eine neue Anfrage ein.',
  'refusal.request-uris.required-by.profile': 'das Profil der Anwendung',
  'refusal.request-uris.required-by.client': 'die Registrierung der Anwendung',
  'refusal.request-uris.required-by.server': 'die Einstellung requirePar',
};

/** Explanations of refusals: request URIs. */
export const refusalRequestUris = { en, de };
