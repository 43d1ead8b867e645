const en = {
  'as-of.lede': 'Who had access to what at a given moment, according to the log.',
  'as-of.choose': 'Choose a time',
  'as-of.time': 'Date and time',
  'as-of.position': 'Or a position',
  'as-of.position-help': 'Immediately after this event.',
  'as-of.scope': 'Scope or role',
  'as-of.show': 'Show who had access',
  'as-of.slow': 'On a large log this takes a few seconds.',
  'as-of.answer': 'Access at that time',
  'as-of.no-events': 'No events had been recorded yet.',
  'as-of.last': 'The last event up to that time is <a>event {position}</a>, recorded',
  'as-of.export': 'Export: <json-lines>JSON lines</json-lines>, <csv>CSV</csv>',
  'as-of.accounts': 'Accounts',
  'as-of.applications': 'Applications',
  'as-of.tokens': 'Access tokens',
  'as-of.authorized': 'Authorized applications',
  'as-of.count': '{kind} ({count, number})',
  'as-of.caption': '{kind} at that time',
  'as-of.some': 'Showing the first {shown} of {count, number}. Filter by user, client or scope, or export everything.',
  'as-of.none': 'None.',
  'as-of.show-tokens': 'Show the access tokens',
  'as-of.user': 'User',
  'as-of.application': 'Application',
  'as-of.roles': 'Roles',
  'as-of.scope-column': 'Scope',
  'as-of.until': 'Until',
  'as-of.granted-by': 'Granted by event',
  'as-of.no-user': 'no user',
  'as-of.removed': 'removed',
  'as-of.until-revoked': 'until revoked',
  'as-of.event': 'event {position}',
  'as-of.login':
    'login: {login, select, password {password} second {second-factor} passkey {passkey} provider {provider} other ' +
    '{not recorded}}',
  'as-of.grants': '{count, number} grants',
  'as-of.more': 'and {count, number} more in the export',
  'as-of.invalid-time': 'Enter a time such as 2026-11-21T09:00.',
  'as-of.not-both': 'Enter a time or a position, not both.',
  'as-of.log-ends': 'The log ends at position {position}.',
  'as-of.nothing-to-export': 'Nothing to export',
  'as-of.no-moment': 'The address has no time and no position.',
  'as-of.nothing-to-export-advice': 'Start from the page “Access at a point in time”.',
  'as-of.not-a-number': '{name} must be a whole number.',
  'grant.title': 'Exchanges around a grant',
  'grant.lede':
    'Whose access was passed on to whom, from the first grant down. A token that was exchanged ends with everything ' +
    'above it, and with the grant of its actor.',
  'grant.radius': 'What {is, select, past {was valid then and} other {is valid and}} came from it',
  'grant.earlier': 'Show an earlier time',
  'grant.show': 'Show the exchanges',
  'grant.present': 'Show the present',
  'grant.none': 'No such grant at that time',
  'grant.none-text': 'It began later.',
  'grant.partial': 'Only a part of the log was searched',
  'grant.partial-text':
    'Exchanges after <a>event {position}</a> are missing if their tokens have expired. The command below searches ' +
    'the whole log.',
  'grant.count': '{count, plural, =0 {No exchanges} one {1 exchange} other {{count, number} exchanges}}',
  'grant.as-of': 'After <a>event {position}</a>, at',
  'grant.newest': 'Showing the newest ones, and those above them.',
  'grant.proof-text':
    'The proof has the records of each grant of this chain, and of everything that they end with, under a signed ' +
    'checkpoint. A signed statement says how many events there are, so none can be left out.',
  'grant.download': 'Download the proof',
  'grant.verify-text':
    'A check on this page is only as trustworthy as this server. To verify independently, use a key that you stored ' +
    'elsewhere, and a bundle of the log:',
  'grant.commands': 'The same as commands',
  'grant.commands-text': 'They find every exchange, now or at an earlier time.',
  'grant.state': '{state, select, live {live} paused {paused} ended {ended} other {expired}}',
  'grant.event': '<a>Event {position}</a>, <time>{when}</time>',
  'grant.about': '<a>about this grant<hidden> of event {position}</hidden></a>',
  'grant.every-resource': 'for every resource server',
  'grant.resources': 'for {resources}',
  'grant.until': 'until <time>{when}</time>',
  'grant.ended-by': '(<a>event {position}</a>, <time>{when}</time>)',
  'grant.omitted': '{count, plural, one {1 earlier exchange} other {{count, number} earlier exchanges}}',
  'grant.proof-for-administrators': 'Only administrators get this proof',
  'grant.proof-for-administrators-text':
    'It contains the hash of a user-chosen client secret, which an earlier release recorded without encrypting it.',
  'grant.proof-for-administrators-advice': 'Ask an administrator for the proof.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'as-of.lede': 'Wer zu einem bestimmten Zeitpunkt worauf Zugriff hatte, laut Protokoll.',
  'as-of.choose': 'Zeitpunkt wählen',
  'as-of.time': 'Datum und Uhrzeit',
  'as-of.position': 'Oder eine Position',
  'as-of.position-help': 'Unmittelbar nach diesem Ereignis.',
  'as-of.scope': 'Scope oder Rolle',
  'as-of.show': 'Zugriff anzeigen',
  'as-of.slow': 'Bei einem großen Protokoll dauert das einige Sekunden.',
  'as-of.answer': 'Zugriff zu diesem Zeitpunkt',
  'as-of.no-events': 'Es waren noch keine Ereignisse aufgezeichnet.',
  'as-of.last': 'Das letzte Ereignis bis dahin ist <a>Ereignis {position}</a>, aufgezeichnet',
  'as-of.export': 'Exportieren: <json-lines>JSON Lines</json-lines>, <csv>CSV</csv>',
  'as-of.accounts': 'Konten',
  'as-of.applications': 'Anwendungen',
  'as-of.tokens': 'Zugriffstoken',
  'as-of.authorized': 'Zugelassene Anwendungen',
  'as-of.count': '{kind} ({count, number})',
  'as-of.caption': '{kind} zu diesem Zeitpunkt',
  'as-of.some':
    'Angezeigt werden die ersten {shown} von {count, number}. Filtern Sie nach Benutzer, Client oder Scope, oder ' +
    'exportieren Sie alles.',
  'as-of.none': 'Keine.',
  'as-of.show-tokens': 'Zugriffstoken anzeigen',
  'as-of.user': 'Benutzer',
  'as-of.application': 'Anwendung',
  'as-of.roles': 'Rollen',
  'as-of.scope-column': 'Scope',
  'as-of.until': 'Gültig bis',
  'as-of.granted-by': 'Gewährt durch',
  'as-of.no-user': 'kein Benutzer',
  'as-of.removed': 'entfernt',
  'as-of.until-revoked': 'bis zum Widerruf',
  'as-of.event': 'Ereignis {position}',
  'as-of.login':
    'Anmeldung: {login, select, password {Passwort} second {zweiter Faktor} passkey {Passkey} provider {Anbieter} ' +
    'other {nicht aufgezeichnet}}',
  'as-of.grants': '{count, number} Grants',
  'as-of.more': 'und {count, number} weitere im Export',
  'as-of.invalid-time': 'Geben Sie eine Zeit ein, zum Beispiel 2026-11-21T09:00.',
  'as-of.not-both': 'Geben Sie eine Zeit oder eine Position ein, nicht beides.',
  'as-of.log-ends': 'Das Protokoll endet mit Position {position}.',
  'as-of.nothing-to-export': 'Nichts zu exportieren',
  'as-of.no-moment': 'Die Adresse enthält weder eine Zeit noch eine Position.',
  'as-of.nothing-to-export-advice': 'Beginnen Sie auf der Seite „Zugriff zu einem Zeitpunkt“.',
  'as-of.not-a-number': '{name} muss eine ganze Zahl sein.',
  'grant.title': 'Token-Tausch um einen Grant',
  'grant.lede':
    'Wessen Zugriff an wen weitergegeben wurde, vom ersten Grant abwärts. Ein getauschtes Token endet mit allem, ' +
    'was darüber steht, und mit dem Grant der handelnden Partei.',
  'grant.radius': 'Was {is, select, past {damals gültig war und} other {gültig ist und}} daraus hervorging',
  'grant.earlier': 'Früheren Zeitpunkt anzeigen',
  'grant.show': 'Token-Tausch anzeigen',
  'grant.present': 'Gegenwart anzeigen',
  'grant.none': 'Diesen Grant gab es damals nicht',
  'grant.none-text': 'Er begann später.',
  'grant.partial': 'Nur ein Teil des Protokolls wurde durchsucht',
  'grant.partial-text':
    'Es fehlen die Tauschvorgänge nach <a>Ereignis {position}</a>, deren Token abgelaufen sind. Der Befehl unten ' +
    'durchsucht das ganze Protokoll.',
  'grant.count':
    '{count, plural, =0 {Kein Tausch von Token} one {1 Tausch von Token} other {{count, number} Tauschvorgänge}}',
  'grant.as-of': 'Stand nach <a>Ereignis {position}</a>:',
  'grant.newest': 'Angezeigt werden die neuesten, mit allem darüber.',
  'grant.proof-text':
    'Der Nachweis enthält die Datensätze aller Grants dieser Kette und von allem, womit sie enden, unter einem ' +
    'signierten Checkpoint. Eine signierte Erklärung sagt, wie viele Ereignisse es sind, sodass keines fehlen kann.',
  'grant.download': 'Nachweis herunterladen',
  'grant.verify-text':
    'Eine Prüfung auf dieser Seite ist nur so vertrauenswürdig wie dieser Server. Um unabhängig zu prüfen, ' +
    'verwenden Sie einen Schlüssel, den Sie anderswo aufbewahren, und ein Bündel des Protokolls:',
  'grant.commands': 'Dasselbe als Befehle',
  'grant.commands-text': 'Sie finden jeden Tausch, auch zu einem früheren Zeitpunkt.',
  'grant.state': '{state, select, live {gültig} paused {pausiert} ended {beendet} other {abgelaufen}}',
  'grant.event': '<a>Ereignis {position}</a>, <time>{when}</time>',
  'grant.about': '<a>zu diesem Grant<hidden> von Ereignis {position}</hidden></a>',
  'grant.every-resource': 'für jeden Ressourcenserver',
  'grant.resources': 'für {resources}',
  'grant.until': 'bis <time>{when}</time>',
  'grant.ended-by': '(<a>Ereignis {position}</a>, <time>{when}</time>)',
  'grant.omitted': '{count, plural, one {1 früherer Tausch} other {{count, number} frühere Tauschvorgänge}}',
  'grant.proof-for-administrators': 'Diesen Nachweis erhalten nur Administratoren',
  'grant.proof-for-administrators-text':
    'Er enthält den Hash eines von einem Benutzer gewählten Client-Secrets, den eine frühere Version ' +
    'unverschlüsselt aufgezeichnet hat.',
  'grant.proof-for-administrators-advice': 'Bitten Sie einen Administrator um den Nachweis.',
};

/** The access at a point in time, and the exchanges around a grant, for auditors. */
export const auditAccess = { en, de };
