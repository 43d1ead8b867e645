const en = {
  'audit.sections': 'Audit',
  'audit.events': 'Events',
  'audit.as-of': 'Access at a point in time',
  'audit.blast-radius': 'Blast radius',
  'audit.log': 'The log',
  'events.position': 'Position',
  'events.time': 'Time',
  'events.sentence': 'What happened',
  'events.by': 'By',
  'filters.type': 'Event type',
  'filters.all-types': 'All types',
  'filters.user': 'User name',
  'filters.user-help': 'Includes their authorizations and applications.',
  'filters.client': 'Client id',
  'filters.client-help': 'Includes its authorizations.',
  'filters.since': 'Recorded from',
  'filters.until': 'Recorded before',
  'filters.utc': 'UTC.',
  'filters.utc-exclusive': 'UTC, exclusive.',
  'filters.unknown-type': 'Unknown event type.',
  'filters.unknown-user': 'No user has this name. Events of erased users can’t be found by name.',
  'timeline.lede':
    'Everything that was granted, issued, changed or revoked, newest first. Events are tamper-evident: any later ' +
    'change can be detected.',
  'timeline.filter': 'Filter by type, user, client or time',
  'timeline.filter-label': 'Filter events',
  'timeline.apply': 'Apply filters',
  'timeline.all': 'Show all',
  'timeline.matching': 'Matching events',
  'timeline.all-events': 'All events',
  'timeline.caption': 'Events, newest first',
  'timeline.none-matching': 'No matching events',
  'timeline.none': 'No events',
  'timeline.none-matching-text': 'Clear a filter, or choose a longer period.',
  'timeline.none-text': 'There are no events in this direction.',
  'timeline.paused': 'Search paused',
  'timeline.paused-text':
    'It reached <a>position {position}</a> (<time>{when}</time>) and paused so as not to slow the server down.',
  'timeline.continue': 'Continue searching',
  'timeline.pages': 'Pages of events',
  'timeline.newest': 'Newest',
  'timeline.newer': 'Newer',
  'timeline.older': 'Older',
  'timeline.export':
    'Export {which, select, matching {all matching events} other {all events}}: <json-lines>JSON ' +
    'lines</json-lines>, <csv>CSV</csv>',
  'log.lede': 'Verify the integrity of the log, and export it.',
  'log.newest': 'Newest checkpoint',
  'log.newest-text':
    'Store one outside this server from time to time. If the log is ever rewritten, your copy will show it.',
  'log.count': 'Events in the log',
  'log.tree-size': 'Tree size',
  'log.leaves': '{size} leaves, one per event up to the checkpoint',
  'log.root': 'Root',
  'log.key': 'Verifier key',
  'log.stored': 'Stored checkpoints',
  'log.download': 'Download the checkpoint',
  'log.download-key': 'Download the key',
  'log.export': 'Export events',
  'log.export-text':
    'The same output as <code>grantlog log export</code>: each event’s position and its record as stored. Leave ' +
    'all fields empty to export the whole log.',
  'log.format': 'Format',
  'log.json-lines': 'JSON Lines (records byte for byte)',
  'log.csv': 'CSV (for spreadsheets)',
  'log.export-button': 'Export',
  'event.title': 'Event {position}',
  'event.heading': 'Event {position}: {type}',
  'event.recorded': 'Recorded',
  'event.around': 'Events around this one',
  'event.newer': 'Newer events',
  'event.older': 'Older events',
  'event.details': 'Details',
  'event.stream': 'Stream',
  'event.stream-all': 'Events in the same stream, oldest first.',
  'event.stream-some': 'Events in the same stream, oldest first. Showing the {shown} nearest of {count}.',
  'event.stream-caption': 'Events in the same stream, oldest first',
  'event.proof': 'Proof',
  'event.proof-text':
    'The record {is, select, shown {below } other {}}is a leaf of a Merkle tree (RFC 6962). Its hash and the ' +
    'sibling hashes below recompute the root of the checkpoint that this server signed.',
  'event.redacted': 'Record with a secret’s hash removed',
  'event.redacted-text':
    'An earlier release recorded the hash of a user-chosen client secret without encrypting it. Such a hash can ' +
    'be used to test guesses, so only administrators see it here. The record shown therefore doesn’t match the ' +
    'leaf hash; verify the stored record as described below.',
  'event.record': 'Record, byte for byte',
  'event.leaf': 'Leaf',
  'event.leaf-index': 'index <index-code>{leaf}</index-code>, counted from 0',
  'event.leaf-hash': 'Leaf hash',
  'event.inclusion': 'Inclusion proof',
  'event.not-needed': 'not needed: the tree has only one leaf',
  'event.checkpoint': 'Signed checkpoint',
  'event.verify': 'Verify independently',
  'event.verify-text':
    'This check is only as trustworthy as this server. To verify independently, use a key and checkpoint you ' +
    'stored elsewhere:',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'audit.sections': 'Audit',
  'audit.events': 'Ereignisse',
  'audit.as-of': 'Zugriff zu einem Zeitpunkt',
  'audit.blast-radius': 'Reichweite eines Lecks',
  'audit.log': 'Das Protokoll',
  'events.position': 'Position',
  'events.time': 'Zeit',
  'events.sentence': 'Was geschah',
  'events.by': 'Von',
  'filters.type': 'Art des Ereignisses',
  'filters.all-types': 'Alle Arten',
  'filters.user': 'Benutzername',
  'filters.user-help': 'Schließt Zustimmungen und Anwendungen des Benutzers ein.',
  'filters.client': 'Client-ID',
  'filters.client-help': 'Schließt die Zustimmungen für diese Anwendung ein.',
  'filters.since': 'Aufgezeichnet ab',
  'filters.until': 'Aufgezeichnet vor',
  'filters.utc': 'UTC.',
  'filters.utc-exclusive': 'UTC, nicht eingeschlossen.',
  'filters.unknown-type': 'Diese Art von Ereignis gibt es nicht.',
  'filters.unknown-user':
    'Kein Benutzer hat diesen Namen. Ereignisse gelöschter Benutzer lassen sich nicht nach Namen finden.',
  'timeline.lede':
    'Alles, was zugelassen, ausgestellt, geändert oder widerrufen wurde, das Neueste zuerst. Ereignisse sind vor ' +
    'Manipulation geschützt: Jede spätere Änderung lässt sich erkennen.',
  'timeline.filter': 'Nach Art, Benutzer, Anwendung oder Zeit filtern',
  'timeline.filter-label': 'Ereignisse filtern',
  'timeline.apply': 'Filter anwenden',
  'timeline.all': 'Alle anzeigen',
  'timeline.matching': 'Gefundene Ereignisse',
  'timeline.all-events': 'Alle Ereignisse',
  'timeline.caption': 'Ereignisse, das neueste zuerst',
  'timeline.none-matching': 'Keine Ereignisse gefunden',
  'timeline.none': 'Keine Ereignisse',
  'timeline.none-matching-text': 'Entfernen Sie einen Filter, oder wählen Sie einen längeren Zeitraum.',
  'timeline.none-text': 'In dieser Richtung gibt es keine Ereignisse.',
  'timeline.paused': 'Suche angehalten',
  'timeline.paused-text':
    'Sie hat <a>Position {position}</a> erreicht (<time>{when}</time>) und hält an, um den Server nicht zu bremsen.',
  'timeline.continue': 'Weitersuchen',
  'timeline.pages': 'Seiten der Ereignisse',
  'timeline.newest': 'Neueste',
  'timeline.newer': 'Neuere',
  'timeline.older': 'Ältere',
  'timeline.export':
    '{which, select, matching {Alle gefundenen Ereignisse} other {Alle Ereignisse}} exportieren: ' +
    '<json-lines>JSON Lines</json-lines>, <csv>CSV</csv>',
  'log.lede': 'Prüfen Sie die Unversehrtheit des Protokolls, und exportieren Sie es.',
  'log.newest': 'Neuester Checkpoint',
  'log.newest-text':
    'Bewahren Sie von Zeit zu Zeit einen außerhalb dieses Servers auf. Wird das Protokoll je umgeschrieben, ' +
    'zeigt es Ihre Kopie.',
  'log.count': 'Ereignisse im Protokoll',
  'log.tree-size': 'Größe des Baums',
  'log.leaves': '{size} Blätter, eines pro Ereignis bis zum Checkpoint',
  'log.root': 'Wurzel',
  'log.key': 'Prüfschlüssel',
  'log.stored': 'Gespeicherte Checkpoints',
  'log.download': 'Checkpoint herunterladen',
  'log.download-key': 'Schlüssel herunterladen',
  'log.export': 'Ereignisse exportieren',
  'log.export-text':
    'Dieselbe Ausgabe wie <code>grantlog log export</code>: die Position jedes Ereignisses und sein Datensatz, ' +
    'wie gespeichert. Lassen Sie alle Felder leer, um das ganze Protokoll zu exportieren.',
  'log.format': 'Format',
  'log.json-lines': 'JSON Lines (Datensätze Byte für Byte)',
  'log.csv': 'CSV (für Tabellenkalkulationen)',
  'log.export-button': 'Exportieren',
  'event.title': 'Ereignis {position}',
  'event.heading': 'Ereignis {position}: {type}',
  'event.recorded': 'Aufgezeichnet',
  'event.around': 'Ereignisse um dieses herum',
  'event.newer': 'Neuere Ereignisse',
  'event.older': 'Ältere Ereignisse',
  'event.details': 'Einzelheiten',
  'event.stream': 'Ereignisstrom',
  'event.stream-all': 'Ereignisse im selben Ereignisstrom, das älteste zuerst.',
  'event.stream-some':
    'Ereignisse im selben Ereignisstrom, das älteste zuerst. Angezeigt werden die nächsten {shown} von {count}.',
  'event.stream-caption': 'Ereignisse im selben Ereignisstrom, das älteste zuerst',
  'event.proof': 'Nachweis',
  'event.proof-text':
    'Der Datensatz{is, select, shown { unten} other {}} ist ein Blatt eines Merkle-Baums (RFC 6962). Sein Hash ' +
    'und die Nachbar-Hashes unten ergeben die Wurzel des Checkpoints, den dieser Server signiert hat.',
  'event.redacted': 'Datensatz ohne den Hash eines Client-Secrets',
  'event.redacted-text':
    'Eine frühere Version zeichnete den Hash eines von einem Benutzer gewählten Client-Secrets unverschlüsselt auf. ' +
    'Mit einem solchen Hash lassen sich Vermutungen prüfen, deshalb sehen ihn hier nur Administratoren. Der ' +
    'angezeigte Datensatz passt darum nicht zum Hash des Blatts; prüfen Sie den gespeicherten wie unten beschrieben.',
  'event.record': 'Datensatz, Byte für Byte',
  'event.leaf': 'Blatt',
  'event.leaf-index': 'Index <index-code>{leaf}</index-code>, ab 0 gezählt',
  'event.leaf-hash': 'Hash des Blatts',
  'event.inclusion': 'Nachweis der Zugehörigkeit',
  'event.not-needed': 'nicht nötig: Der Baum hat nur ein Blatt',
  'event.checkpoint': 'Signierter Checkpoint',
  'event.verify': 'Unabhängig prüfen',
  'event.verify-text':
    'Diese Prüfung ist nur so vertrauenswürdig wie dieser Server. Um unabhängig zu prüfen, verwenden Sie einen ' +
    'Schlüssel und einen Checkpoint, die Sie anderswo aufbewahren:',
};

/** The texts of the pages of auditors: the events, one event and the log. */
export const audit = { en, de };
