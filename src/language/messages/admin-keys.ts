const en = {
  'keys-page.title': 'Signing keys',
  'keys-page.lede':
    'These keys sign access tokens and ID tokens. The server introduces new keys automatically, and retires a key ' +
    'after its last token has expired.',
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
    'Each new key replaces the current key for its algorithm. Earlier tokens stay valid: the current key remains ' +
    'published until the last of these tokens has expired.',
  'keys-page.algorithms': 'Algorithms',
  'keys-page.has-next': 'Its next key signs from {from}. Until then, the current key signs.',
  'keys-page.next-exists':
    '{count, plural, one {The algorithm {algorithms} already has} other {The algorithms {algorithms} already have}} ' +
    'a next key. Leave {count, plural, one {it} other {them}} out, or introduce keys that sign immediately.',
  'keys-page.start': 'When the new keys sign',
  'keys-page.later': 'After a day',
  'keys-page.later-help': 'By then, programs that read the published keys will know the new keys.',
  'keys-page.now': 'Immediately',
  'keys-page.now-help':
    'Use this if somebody else may have a key. Programs that have already read the published keys refuse new tokens ' +
    'until they read them again.',
  'keys-page.rotate': 'Introduce new keys',
  'keys-page.now-question': 'Introduce new keys that sign immediately?',
  'keys-page.rotate-now': 'Introduce and sign immediately',
  'keys-page.choose': 'Choose at least one algorithm.',
  'keys-page.choose-start': 'Choose when the new keys sign.',
  'keys-page.rotated': 'New keys were introduced. They will start signing in a day.',
  'keys-page.rotated-now': 'New keys were introduced and are now signing.',
  'retire-key.link': 'Retire…',
  'retire-key.title': 'Retire the signing key {kid}?',
  'retire-key.text':
    'Do this if somebody else may have the key. It will never sign again, and its private half will be deleted. This ' +
    'cannot be undone.',
  'retire-key.tokens':
    'This server will immediately refuse the access tokens that the key signed, and nobody will be able to verify ' +
    'its ID tokens. Applications with a refresh token get new tokens. Opaque access tokens and refresh tokens stay ' +
    'valid.',
  'retire-key.unused':
    'It has not signed anything yet, so no tokens become invalid. It will never sign, and its private half will be ' +
    'deleted. This cannot be undone.',
  'retire-key.otherwise':
    'Otherwise, leave it alone: the server retires it automatically after its last token has expired.',
  'retire-key.only-signer':
    'It is the current key, and no other {algorithm} key could take over. First introduce a key that signs ' +
    'immediately. Then retire this one.',
  'retire-key.introduce': 'Introduce a key for {algorithm}…',
  'retire-key.ends': 'Tokens that become invalid',
  'retire-key.time': '{time}',
  'retire-key.successor': 'Key that signs next',
  'retire-key.successor-status':
    '{kid}{status, select, past { (a past key, which will sign again)} next { (the next key, which will start ' +
    'early)} other {}}',
  'retire-key.button': 'Retire the key',
  'retire-key.done': 'The key {kid} was retired. No valid tokens were affected.',
  'retire-key.done-with-tokens':
    'The key {kid} was retired. Tokens of these applications became invalid: {applications}.',
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
    'aktuelle Schlüssel bleibt veröffentlicht, bis das letzte von ihnen abgelaufen ist.',
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
  'retire-key.link': 'Ausmustern …',
  'retire-key.title': 'Den Signaturschlüssel {kid} ausmustern?',
  'retire-key.text':
    'Für einen Schlüssel, den vielleicht jemand anderes hat. Er signiert nie wieder, und seine private Hälfte wird ' +
    'gelöscht. Das kann nicht rückgängig gemacht werden.',
  'retire-key.tokens':
    'Dieser Server lehnt sofort die Zugriffstoken ab, die der Schlüssel signiert hat, und niemand kann dessen ' +
    'ID-Token mehr prüfen. Anwendungen mit einem Refresh-Token erhalten neue Token. Opake Zugriffstoken und ' +
    'Refresh-Token bleiben gültig.',
  'retire-key.unused':
    'Er hat noch nichts signiert, deshalb endet kein Token. Er signiert nie, und seine private Hälfte wird gelöscht. ' +
    'Das kann nicht rückgängig gemacht werden.',
  'retire-key.otherwise': 'Sonst lassen Sie ihn: Der Server mustert ihn nach seinem letzten Token selbst aus.',
  'retire-key.only-signer':
    'Er signiert jetzt, und kein anderer Schlüssel für {algorithm} könnte nach ihm signieren. Führen Sie zuerst ' +
    'einen Schlüssel ein, der sofort signiert. Mustern Sie dann diesen aus.',
  'retire-key.introduce': 'Schlüssel für {algorithm} einführen …',
  'retire-key.ends': 'Token, die enden',
  'retire-key.time': '{time}',
  'retire-key.successor': 'Der Schlüssel, der dann signiert',
  'retire-key.successor-status':
    '{kid}{status, select, past { (ein früherer, der wieder signiert)} next { (der nächste, der früher signiert)} ' +
    'other {}}',
  'retire-key.button': 'Schlüssel ausmustern',
  'retire-key.done': 'Der Schlüssel {kid} wurde ausgemustert. Keine gültigen Token endeten.',
  'retire-key.done-with-tokens':
    'Der Schlüssel {kid} wurde ausgemustert. Token dieser Anwendungen endeten: {applications}.',
};

/** Messages on the pages for signing keys. */
export const adminKeys = { en, de };
