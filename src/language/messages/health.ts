const en = {
  'readiness.log': 'the event log does not accept appends',
  'readiness.out-of-touch': 'this node has had no contact with the event log for {seconds} seconds',
  'readiness.disk': 'the disk is almost full, so requests that record events are refused',
  'readiness.behind': 'the projections have not caught up with the log',
  'health.lede':
    'Problems that need attention, and current figures for this node. Reload the page to update them. Monitoring ' +
    'systems can read these and other figures at <code>/metrics</code>.',
  'health.ready': 'This node is ready.',
  'health.well': 'This node is ready, and nothing needs attention.',
  'health.problems-of-use':
    'The <a>dashboard</a> lists {count, plural, one {# problem} other {# problems}} with accounts and applications.',
  'health.not-ready': 'This node is not ready',
  'health.advice.damage':
    'The server’s log shows the first damaged event. Keep the damaged data, and restore the latest backup. Only ' +
    'events recorded after the backup are lost.',
  'health.advice.provider': 'Test the connection again on the provider’s page, or disable the provider there.',
  'health.advice.clock': 'Tokens are issued with incorrect times, so applications may reject them.',
  'health.advice.account-keys': 'Affected users cannot log in. Restore the keys from a backup.',
  'health.advice.client-keys':
    'Affected applications cannot authenticate with their client secrets. Restore the keys from a backup.',
  'health.advice.signing-key':
    'The server introduces signing keys automatically. Look for errors in its log, and check that it can write its ' +
    'keys.',
  'health.advice.checkpoint':
    'A checkpoint is signed within a minute of the first events. If this message does not disappear, look for errors ' +
    'in the server’s log.',
  'health.advice.behind': 'If the node is only busy, it will catch up. If it does not, restart it.',
  'health.advice.unreached':
    'Check the database, and the network between it and this node. The node resumes automatically.',
  'health.advice.files':
    'Check the permissions and the free space of the data directory. The server writes the files again ' +
    'automatically.',
  'health.advice.logouts':
    'The applications did not accept the tokens, so users may still be logged in there. The pages of the ' +
    'applications show the reasons.',
  'health.process': 'Process',
  'health.version': 'Version',
  'health.versions': 'Grantlog {grantlog}, Node {node}',
  'health.uptime': 'Uptime',
  'health.unknown': 'unknown',
  'health.memory': 'Memory',
  'health.delay': 'Event loop delay',
  'health.delay-note': 'Since /metrics was last read.',
  'health.delay-median': 'Median',
  'health.delay-99': '99th percentile',
  'health.delay-maximum': 'Maximum',
  'health.hashes': 'Password hashes',
  'health.hashes-now': '{running, number} being computed, {waiting, number} waiting',
  'health.log': 'Log',
  'health.events': 'Events',
  'health.events-all': '{count, number}, all processed',
  'health.events-some': '{count, number}, {processed, number} processed',
  'health.writable': 'Writable',
  'health.writable-failed': 'no: a write failed; restart the server',
  'health.writable-full': 'no: the disk is almost full; free some space',
  'health.snapshot': 'Newest snapshot',
  'health.checkpoint': 'Last signed checkpoint',
  'health.none-yet': 'none yet',
  'health.up-to': 'up to event {position, number}',
  'health.up-to-recorded':
    'up to event {position, number}, recorded {age} ago; {newer, plural, =0 {no newer events} one {one newer event} ' +
    'other {# newer events}}',
  'health.verified': 'Stored log verified',
  'health.verified-nothing': 'no events verified since startup yet; the check runs in the background',
  'health.verified-sound': 'up to event {position, number}; no damage found',
  'health.verified-damaged': 'up to event {position, number}; damaged: run grantlog log verify',
  'health.storage': 'Storage',
  'health.storage.log': 'Log',
  'health.storage.archive': 'Archive',
  'health.storage.snapshots': 'Snapshots',
  'health.free': 'Free space',
  'health.totals': 'Totals',
  'health.authorizations': 'Live authorizations',
  'health.tokens': 'Live access tokens',
  'health.tokens-in-memory': 'Access tokens in memory',
  'health.tokens-in-memory-count':
    '{count, number}, including revoked and expired tokens that have not been removed yet',
  'health.sessions': 'Sessions',
  'health.limited': 'Rate-limited requests since startup',
  'health.no-limited': 'No requests were rate-limited.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'readiness.log': 'das Protokoll nimmt keine Ereignisse mehr an',
  'readiness.out-of-touch': 'dieser Knoten hat das Protokoll seit {seconds} Sekunden nicht erreicht',
  'readiness.disk': 'die Festplatte ist fast voll, deshalb werden Anfragen abgelehnt, die etwas aufzeichnen',
  'readiness.behind': 'die Projektionen sind noch nicht auf dem Stand des Protokolls',
  'health.lede':
    'Was zu tun ist, und die aktuellen Kennzahlen dieses Knotens. Laden Sie die Seite neu, um beides zu ' +
    'aktualisieren. Überwachungssysteme lesen diese und weitere Werte unter <code>/metrics</code>.',
  'health.ready': 'Dieser Knoten ist bereit.',
  'health.well': 'Dieser Knoten ist bereit, und es gibt nichts zu tun.',
  'health.problems-of-use':
    'Die <a>Übersicht</a> nennt {count, plural, one {# Punkt} other {# Punkte}} zu Konten und Anwendungen.',
  'health.not-ready': 'Dieser Knoten ist nicht bereit',
  'health.advice.damage':
    'Das Log des Servers nennt das erste beschädigte Ereignis. Bewahren Sie die beschädigten Daten auf, und stellen ' +
    'Sie die letzte Sicherung wieder her. Nur Ereignisse, die danach aufgezeichnet wurden, gehen verloren.',
  'health.advice.provider': 'Testen Sie die Verbindung auf seiner Seite noch einmal, oder schalten Sie ihn dort aus.',
  'health.advice.clock': 'Token erhalten falsche Zeiten, und Anwendungen lehnen sie womöglich ab.',
  'health.advice.account-keys':
    'Betroffene Benutzer können sich nicht anmelden. Stellen Sie die Schlüssel aus einer Sicherung wieder her.',
  'health.advice.client-keys':
    'Betroffene Anwendungen können sich nicht mit ihren Client-Secrets authentifizieren. Stellen Sie die Schlüssel ' +
    'aus einer Sicherung wieder her.',
  'health.advice.signing-key':
    'Der Server führt ihn selbst ein. Suchen Sie in seinem Log nach Fehlern, und prüfen Sie, ob sich die Schlüssel ' +
    'schreiben lassen.',
  'health.advice.checkpoint':
    'Er wird innerhalb einer Minute nach den ersten Ereignissen signiert. Bleibt diese Meldung stehen, suchen Sie im ' +
    'Log des Servers nach Fehlern.',
  'health.advice.behind': 'Das geht vorüber, wenn er nur ausgelastet ist. Sonst starten Sie den Knoten neu.',
  'health.advice.unreached':
    'Prüfen Sie die Datenbank und das Netz zwischen ihr und diesem Knoten. Der Knoten macht von selbst weiter.',
  'health.advice.files':
    'Prüfen Sie die Zugriffsrechte und den freien Platz des Datenverzeichnisses. Die Dateien werden von selbst ' +
    'nachgeschrieben.',
  'health.advice.logouts':
    'Die Anwendungen haben sie nicht angenommen, ihre Benutzer sind dort womöglich noch angemeldet. Die Seiten der ' +
    'Anwendungen nennen die Gründe.',
  'health.process': 'Prozess',
  'health.version': 'Version',
  'health.versions': 'Grantlog {grantlog}, Node {node}',
  'health.uptime': 'Laufzeit',
  'health.unknown': 'unbekannt',
  'health.memory': 'Arbeitsspeicher',
  'health.delay': 'Verzögerung der Ereignisschleife',
  'health.delay-note': 'Seit /metrics zuletzt gelesen wurde.',
  'health.delay-median': 'Median',
  'health.delay-99': '99. Perzentil',
  'health.delay-maximum': 'Maximum',
  'health.hashes': 'Passwort-Hashes',
  'health.hashes-now': '{running, number} in Berechnung, {waiting, number} wartend',
  'health.log': 'Protokoll',
  'health.events': 'Ereignisse',
  'health.events-all': '{count, number}, alle verarbeitet',
  'health.events-some': '{count, number}, davon {processed, number} verarbeitet',
  'health.writable': 'Beschreibbar',
  'health.writable-failed': 'nein: Ein Schreibvorgang ist fehlgeschlagen; starten Sie den Server neu',
  'health.writable-full': 'nein: Die Festplatte ist fast voll; schaffen Sie Platz',
  'health.snapshot': 'Neuester Snapshot',
  'health.checkpoint': 'Letzter signierter Checkpoint',
  'health.none-yet': 'noch keiner',
  'health.up-to': 'bis Ereignis {position, number}',
  'health.up-to-recorded':
    'bis Ereignis {position, number}, Alter: {age}; {newer, plural, =0 {keine neueren Ereignisse} one {ein neueres ' +
    'Ereignis} other {# neuere Ereignisse}}',
  'health.verified': 'Gespeichertes Protokoll geprüft',
  'health.verified-nothing': 'seit dem Start noch kein Ereignis; es wird im Hintergrund gelesen',
  'health.verified-sound': 'bis Ereignis {position, number}; kein Schaden gefunden',
  'health.verified-damaged': 'bis Ereignis {position, number}; beschädigt: führen Sie grantlog log verify aus',
  'health.storage': 'Speicherplatz',
  'health.storage.log': 'Protokoll',
  'health.storage.archive': 'Archiv',
  'health.storage.snapshots': 'Snapshots',
  'health.free': 'Frei',
  'health.totals': 'Gesamtzahlen',
  'health.authorizations': 'Gültige Zustimmungen',
  'health.tokens': 'Gültige Zugriffstoken',
  'health.tokens-in-memory': 'Zugriffstoken im Arbeitsspeicher',
  'health.tokens-in-memory-count': '{count, number}, mit widerrufenen und abgelaufenen, die noch nicht entfernt sind',
  'health.sessions': 'Sitzungen',
  'health.limited': 'Seit dem Start gebremste Anfragen',
  'health.no-limited': 'Keine Anfrage wurde gebremst.',
};

/** Messages on the health page, and reasons why a server is not ready. */
export const health = { en, de };
