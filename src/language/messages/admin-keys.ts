const en = {
  'keys-page.title': 'Signing keys',
  'keys-page.lede':
    'These keys sign access tokens and ID tokens. The server introduces new keys by itself, and retires a key after ' +
    'its last token.',
  'keys-page.count': '{total, plural, =0 {No keys} one {One key} other {{total, number} keys}}',
  'keys-page.search': 'Search for an id or an algorithm',
  'keys-page.none': 'The server introduces a key before it first signs a token.',
  'keys-page.id': 'Id',
  'keys-page.algorithm': 'Algorithm',
  'keys-page.signs': 'Current',
  'keys-page.next': 'Next',
  'keys-page.next-from': 'Next, signs from {from}',
  'keys-page.past': 'Past',
  'keys-page.retired': 'Retired',
  'keys-page.introduced': 'Introduced',
  'keys-page.from': 'Signs from',
  'keys-page.until': 'Signs until',
  'keys-page.valid-until': 'Tokens valid until',
  'keys-page.no-tokens': 'No valid tokens',
  'keys-page.retired-at': 'Retired',
  'keys-page.event': 'Event',
  'keys-page.to-rotation': 'Introduce new keys…',
  'keys-page.rotation': 'Introduce new signing keys',
  'keys-page.rotation-lede':
    'Each new key replaces the current key of its algorithm. Earlier tokens stay valid: the current key remains ' +
    'published until the last of them has expired. The command grantlog key retire ends a key and its tokens early.',
  'keys-page.algorithms': 'Algorithms',
  'keys-page.has-next': 'Its next key signs from {from}. Until then, the current key signs.',
  'keys-page.next-exists':
    '{count, plural, one {The algorithm {algorithms} has} other {The algorithms {algorithms} have}} a next key ' +
    'already. Leave {count, plural, one {it} other {them}} out. Only new keys that sign at once could replace the ' +
    'current ones.',
  'keys-page.start': 'When the new keys sign',
  'keys-page.later': 'After a day',
  'keys-page.later-help': 'Programs that read the published keys know the new keys by then.',
  'keys-page.now': 'At once',
  'keys-page.now-help':
    'For a key that somebody else may have. Programs that have read the published keys refuse new tokens until they ' +
    'read them again.',
  'keys-page.rotate': 'Introduce new keys',
  'keys-page.now-question': 'Introduce new keys that sign at once?',
  'keys-page.rotate-now': 'Introduce and sign at once',
  'keys-page.choose': 'Choose at least one algorithm.',
  'keys-page.choose-start': 'Choose when the new keys sign.',
  'keys-page.rotated': 'New keys were introduced. They sign after a day.',
  'keys-page.rotated-now': 'New keys were introduced, and sign now.',
  'all-sessions.title': 'Sessions',
  'all-sessions.lede': 'The open sessions of all users. Whoever loses a session logs in again.',
  'all-sessions.search': 'Search for a user, a browser or a provider',
  'all-sessions.none': 'Nobody is logged in.',
  'all-sessions.provider': 'Provider',
  'all-sessions.password': 'With a password',
  'all-sessions.passkey': 'With a passkey',
  'all-sessions.upstream': 'Through a provider',
  'all-sessions.end-column': 'Choose',
  'all-sessions.choose': 'Choose a session of {username}',
  'all-sessions.choose-own': 'Choose your current session, as {username}',
  'all-sessions.own': 'this browser',
  'all-sessions.end': 'End the chosen sessions',
  'all-sessions.none-chosen': 'No session was chosen, so none was ended.',
  'all-sessions.ended':
    '{count, plural, =0 {The chosen sessions had already ended.} one {One session was ended.} other {{count} ' +
    'sessions were ended.}}',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'keys-page.title': 'Signaturschlüssel',
  'keys-page.lede':
    'Diese Schlüssel signieren Zugriffs- und ID-Token. Der Server führt neue Schlüssel selbst ein und mustert einen ' +
    'Schlüssel nach seinem letzten Token aus.',
  'keys-page.count': '{total, plural, =0 {Keine Schlüssel} one {Ein Schlüssel} other {{total, number} Schlüssel}}',
  'keys-page.search': 'ID oder Algorithmus suchen',
  'keys-page.none': 'Der Server führt einen Schlüssel ein, bevor er das erste Token signiert.',
  'keys-page.id': 'ID',
  'keys-page.algorithm': 'Algorithmus',
  'keys-page.signs': 'Aktuell',
  'keys-page.next': 'Nächster',
  'keys-page.next-from': 'Nächster, signiert ab {from}',
  'keys-page.past': 'Früherer',
  'keys-page.retired': 'Ausgemustert',
  'keys-page.introduced': 'Eingeführt',
  'keys-page.from': 'Signiert ab',
  'keys-page.until': 'Signiert bis',
  'keys-page.valid-until': 'Token gelten bis',
  'keys-page.no-tokens': 'Keine gültigen Token',
  'keys-page.retired-at': 'Ausgemustert',
  'keys-page.event': 'Ereignis',
  'keys-page.to-rotation': 'Neue Schlüssel einführen …',
  'keys-page.rotation': 'Neue Signaturschlüssel einführen',
  'keys-page.rotation-lede':
    'Jeder neue Schlüssel löst den aktuellen Schlüssel seines Algorithmus ab. Frühere Token bleiben gültig: Der ' +
    'aktuelle Schlüssel bleibt veröffentlicht, bis das letzte von ihnen abgelaufen ist. Der Befehl grantlog key ' +
    'retire beendet einen Schlüssel und seine Token vorzeitig.',
  'keys-page.algorithms': 'Algorithmen',
  'keys-page.has-next': 'Der nächste Schlüssel signiert ab {from}. Bis dahin signiert der aktuelle.',
  'keys-page.next-exists':
    'Für {count, plural, one {den Algorithmus {algorithms}} other {die Algorithmen {algorithms}}} gibt es schon ' +
    'einen nächsten Schlüssel. Lassen Sie {count, plural, one {ihn} other {sie}} weg. Nur neue Schlüssel, die sofort ' +
    'signieren, könnten die aktuellen ablösen.',
  'keys-page.start': 'Wann die neuen Schlüssel signieren',
  'keys-page.later': 'Nach einem Tag',
  'keys-page.later-help': 'Bis dahin kennen Programme, welche die veröffentlichten Schlüssel lesen, die neuen.',
  'keys-page.now': 'Sofort',
  'keys-page.now-help':
    'Für einen Schlüssel, den vielleicht jemand anderes hat. Programme, welche die veröffentlichten Schlüssel ' +
    'gelesen haben, lehnen neue Token ab, bis sie sie wieder lesen.',
  'keys-page.rotate': 'Neue Schlüssel einführen',
  'keys-page.now-question': 'Neue Schlüssel einführen, die sofort signieren?',
  'keys-page.rotate-now': 'Einführen und sofort signieren',
  'keys-page.choose': 'Wählen Sie mindestens einen Algorithmus.',
  'keys-page.choose-start': 'Wählen Sie, wann die neuen Schlüssel signieren.',
  'keys-page.rotated': 'Neue Schlüssel wurden eingeführt. Sie signieren nach einem Tag.',
  'keys-page.rotated-now': 'Neue Schlüssel wurden eingeführt und signieren jetzt.',
  'all-sessions.title': 'Sitzungen',
  'all-sessions.lede': 'Die offenen Sitzungen aller Benutzer. Wer eine Sitzung verliert, meldet sich neu an.',
  'all-sessions.search': 'Benutzer, Browser oder Anbieter suchen',
  'all-sessions.none': 'Niemand ist angemeldet.',
  'all-sessions.provider': 'Anbieter',
  'all-sessions.password': 'Mit Passwort',
  'all-sessions.passkey': 'Mit Passkey',
  'all-sessions.upstream': 'Über einen Anbieter',
  'all-sessions.end-column': 'Auswählen',
  'all-sessions.choose': 'Eine Sitzung von {username} auswählen',
  'all-sessions.choose-own': 'Ihre aktuelle Sitzung als {username} auswählen',
  'all-sessions.own': 'dieser Browser',
  'all-sessions.end': 'Ausgewählte Sitzungen beenden',
  'all-sessions.none-chosen': 'Es wurde keine Sitzung ausgewählt und keine beendet.',
  'all-sessions.ended':
    '{count, plural, =0 {Die ausgewählten Sitzungen waren schon beendet.} one {Eine Sitzung wurde beendet.} other ' +
    '{{count} Sitzungen wurden beendet.}}',
};

/** The pages of the signing keys and of all sessions. */
export const adminKeys = { en, de };
