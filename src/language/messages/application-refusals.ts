const en = {
  'refusals.title': 'Refusals of {application}',
  'refusals.heading': 'Refused requests',
  'refusals.none': 'None yet. If a request from this application is refused, you can see here why, and how to fix it.',
  'refusals.lede':
    'Why recent requests were refused, and how to fix them. Every refused response has an ID in the ' +
    '<code>X-Request-Id</code> header, and error pages show it.',
  'refusals.find': 'Find by request ID',
  'refusals.not-found': 'No refusal with this request ID',
  'refusals.not-found-text':
    'Check the ID. It may belong to a different application or be too old: only the newest refusals are kept.',
  'refusals.unverified': 'sender not verified',
  'refusals.unverified-text':
    'The sender did not authenticate. If your application did not send this request, somebody else used its client ' +
    'ID, which is not secret. Nothing was issued.',
  'refusals.request-id-link': 'request ID <a><code>{id}</code></a>',
  'refusals.open-application': 'Open the application',
  'refusals.what-to-do': 'What to do',
  'refusals.expected': 'Expected',
  'refusals.seen': 'Seen',
  'refusals.rule': 'Rule',
  'refusals.time': 'Time',
  'refusals.events': 'Events at that time',
  'refusals.repair.redirect-uris': 'Change the redirect URIs',
  'refusals.repair.grant-types': 'Change the grant types',
  'refusals.repair.scopes': 'Change the restricted scopes',
  'refusals.repair.secret': 'Rotate the client secret',
  'refusals.repair.people': 'Change the owners and test users',
  'refusals.administer.application': 'Enable the application',
  'refusals.administer.domains': 'Change the client domains',
  'refusals.administer.exchange-policies': 'Change the policies for token exchange',
  'refusals.administer.provider': 'Change the login provider',
  'refusals.administer.provider-test': 'Test the connection',
  'refusals.administer.resources': 'Change the resource servers',
  'refusals.administer.trusted-issuers': 'Change the trusted issuers',
  'refusals.why': 'Why a request was refused <time>{when}</time>, and how to fix it.',
  'refusals.why-of': 'Why a request from <a>{application}</a> was refused <time>{when}</time>, and how to fix it.',
  'refusals.explanation': 'Explanation',
  'refusals.request': 'Request',
  'refusals.error-code': 'Error code',
  'refusals.request-id': 'Request ID',
  'refusals.all': 'Refusals',
  'refusals.unknown': 'No such refusal',
  'refusals.unknown-text':
    'No refused request with this ID is kept, or it belongs to an application that you do not own.',
  'refusals.unknown-advice':
    'Check the request ID. If another account owns the application, log in with that one. Only the newest refusals ' +
    'of each application are kept: send the request again to see a new one.',
  'logouts.title': 'Reported logouts',
  'logouts.lede':
    'When a session in which somebody logged in to this application ends, the application gets a report: a logout ' +
    'token.',
  'logouts.waiting':
    '{count, plural, =0 {No report is waiting.} one {<b>{count, number} report is waiting</b> to be sent, or sent ' +
    'again.} other {<b>{count, number} reports are waiting</b> to be sent, or sent again.}}',
  'logouts.reports': 'Reports of ended sessions',
  'logouts.session': 'Session (sid)',
  'logouts.when': 'When',
  'logouts.result': 'Result',
  'logouts.requests': 'Requests',
  'logouts.delivered': 'delivered',
  'logouts.failed': 'failed: {reason}',
  'logouts.failed-with-status': 'failed: {reason} (status {status})',
  'logouts.withdrawn': 'the application was removed, or no longer gets logout tokens',
  'logouts.url-refused': 'this server does not send requests to its logout URI; http needs the outgoingHttp setting',
  'logouts.address-refused':
    'its logout URI is at an address that this server does not contact; private networks need the outgoingNetworks ' +
    'setting',
  'logouts.name-unresolved': 'the host name of its logout URI has no address',
  'logouts.connection-failed': 'the connection to its logout URI failed',
  'logouts.timed-out': 'its logout URI took too long to respond',
  'logouts.redirected': 'its logout URI responded with a redirect',
  'logouts.error-status': 'its logout URI responded with an error',
  'logouts.too-large': 'its logout URI responded with too many headers',
  'logouts.malformed': 'its logout URI did not respond with HTTP',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusals.title': 'Ablehnungen von {application}',
  'refusals.heading': 'Abgelehnte Anfragen',
  'refusals.none':
    'Noch keine. Wird eine Anfrage dieser Anwendung abgelehnt, sehen Sie hier den Grund und wie Sie ihn beheben.',
  'refusals.lede':
    'Warum die letzten Anfragen abgelehnt wurden und wie Sie die Ursachen beheben. Jede Ablehnung hat eine ID im ' +
    'Header <code>X-Request-Id</code>, und Fehlerseiten zeigen sie an.',
  'refusals.find': 'Nach Anfrage-ID suchen',
  'refusals.not-found': 'Keine Ablehnung mit dieser Anfrage-ID',
  'refusals.not-found-text':
    'Prüfen Sie die ID. Vielleicht gehört sie zu einer anderen Anwendung oder ist zu alt: Nur die neuesten ' +
    'Ablehnungen werden aufbewahrt.',
  'refusals.unverified': 'Absender nicht authentifiziert',
  'refusals.unverified-text':
    'Der Absender hat sich nicht authentifiziert. Hat Ihre Anwendung diese Anfrage nicht gesendet, hat jemand ' +
    'anderes ihre Client-ID verwendet, die nicht geheim ist. Es wurde nichts ausgestellt.',
  'refusals.request-id-link': 'Anfrage-ID <a><code>{id}</code></a>',
  'refusals.open-application': 'Anwendung öffnen',
  'refusals.what-to-do': 'Was zu tun ist',
  'refusals.expected': 'Erwartet',
  'refusals.seen': 'Erhalten',
  'refusals.rule': 'Regel',
  'refusals.time': 'Zeit',
  'refusals.events': 'Ereignisse zu dieser Zeit',
  'refusals.repair.redirect-uris': 'Redirect-URIs ändern',
  'refusals.repair.grant-types': 'Grant-Typen ändern',
  'refusals.repair.scopes': 'Eingeschränkte Scopes ändern',
  'refusals.repair.secret': 'Client-Secret erneuern',
  'refusals.repair.people': 'Besitzer und Testbenutzer ändern',
  'refusals.administer.application': 'Anwendung entsperren',
  'refusals.administer.domains': 'Client-Domains ändern',
  'refusals.administer.exchange-policies': 'Regeln für den Token-Tausch ändern',
  'refusals.administer.provider': 'Anmeldeanbieter ändern',
  'refusals.administer.provider-test': 'Verbindung testen',
  'refusals.administer.resources': 'Ressourcenserver ändern',
  'refusals.administer.trusted-issuers': 'Vertrauenswürdige Aussteller ändern',
  'refusals.why': 'Warum eine Anfrage <time>{when}</time> abgelehnt wurde und wie Sie die Ursache beheben.',
  'refusals.why-of':
    'Warum eine Anfrage von <a>{application}</a> <time>{when}</time> abgelehnt wurde und wie Sie die Ursache beheben.',
  'refusals.explanation': 'Erklärung',
  'refusals.request': 'Anfrage',
  'refusals.error-code': 'Fehlercode',
  'refusals.request-id': 'Anfrage-ID',
  'refusals.all': 'Ablehnungen',
  'refusals.unknown': 'Ablehnung nicht gefunden',
  'refusals.unknown-text':
    'Zu dieser ID ist keine abgelehnte Anfrage gespeichert, oder sie betrifft eine Anwendung, die Ihnen nicht gehört.',
  'refusals.unknown-advice':
    'Prüfen Sie die Anfrage-ID. Gehört die Anwendung einem anderen Konto, melden Sie sich mit diesem an. Nur die ' +
    'neuesten Ablehnungen jeder Anwendung werden aufbewahrt: Senden Sie die Anfrage noch einmal, um eine neue zu ' +
    'sehen.',
  'logouts.title': 'Gemeldete Abmeldungen',
  'logouts.lede':
    'Endet eine Sitzung, in der sich jemand bei dieser Anwendung angemeldet hat, erhält die Anwendung eine Meldung: ' +
    'ein Logout-Token.',
  'logouts.waiting':
    '{count, plural, =0 {Keine Meldung wartet.} one {<b>{count, number} Meldung wartet</b> darauf, gesendet oder ' +
    'erneut gesendet zu werden.} other {<b>{count, number} Meldungen warten</b> darauf, gesendet oder erneut ' +
    'gesendet zu werden.}}',
  'logouts.reports': 'Meldungen über beendete Sitzungen',
  'logouts.session': 'Sitzung (sid)',
  'logouts.when': 'Zeitpunkt',
  'logouts.result': 'Ergebnis',
  'logouts.requests': 'Anfragen',
  'logouts.delivered': 'zugestellt',
  'logouts.failed': 'fehlgeschlagen: {reason}',
  'logouts.failed-with-status': 'fehlgeschlagen: {reason} (Status {status})',
  'logouts.withdrawn': 'Die Anwendung wurde entfernt oder bekommt keine Logout-Token mehr',
  'logouts.url-refused':
    'Dieser Server sendet keine Anfragen an ihre Logout-URI; http braucht die Einstellung outgoingHttp',
  'logouts.address-refused':
    'Ihre Logout-URI liegt an einer Adresse, die dieser Server nicht aufruft; private Netze brauchen die Einstellung ' +
    'outgoingNetworks',
  'logouts.name-unresolved': 'Der Hostname ihrer Logout-URI hat keine Adresse',
  'logouts.connection-failed': 'Die Verbindung zu ihrer Logout-URI ist fehlgeschlagen',
  'logouts.timed-out': 'Ihre Logout-URI hat zu spät geantwortet',
  'logouts.redirected': 'Ihre Logout-URI hat mit einer Weiterleitung geantwortet',
  'logouts.error-status': 'Ihre Logout-URI hat mit einem Fehler geantwortet',
  'logouts.too-large': 'Ihre Logout-URI hat mit zu vielen Headern geantwortet',
  'logouts.malformed': 'Ihre Logout-URI hat nicht mit HTTP geantwortet',
};

/** Messages on the pages about refused requests, and about the logouts reported to an application. */
export const applicationRefusals = { en, de };
