const en = {
  'refusals.title': 'Refused requests from {application}',
  'refusals.heading': 'Refused requests',
  'refusals.none': 'None yet. If a request from this application is refused, you will see here why, and how to fix it.',
  'refusals.lede':
    'Why recent requests were refused, and how to fix them. The response to a refused request contains the request ' +
    'id in the <code>X-Request-Id</code> header. Error pages also show the id.',
  'refusals.find': 'Find by request id',
  'refusals.not-found': 'No refusal with this request id',
  'refusals.not-found-text':
    'Check the id. It may belong to a different application or be too old: only the newest refusals are kept.',
  'refusals.unverified': 'sender not verified',
  'refusals.unverified-text':
    'The sender did not authenticate. If your application did not send this request, somebody else used its client ' +
    'id, which is not secret. Nothing was issued.',
  'refusals.request-id-link': 'request id <a><code>{id}</code></a>',
  'refusals.open-application': 'Open the application',
  'refusals.what-to-do': 'What to do',
  'refusals.expected': 'Expected',
  'refusals.seen': 'Received',
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
  'refusals.request-id': 'Request id',
  'refusals.all': 'Refusals',
  'refusals.unknown': 'No such refusal',
  'refusals.unknown-text':
    'There is no stored refusal with this request id, or it belongs to an application that you do not own.',
  'refusals.unknown-advice':
    'Check the request id. If a different account owns the application, log in with that account. Only the newest ' +
    'refusals of each application are kept: send the request again to create a new one.',
  'logouts.title': 'Reported logouts',
  'logouts.lede':
    'When a session that was used to log in to this application ends, the application gets a report: a logout token.',
  'logouts.waiting':
    '{count, plural, =0 {No report is waiting.} one {<b>{count, number} report is waiting</b> to be sent, or sent ' +
    'again.} other {<b>{count, number} reports are waiting</b> to be sent, or sent again.}}',
  'logouts.reports': 'Reports of ended sessions',
  'logouts.session': 'Session (sid)',
  'logouts.when': 'When',
  'logouts.result': 'Result',
  'logouts.requests': 'Attempts',
  'logouts.delivered': 'delivered',
  'logouts.failed': 'failed: {reason}',
  'logouts.failed-with-status': 'failed: {reason} (status {status})',
  'logouts.withdrawn': 'the application was removed, or no longer gets logout tokens',
  'logouts.url-refused':
    'this server does not send requests to the logout URI; http URIs require the outgoingHttp setting',
  'logouts.address-refused':
    'the logout URI is at an address that this server does not contact; private networks require the ' +
    'outgoingNetworks setting',
  'logouts.name-unresolved': 'the host name of the logout URI could not be resolved',
  'logouts.connection-failed': 'the connection to the logout URI failed',
  'logouts.timed-out': 'the logout URI took too long to respond',
  'logouts.redirected': 'the logout URI responded with a redirect',
  'logouts.error-status': 'the logout URI responded with an error',
  'logouts.too-large': 'the logout URI responded with too many headers',
  'logouts.malformed': 'the logout URI did not return a valid HTTP response',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusals.title': 'Abgelehnte Anfragen von {application}',
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
    'erzeugen.',
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
  'logouts.requests': 'Versuche',
  'logouts.delivered': 'zugestellt',
  'logouts.failed': 'fehlgeschlagen: {reason}',
  'logouts.failed-with-status': 'fehlgeschlagen: {reason} (Status {status})',
  'logouts.withdrawn': 'Die Anwendung wurde entfernt oder bekommt keine Logout-Token mehr',
  'logouts.url-refused':
    'Dieser Server sendet keine Anfragen an ihre Logout-URI; http braucht die Einstellung outgoingHttp',
  'logouts.address-refused':
    'Ihre Logout-URI liegt an einer Adresse, die dieser Server nicht aufruft; private Netze brauchen die Einstellung ' +
    'outgoingNetworks',
  'logouts.name-unresolved': 'Der Hostname ihrer Logout-URI ließ sich nicht auflösen',
  'logouts.connection-failed': 'Die Verbindung zu ihrer Logout-URI ist fehlgeschlagen',
  'logouts.timed-out': 'Ihre Logout-URI hat zu spät geantwortet',
  'logouts.redirected': 'Ihre Logout-URI hat mit einer Weiterleitung geantwortet',
  'logouts.error-status': 'Ihre Logout-URI hat mit einem Fehler geantwortet',
  'logouts.too-large': 'Ihre Logout-URI hat mit zu vielen Headern geantwortet',
  'logouts.malformed': 'Ihre Logout-URI hat keine gültige HTTP-Antwort gesendet',
};

/** Messages on the pages about refused requests, and about the logouts reported to an application. */
export const applicationRefusals = { en, de };
