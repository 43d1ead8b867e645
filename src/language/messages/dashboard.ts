const en = {
  'dashboard.lede': 'What needs attention, and the server’s key figures. Reload the page to update both.',
  'dashboard.attention': 'Needs attention',
  'dashboard.nothing': 'Nothing needs your attention.',
  'dashboard.urgent': 'Urgent',
  'dashboard.check': 'Check',
  'dashboard.totals': 'Totals',
  'dashboard.sessions': 'Active sessions',
  'dashboard.tokens': 'Live access tokens',
  'dashboard.more-than': 'more than {count, number}',
  'dashboard.since-start': 'Counted by this node since it started, because refused requests are not in the log.',
  'dashboard.periods':
    '{zone, select, known {Hours are in your time zone, days in UTC.} other {Hours and days are in UTC.}}',
  'dashboard.hours': '{chart}, last 24 hours',
  'dashboard.days': '{chart}, last 30 days',
  'dashboard.last-day': 'Last 24 hours',
  'dashboard.last-month': 'Last 30 days',
  'dashboard.see-logins': 'See the logins',
  'dashboard.see-providers': 'See the providers',
  'dashboard.see-refusals': 'See the refusals',
  'dashboard.chart-tokens': 'Access tokens issued',
  'dashboard.chart-logins': 'Logins',
  'dashboard.chart-failed': 'Failed logins',
  'dashboard.chart-refusals': 'Refused requests',
  'attention.obstacle': 'The server is not ready: {obstacle}',
  'attention.log': 'The log can no longer be written to, because an earlier write failed. Restart the server.',
  'attention.disk': 'The disk is almost full, so nothing is being recorded. Free some space.',
  'attention.damage':
    'The stored log is damaged in {count, plural, one {# place} other {# places}}. Run grantlog log verify.',
  'attention.clock': 'The clock is {seconds} s behind the newest event. Synchronize it with NTP.',
  'attention.account-keys':
    'The keys of {count, plural, one {# account} other {# accounts}} are missing. Run grantlog doctor.',
  'attention.client-keys':
    'The keys of {count, plural, one {# application} other {# applications}} are missing. Run grantlog doctor.',
  'attention.signing-key': 'For {algorithms}, no new signing key was introduced in time.',
  'attention.checkpoint': 'No checkpoint of the log has been signed yet.',
  'attention.behind': 'This node is behind the log: responses may be out of date.',
  'attention.unreached': 'This node has been unable to reach the shared log for several seconds.',
  'attention.file': '{kind, select, tiles {tiles} other {{kind}}} ({count})',
  'attention.files': 'Files that could not be written since startup: {files}.',
  'attention.logouts':
    '{count, plural, one {# logout token} other {# logout tokens}} could not be delivered to applications.',
  'attention.administrators':
    '{count, plural, one {# administrator has} other {# administrators have}} no second factor.',
  'attention.administrators.link': 'Administrators without two-step login',
  'attention.users': '{count, plural, one {# user} other {# users}} must set up two-step login at the next login.',
  'attention.users.link': 'Users without two-step login',
  'attention.provider': '{provider} is on the login page, but the last connection to it failed.',
  'attention.provider.link': 'See the provider',
  'attention.old-secret': '{application} still uses its old secret, which expires within a day.',
  'attention.old-secret.link': 'See the application',
  'attention.refused': 'At least {count} requests from {application} were refused in the last 24 hours.',
  'attention.refused.link': 'See its refusals',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'dashboard.lede':
    'Was zu tun ist, und die Kennzahlen des Servers. Laden Sie die Seite neu, um beides zu aktualisieren.',
  'dashboard.attention': 'Handlungsbedarf',
  'dashboard.nothing': 'Es gibt nichts zu tun.',
  'dashboard.urgent': 'Dringend',
  'dashboard.check': 'Prüfen',
  'dashboard.totals': 'Gesamtzahlen',
  'dashboard.sessions': 'Aktive Sitzungen',
  'dashboard.tokens': 'Gültige Zugriffstoken',
  'dashboard.more-than': 'mehr als {count, number}',
  'dashboard.since-start':
    'Von diesem Knoten seit seinem Start gezählt, weil abgelehnte Anfragen nicht im Protokoll stehen.',
  'dashboard.periods':
    '{zone, select, known {Stunden in Ihrer Zeitzone, Tage in UTC.} other {Stunden und Tage in UTC.}}',
  'dashboard.hours': '{chart}, letzte 24 Stunden',
  'dashboard.days': '{chart}, letzte 30 Tage',
  'dashboard.last-day': 'Letzte 24 Stunden',
  'dashboard.last-month': 'Letzte 30 Tage',
  'dashboard.see-logins': 'Anmeldungen ansehen',
  'dashboard.see-providers': 'Anbieter ansehen',
  'dashboard.see-refusals': 'Ablehnungen ansehen',
  'dashboard.chart-tokens': 'Ausgestellte Zugriffstoken',
  'dashboard.chart-logins': 'Anmeldungen',
  'dashboard.chart-failed': 'Fehlgeschlagene Anmeldungen',
  'dashboard.chart-refusals': 'Abgelehnte Anfragen',
  'attention.obstacle': 'Der Server ist nicht bereit: {obstacle}',
  'attention.log':
    'Das Protokoll lässt sich nicht mehr schreiben, seit ein Schreibvorgang fehlgeschlagen ist. Starten Sie den ' +
    'Server neu.',
  'attention.disk': 'Die Festplatte ist fast voll, deshalb wird nichts mehr aufgezeichnet. Schaffen Sie Platz.',
  'attention.damage':
    'Das gespeicherte Protokoll ist an {count, plural, one {# Stelle} other {# Stellen}} beschädigt. Führen Sie ' +
    'grantlog log verify aus.',
  'attention.clock': 'Die Uhr geht gegenüber dem neuesten Ereignis {seconds} s nach. Synchronisieren Sie sie mit NTP.',
  'attention.account-keys':
    'Die Schlüssel von {count, plural, one {# Konto} other {# Konten}} fehlen. Führen Sie grantlog doctor aus.',
  'attention.client-keys':
    'Die Schlüssel von {count, plural, one {# Anwendung} other {# Anwendungen}} fehlen. Führen Sie grantlog ' +
    'doctor aus.',
  'attention.signing-key': 'Für {algorithms} wurde nicht rechtzeitig ein neuer Signaturschlüssel eingeführt.',
  'attention.checkpoint': 'Es wurde noch kein Checkpoint des Protokolls signiert.',
  'attention.behind': 'Dieser Knoten liegt hinter dem Protokoll zurück: Antworten können veraltet sein.',
  'attention.unreached': 'Dieser Knoten hat das gemeinsame Protokoll seit einigen Sekunden nicht erreicht.',
  'attention.file':
    '{kind, select, tiles {Kacheln des Protokolls} head {Kopf des Protokolls} refusals {Ablehnungen} other {{kind}}} ' +
    '({count})',
  'attention.files': 'Seit dem Start ließen sich Dateien nicht schreiben: {files}.',
  'attention.logouts':
    '{count, plural, one {# Logout-Token konnte} other {# Logout-Token konnten}} Anwendungen nicht zugestellt werden.',
  'attention.administrators':
    '{count, plural, one {# Administrator hat} other {# Administratoren haben}} für die Anmeldung noch keinen ' +
    'zweiten Schritt eingerichtet.',
  'attention.administrators.link': 'Administratoren ohne Anmeldung in zwei Schritten',
  'attention.users':
    '{count, plural, one {# Benutzer muss} other {# Benutzer müssen}} bei der nächsten Anmeldung die Anmeldung ' +
    'in zwei Schritten einrichten.',
  'attention.users.link': 'Benutzer ohne Anmeldung in zwei Schritten',
  'attention.provider': '{provider} steht auf der Anmeldeseite, aber die Verbindung ist zuletzt fehlgeschlagen.',
  'attention.provider.link': 'Anbieter ansehen',
  'attention.old-secret': '{application} verwendet noch ihr altes Client-Secret, das innerhalb eines Tages abläuft.',
  'attention.old-secret.link': 'Anwendung ansehen',
  'attention.refused': 'Mindestens {count} Anfragen von {application} wurden in den letzten 24 Stunden abgelehnt.',
  'attention.refused.link': 'Ablehnungen ansehen',
};

/** Messages on the administrators’ dashboard and its charts. */
export const dashboard = { en, de };
