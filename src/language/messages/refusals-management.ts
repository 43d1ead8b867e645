const en = {
  'refusal.grant-management-not-allowed.rule':
    'Only confidential clients that may use a grant management scope can manage grants.',
  'refusal.grant-management-not-allowed.expected':
    'a confidential client that may use the grant_management_query or grant_management_revoke scope',
  'refusal.grant-management-not-allowed.seen': 'a public client',
  'refusal.grant-management-not-allowed.seen-2': 'neither scope',
  'refusal.grant-management-not-allowed.advice':
    'Ask an administrator or the operator to allow such a scope: grantlog client update ID --allow-scope ' +
    'grant_management_query.',
  'refusal.grant-management-not-allowed.advice-2':
    'Register a confidential client, and ask an administrator or the operator to allow it such a scope.',
  'refusal.grant-management-for-device.rule':
    'Managed grants can be created and updated only through the authorization endpoint.',
  'refusal.grant-management-for-device.expected':
    'a device authorization request without grant_management_action and grant_id',
  'refusal.grant-management-for-device.seen': 'a request with at least one of them',
  'refusal.grant-management-for-device.advice': 'Leave them out, or send the user to the authorization endpoint.',
  'refusal.grant-id-misplaced.rule': 'grant_id identifies the grant to replace or merge.',
  'refusal.grant-id-misplaced.expected': 'grant_id with grant_management_action=replace or merge, or neither',
  'refusal.grant-id-misplaced.seen': 'grant_id with {beside}',
  'refusal.grant-id-misplaced.advice': 'Leave out grant_id for a new grant. To update one, send replace or merge.',
  'refusal.grant-id-unknown.rule':
    'A client can update a grant only if the grant is its own and has not ended, and only with the user who gave it.',
  'refusal.grant-id-unknown.expected':
    'the grant_id from a token response to this client, for the user who is logged in',
  'refusal.grant-id-unknown.advice': 'If the grant has ended, start a new one with grant_management_action=create.',
  'refusal.merge-of-all-resources.rule':
    'Merging adds scopes and resource servers. A scope for some resource servers must not become a scope for all.',
  'refusal.merge-of-all-resources.expected':
    'resource in the request if, and only if, the grant is restricted to resource servers',
  'refusal.merge-of-all-resources.seen': 'a request with resource, and a grant for all resource servers',
  'refusal.merge-of-all-resources.seen-2': 'a request without resource, and a grant for some resource servers',
  'refusal.merge-of-all-resources.advice': 'Leave out resource, or use replace.',
  'refusal.merge-of-all-resources.advice-2': 'Send resource, or use replace.',
  'refusal.merge-too-large.rule':
    'The authorization details of a merged grant must not exceed the limits for a single request.',
  'refusal.merge-too-large.seen': 'more than that in the grant and the request together',
  'refusal.merge-too-large.advice': 'Send replace with the details that are still needed, or create another grant.',
  'refusal.updated-grant-ended.rule':
    'The code for an update can be redeemed only while the grant to be updated is the current one.',
  'refusal.updated-grant-ended.expected': 'a grant that has not ended, and that no other update has replaced',
  'refusal.updated-grant-ended.seen': 'one that was revoked, or replaced by another update, after the user consented',
  'refusal.updated-grant-ended.advice':
    'Send the user to authorize again: with replace or merge if the grant still exists, otherwise with create.',
  'refusal.management.unknown-seen.malformed': 'a value that is not a grant id from this server',
  'refusal.management.unknown-seen.not-current': 'an id under which this client has no grant, or no longer has one',
  'refusal.management.unknown-seen.another-user': 'the grant of a user other than the one who is logged in',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.grant-management-not-allowed.rule':
    'Nur vertrauliche Clients, die einen Scope für die Verwaltung von Grants verwenden dürfen, können Grants ' +
    'verwalten.',
  'refusal.grant-management-not-allowed.expected':
    'ein vertraulicher Client, der den Scope grant_management_query oder grant_management_revoke verwenden darf',
  'refusal.grant-management-not-allowed.seen': 'ein öffentlicher Client',
  'refusal.grant-management-not-allowed.seen-2': 'keiner der beiden Scopes',
  'refusal.grant-management-not-allowed.advice':
    'Bitten Sie einen Administrator oder den Betreiber, einen solchen Scope zu erlauben: grantlog client update ID ' +
    '--allow-scope grant_management_query.',
  'refusal.grant-management-not-allowed.advice-2':
    'Registrieren Sie einen vertraulichen Client, und bitten Sie einen Administrator oder den Betreiber, ihm einen ' +
    'solchen Scope zu erlauben.',
  'refusal.grant-management-for-device.rule':
    'Verwaltete Grants lassen sich nur über den Autorisierungsendpunkt erzeugen und ändern.',
  'refusal.grant-management-for-device.expected':
    'eine Anfrage der Geräteautorisierung ohne grant_management_action und grant_id',
  'refusal.grant-management-for-device.seen': 'eine Anfrage mit mindestens einem der beiden',
  'refusal.grant-management-for-device.advice':
    'Lassen Sie beide weg, oder senden Sie den Benutzer zum Autorisierungsendpunkt.',
  'refusal.grant-id-misplaced.rule': 'grant_id nennt den Grant, der ersetzt oder ergänzt wird.',
  'refusal.grant-id-misplaced.expected':
    'grant_id mit grant_management_action=replace oder merge, oder keines von beiden',
  'refusal.grant-id-misplaced.seen': 'grant_id {beside, select, create {mit create} other {ohne Aktion}}',
  'refusal.grant-id-misplaced.advice':
    'Lassen Sie grant_id für einen neuen Grant weg. Um einen zu ändern, senden Sie replace oder merge.',
  'refusal.grant-id-unknown.rule':
    'Ein Client ändert nur eigene Grants, solange sie nicht beendet sind, und nur mit dem Benutzer, der sie ' +
    'zugelassen hat.',
  'refusal.grant-id-unknown.expected':
    'die grant_id einer Token-Antwort an diesen Client, für den angemeldeten Benutzer',
  'refusal.grant-id-unknown.advice':
    'Ist der Grant beendet, beginnen Sie einen neuen mit grant_management_action=create.',
  'refusal.merge-of-all-resources.rule':
    'merge fügt Scopes und Ressourcenserver hinzu. Ein Scope für einige Ressourcenserver darf nicht zu einem für ' +
    'alle werden.',
  'refusal.merge-of-all-resources.expected':
    'resource in der Anfrage genau dann, wenn der Grant auf Ressourcenserver eingeschränkt ist',
  'refusal.merge-of-all-resources.seen': 'eine Anfrage mit resource, und ein Grant für alle Ressourcenserver',
  'refusal.merge-of-all-resources.seen-2': 'eine Anfrage ohne resource, und ein Grant für einige Ressourcenserver',
  'refusal.merge-of-all-resources.advice': 'Lassen Sie resource weg, oder verwenden Sie replace.',
  'refusal.merge-of-all-resources.advice-2': 'Senden Sie resource, oder verwenden Sie replace.',
  'refusal.merge-too-large.rule':
    'Die Autorisierungsdetails eines ergänzten Grants dürfen die Grenzen für eine einzelne Anfrage nicht ' +
    'überschreiten.',
  'refusal.merge-too-large.seen': 'mehr als das im Grant und in der Anfrage zusammen',
  'refusal.merge-too-large.advice':
    'Senden Sie replace mit den Details, die noch gebraucht werden, oder erzeugen Sie einen weiteren Grant.',
  'refusal.updated-grant-ended.rule':
    'Der Code einer Änderung lässt sich nur einlösen, solange der zu ändernde Grant der aktuelle ist.',
  'refusal.updated-grant-ended.expected': 'ein Grant, der nicht beendet ist und den keine andere Änderung ersetzt hat',
  'refusal.updated-grant-ended.seen':
    'einer, der nach der Zustimmung des Benutzers widerrufen oder durch eine andere Änderung ersetzt wurde',
  'refusal.updated-grant-ended.advice':
    'Lassen Sie den Benutzer noch einmal zustimmen: mit replace oder merge, wenn der Grant noch besteht, sonst mit ' +
    'create.',
  'refusal.management.unknown-seen.malformed': 'ein Wert, der keine Grant-ID dieses Servers ist',
  'refusal.management.unknown-seen.not-current': 'eine ID, unter der dieser Client keinen Grant hat, oder keinen mehr',
  'refusal.management.unknown-seen.another-user': 'der Grant eines anderen Benutzers als des angemeldeten',
};

/** Explanations of refusals: grant management. */
export const refusalManagement = { en, de };
