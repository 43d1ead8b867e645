const en = {
  'refusal.grant-management-not-allowed.rule':
    'Only confidential clients that are allowed a scope for it can manage grants.',
  'refusal.grant-management-not-allowed.expected':
    'a confidential client with the grant_management_query or grant_management_revoke scope',
  'refusal.grant-management-not-allowed.seen': 'a public client',
  'refusal.grant-management-not-allowed.seen-2': 'neither scope',
  'refusal.grant-management-not-allowed.advice':
    'Ask an administrator, or the operator: grantlog client update ID --allow-scope grant_management_query.',
  'refusal.grant-management-for-device.rule': 'Grants are managed by applications that receive authorization codes.',
  'refusal.grant-management-for-device.expected':
    'a device authorization request without grant_management_action and grant_id',
  'refusal.grant-management-for-device.seen': 'one of the two',
  'refusal.grant-management-for-device.advice': 'Leave them out, or send the user to the authorization endpoint.',
  'refusal.grant-id-misplaced.rule': 'grant_id identifies the grant to replace or merge.',
  'refusal.grant-id-misplaced.expected': 'grant_id with grant_management_action=replace or merge, or neither',
  'refusal.grant-id-misplaced.seen': 'grant_id with {beside}',
  'refusal.grant-id-misplaced.advice': 'Leave out grant_id for a new grant. To update one, send replace or merge.',
  'refusal.grant-id-unknown.rule':
    'A client can update only its own grants, as long as they have not ended, and only with the user who gave them.',
  'refusal.grant-id-unknown.expected': 'the grant_id of a token response to this client, for the user who is logged in',
  'refusal.grant-id-unknown.advice': 'If the grant has ended, start a new one with grant_management_action=create.',
  'refusal.merge-of-all-resources.rule':
    'Merging adds scopes and resource servers. A scope for some of them must not become one for all.',
  'refusal.merge-of-all-resources.expected':
    'resource in the request if, and only if, the grant is restricted to resource servers',
  'refusal.merge-of-all-resources.seen': 'resource, and a grant for all',
  'refusal.merge-of-all-resources.seen-2': 'no resource, and a grant for some',
  'refusal.merge-of-all-resources.advice': 'Leave out resource, or send replace.',
  'refusal.merge-of-all-resources.advice-2': 'Send resource, or use replace.',
  'refusal.merge-too-large.rule': 'A merged grant has no more authorization details than one request can have.',
  'refusal.merge-too-large.seen': 'more, in the grant and the request together',
  'refusal.merge-too-large.advice': 'Send replace with the details that are still needed, or create another grant.',
  'refusal.updated-grant-ended.rule':
    'The code of an update can be redeemed only while the grant to update is the current one.',
  'refusal.updated-grant-ended.expected': 'a grant that has not ended, and that no other update has replaced',
  'refusal.updated-grant-ended.seen': 'one that was revoked, or replaced by another update, after the user consented',
  'refusal.updated-grant-ended.advice':
    'Send the user to authorize again: with replace or merge if the grant still exists, otherwise with create.',
  'refusal.management.unknown-seen.malformed': 'something that is not a grant id of this server',
  'refusal.management.unknown-seen.not-current': 'an id under which this client has no grant, or no longer has one',
  'refusal.management.unknown-seen.another-user': 'the grant of a user other than the one who is logged in',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.grant-management-not-allowed.rule':
    'Nur vertrauliche Clients, denen ein Scope dafür erlaubt ist, können Grants verwalten.',
  'refusal.grant-management-not-allowed.expected':
    'ein vertraulicher Client mit dem Scope grant_management_query oder grant_management_revoke',
  'refusal.grant-management-not-allowed.seen': 'ein öffentlicher Client',
  'refusal.grant-management-not-allowed.seen-2': 'keiner der beiden Scopes',
  'refusal.grant-management-not-allowed.advice':
    'Bitten Sie einen Administrator oder den Betreiber: grantlog client update ID --allow-scope ' +
    'grant_management_query.',
  'refusal.grant-management-for-device.rule':
    'Grants werden von Anwendungen verwaltet, die Autorisierungscodes erhalten.',
  'refusal.grant-management-for-device.expected':
    'eine Anfrage der Geräteautorisierung ohne grant_management_action und grant_id',
  'refusal.grant-management-for-device.seen': 'eines der beiden',
  'refusal.grant-management-for-device.advice':
    'Lassen Sie beide weg, oder senden Sie den Benutzer zum Autorisierungsendpunkt.',
  'refusal.grant-id-misplaced.rule': 'grant_id nennt den Grant, der ersetzt oder ergänzt wird.',
  'refusal.grant-id-misplaced.expected':
    'grant_id mit grant_management_action=replace oder merge, oder keines von beiden',
  'refusal.grant-id-misplaced.seen': 'grant_id mit {beside}',
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
    'merge fügt Scopes und Ressourcenserver hinzu. Ein Scope für einige davon darf nicht einer für alle werden.',
  'refusal.merge-of-all-resources.expected':
    'resource in der Anfrage genau dann, wenn der Grant auf Ressourcenserver eingeschränkt ist',
  'refusal.merge-of-all-resources.seen': 'resource, und ein Grant für alle',
  'refusal.merge-of-all-resources.seen-2': 'keine resource, und ein Grant für einige',
  'refusal.merge-of-all-resources.advice': 'Lassen Sie resource weg, oder senden Sie replace.',
  'refusal.merge-of-all-resources.advice-2': 'Senden Sie resource, oder verwenden Sie replace.',
  'refusal.merge-too-large.rule':
    'Ein ergänzter Grant hat nicht mehr Autorisierungsdetails, als eine Anfrage haben kann.',
  'refusal.merge-too-large.seen': 'mehr, im Grant und in der Anfrage zusammen',
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
  'refusal.management.unknown-seen.malformed': 'etwas, das keine Grant-ID dieses Servers ist',
  'refusal.management.unknown-seen.not-current': 'eine ID, unter der dieser Client keinen Grant hat, oder keinen mehr',
  'refusal.management.unknown-seen.another-user': 'der Grant eines anderen Benutzers als des angemeldeten',
};

/** Explanations of refusals: grant management. */
export const refusalManagement = { en, de };
