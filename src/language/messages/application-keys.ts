const en = {
  'keys.title': 'Public keys and authentication for {application}',
  'keys.title-heading': 'Public keys and authentication for <bdi>{application}</bdi>',
  'keys.confidential':
    'The application can use a private key to prove its identity (<code>private_key_jwt</code>) or to sign its ' +
    'requests. This server has only the public half.',
  'keys.public':
    'The application can sign its authorization requests with a private key (JAR), so that nobody can change them. ' +
    'This server has only the public half.',
  'keys.replace':
    'To replace a key without interruption, add the new one, deploy it, and remove the old one once it is no longer ' +
    'used.',
  'keys.published-at': 'The application publishes its keys at <code>{address}</code>, so replace them there.',
  'keys.none': 'There are no keys.',
  'keys.algorithms': '{first} or {second}',
  'keys.thumbprint': 'Thumbprint <code>{thumbprint}</code>',
  'keys.blast-radius': 'Blast radius of this key',
  'keys.remove': 'Remove…',
  'keys.remove-label': 'Remove the key {key}…',
  'keys.add': 'Add keys',
  'keys.add-help':
    'As a JWK, as a JWK set, or in PEM format. Existing keys are kept. Never paste a private key: this server needs ' +
    'only the public half.',
  'keys.published': 'Published keys',
  'keys.address': 'URL of the JWK set',
  'keys.address-help': 'An https URL (jwks_uri) where the application publishes its public keys as a JWK set.',
  'keys.address-help-leave':
    'An https URL (jwks_uri) where the application publishes its public keys as a JWK set. Leave it empty to ' +
    'register keys here.',
  'keys.address-help-replace':
    'An https URL (jwks_uri) where the application publishes its public keys as a JWK set. It replaces the keys above.',
  'keys.use-address': 'Use this URL',
  'keys.save': 'Save',
  'keys.add-there': 'The application publishes its keys at a URL: add the key there.',
  'keys.added':
    '{count, plural, =0 {The application already has these keys.} one {The key was added.} other {{count, number} ' +
    'keys were added.}}',
  'keys.address-removed': 'The URL of the JWK set was removed.',
  'keys.address-saved': 'The URL of the JWK set was saved.',
  'keys.removed': 'The key was removed.',
  'keys.authentication-changed': 'The authentication settings were changed.',
  'keys.unknown-method': 'Choose only methods that the form offers.',
  'keys.removal': 'Remove a key of {application}?',
  'keys.removal-key': 'The key has the thumbprint {thumbprint}.',
  'keys.removal-named-key': 'The key {name} has the thumbprint {thumbprint}.',
  'keys.removal-text':
    'Once the key is removed, everything signed with it is refused. Do not remove it while any deployment of the ' +
    'application still uses it.',
  'keys.removal-button': 'Remove the key',
  'deletion.title': 'Delete {application}?',
  'deletion.heading': 'Delete <bdi>{application}</bdi>?',
  'deletion.lede':
    'Its client id, its secret and every token issued to it stop working immediately. This cannot be undone. The ' +
    'application’s past actions remain in the audit log.',
  'deletion.users': 'Users',
  'deletion.no-users': 'no users have active authorizations',
  'deletion.user-count':
    '{count, plural, one {<b>{count, number} user</b> has active authorizations} other {<b>{count, number} users</b> ' +
    'have active authorizations}}',
  'deletion.many-users':
    '{count, plural, one {<b>at least {count, number} user</b> has} other {<b>at least {count, number} users</b> ' +
    'have}} active authorizations',
  'deletion.authorizations': 'Authorizations',
  'deletion.no-authorizations': 'no active authorizations',
  'deletion.authorization-count': '{count, number} active, with their refresh tokens',
  'deletion.many-authorizations': 'more than {count, number} active, with their refresh tokens',
  'deletion.all-tokens': 'all active access tokens',
  'deletion.token-count':
    '{count, plural, =0 {no active access tokens} one {up to {count, number} active access token} other {up to ' +
    '{count, number} active access tokens}}',
  'deletion.type-name': 'Type {application} to confirm',
  'deletion.type-name-error': 'Type {application} to confirm.',
  'deletion.button': 'Delete application',
  'deletion.keep': 'Keep it',
  'deletion.done': '{application} and all of its tokens were deleted.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'keys.title': 'Öffentliche Schlüssel und Authentifizierung von {application}',
  'keys.title-heading': 'Öffentliche Schlüssel und Authentifizierung von <bdi>{application}</bdi>',
  'keys.confidential':
    'Die Anwendung kann mit einem privaten Schlüssel nachweisen, wer sie ist (<code>private_key_jwt</code>) oder ' +
    'dass eine Anfrage von ihr stammt. Dieser Server kennt nur die öffentliche Hälfte.',
  'keys.public':
    'Die Anwendung kann ihre Autorisierungsanfragen mit einem privaten Schlüssel signieren (JAR), sodass niemand sie ' +
    'ändern kann. Dieser Server kennt nur die öffentliche Hälfte.',
  'keys.replace':
    'Um einen Schlüssel ohne Unterbrechung zu ersetzen, fügen Sie den neuen hinzu, setzen Sie ihn ein, und entfernen ' +
    'Sie den alten, sobald er nicht mehr verwendet wird.',
  'keys.published-at':
    'Die Anwendung veröffentlicht ihre Schlüssel unter <code>{address}</code>. Ersetzen Sie sie deshalb dort.',
  'keys.none': 'Es gibt keine Schlüssel.',
  'keys.algorithms': '{first} oder {second}',
  'keys.thumbprint': 'Fingerabdruck <code>{thumbprint}</code>',
  'keys.blast-radius': 'Reichweite eines Lecks dieses Schlüssels',
  'keys.remove': 'Entfernen …',
  'keys.remove-label': 'Den Schlüssel „{key}“ entfernen …',
  'keys.add': 'Schlüssel hinzufügen',
  'keys.add-help':
    'Als JWK, als JWK-Set oder im PEM-Format. Die vorhandenen Schlüssel bleiben. Fügen Sie nie einen privaten ' +
    'Schlüssel ein: Dieser Server braucht nur die öffentliche Hälfte.',
  'keys.published': 'Veröffentlichte Schlüssel',
  'keys.address': 'Adresse des JWK-Sets',
  'keys.address-help':
    'Eine https-Adresse (jwks_uri), unter der die Anwendung ihre öffentlichen Schlüssel als JWK-Set veröffentlicht.',
  'keys.address-help-leave':
    'Eine https-Adresse (jwks_uri), unter der die Anwendung ihre öffentlichen Schlüssel als JWK-Set veröffentlicht. ' +
    'Lassen Sie das Feld leer, um Schlüssel hier zu registrieren.',
  'keys.address-help-replace':
    'Eine https-Adresse (jwks_uri), unter der die Anwendung ihre öffentlichen Schlüssel als JWK-Set veröffentlicht. ' +
    'Sie ersetzt die Schlüssel oben.',
  'keys.use-address': 'Diese Adresse verwenden',
  'keys.save': 'Speichern',
  'keys.add-there':
    'Die Anwendung veröffentlicht ihre Schlüssel unter einer Adresse: Fügen Sie den Schlüssel dort hinzu.',
  'keys.added':
    '{count, plural, =0 {Die Anwendung hat diese Schlüssel schon.} one {Der Schlüssel wurde hinzugefügt.} other ' +
    '{{count, number} Schlüssel wurden hinzugefügt.}}',
  'keys.address-removed': 'Die Adresse des JWK-Sets wurde entfernt.',
  'keys.address-saved': 'Die Adresse des JWK-Sets wurde gespeichert.',
  'keys.removed': 'Der Schlüssel wurde entfernt.',
  'keys.authentication-changed': 'Die Einstellungen der Authentifizierung wurden geändert.',
  'keys.unknown-method': 'Wählen Sie nur Verfahren, die das Formular anbietet.',
  'keys.removal': 'Einen Schlüssel von {application} entfernen?',
  'keys.removal-key': 'Der Schlüssel hat den Fingerabdruck {thumbprint}.',
  'keys.removal-named-key': 'Der Schlüssel „{name}“ hat den Fingerabdruck {thumbprint}.',
  'keys.removal-text':
    'Sobald der Schlüssel entfernt ist, wird alles damit Signierte abgelehnt. Entfernen Sie ihn erst, wenn keine ' +
    'Installation der Anwendung ihn mehr verwendet.',
  'keys.removal-button': 'Schlüssel entfernen',
  'deletion.title': '{application} löschen?',
  'deletion.heading': '<bdi>{application}</bdi> löschen?',
  'deletion.lede':
    'Ihre Client-ID, ihr Client-Secret und alle ihre Token werden sofort ungültig. Das lässt sich nicht rückgängig ' +
    'machen. Im Protokoll bleibt stehen, was die Anwendung getan hat.',
  'deletion.users': 'Benutzer',
  'deletion.no-users': 'zurzeit gewährt ihr kein Benutzer Zugriff',
  'deletion.user-count':
    '{count, plural, one {<b>{count, number} Benutzer</b> gewährt ihr zurzeit Zugriff} other {<b>{count, number} ' +
    'Benutzer</b> gewähren ihr zurzeit Zugriff}}',
  'deletion.many-users': '<b>mindestens {count, number} Benutzer</b> gewähren ihr zurzeit Zugriff',
  'deletion.authorizations': 'Zustimmungen',
  'deletion.no-authorizations': 'keine gültigen Zustimmungen',
  'deletion.authorization-count': '{count, number} gültige, mit ihren Refresh-Token',
  'deletion.many-authorizations': 'mehr als {count, number} gültige, mit ihren Refresh-Token',
  'deletion.all-tokens': 'alle gültigen Zugriffstoken',
  'deletion.token-count':
    '{count, plural, =0 {keine gültigen Zugriffstoken} one {bis zu {count, number} gültiges Zugriffstoken} other ' +
    '{bis zu {count, number} gültige Zugriffstoken}}',
  'deletion.type-name': 'Zur Bestätigung eingeben: {application}',
  'deletion.type-name-error': 'Zur Bestätigung eingeben: {application}',
  'deletion.button': 'Anwendung löschen',
  'deletion.keep': 'Behalten',
  'deletion.done': '{application} und alle zugehörigen Token wurden gelöscht.',
};

/** Messages on the pages for managing an application’s public keys and for deleting the application. */
export const applicationKeys = { en, de };
