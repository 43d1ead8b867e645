const en = {
  'invite.unusable':
    'Passwords are off, and no required provider links this address, so nobody could log in with the invitation. ' +
    'Configure the required provider to link verified addresses.',
  'user-sessions.title': 'Sessions of <bdi>{username}</bdi>',
  'user-sessions.lede': 'The browsers in which this user is logged in. Ending a session does not change the password.',
  'user-sessions.list': 'Sessions',
  'user-sessions.ended': 'One session of {username} was ended.',
  'user-applications.title': 'Applications registered by <bdi>{username}</bdi>',
  'user-authorizations.title': 'Applications authorized by <bdi>{username}</bdi>',
  'user-authorization.title': 'Authorizations for {application} by {username}',
  'user-authorization.heading': 'Authorizations for <bdi>{application}</bdi>',
  'user-authorization.lede':
    '<bdi>{username}</bdi> authorized this application, or logged in to it, {count, plural, one {once} ' +
    'other {{count, number} times}}.',
  'user-authorization.revoke-all': 'Revoke all…',
  'user-groups.title': 'Groups of <bdi>{username}</bdi>',
  'disable-user.title': 'Disable {username}?',
  'disable-user.text':
    'They cannot log in until an administrator enables the account again. Their sessions and the access they gave to ' +
    'applications end immediately and permanently, and their authorization codes and tokens stop working.',
  'disable-user.applications': 'Applications they registered keep working for other users.',
  'disable-user.button': 'Disable the account',
  'disable-user.done': '{username} was disabled.',
  'enable-user.done': '{username} was enabled.',
  'verify-user.taken':
    '{username} has verified this e-mail address. Another user can verify it only by opening a link sent to it.',
  'verify-user.done': 'The e-mail address of {username} is verified.',
  'erase-user.title': 'Erase {username}?',
  'erase-user.text':
    'Their sessions and the access they gave to applications end immediately, and their authorization codes and ' +
    'tokens stop working. Their personal data in the log is permanently deleted (its encryption key is destroyed), ' +
    'and their user name becomes available again.',
  'erase-user.applications': 'Applications that only they own keep working, but only administrators can manage them.',
  'erase-user.final': 'This cannot be undone.',
  'erase-user.button': 'Permanently erase the account',
  'erase-user.done': '{username} was erased.',
  'remove-factors.title': 'Remove the second factors of {username}?',
  'remove-factors.text':
    'Do this for a user who has lost their phone or security key. Their authenticator app, recovery codes and ' +
    'passkeys are removed, and their sessions end. They can log in with their password, and are notified by e-mail.',
  'remove-factors.caution':
    'Make sure that the request really comes from them: anyone who knows their password will be able to log in.',
  'remove-factors.button': 'Remove the second factors',
  'remove-factors.done': 'The second factors of {username} were removed.',
  'logout-user.title': 'Log out {username} everywhere?',
  'logout-user.text': 'Their sessions end immediately in every browser. The password does not change.',
  'logout-user.done': '{username} was logged out everywhere.',
  'confirm.mismatch': 'This does not match the user name.',
  'revoke-access.title': 'Revoke access for {application}?',
  'revoke-access.text': '{application} will lose access to the account of {username}.',
  'revoke-access.tokens':
    'The access and refresh tokens of {count, plural, one {its authorization} other {all {count} ' +
    'authorizations}} stop working immediately. The application can ask for access again.',
  'revoke-access.done': '{application} no longer has access to the account of {username}.',
  'revoke-access.some': 'Only some authorizations were revoked. Still active: {count}. Try again.',
  'revoke-everything.open': 'Revoke all access…',
  'revoke-everything.title': 'Revoke all access that {username} has given?',
  'revoke-everything.text':
    '{count, plural, one {# application} other {# applications}} will lose access to the account of {username}.',
  'revoke-everything.tokens':
    'All access and refresh tokens stop working immediately. Sessions do not end, and applications can ask for ' +
    'access again.',
  'revoke-everything.button': 'Revoke all access',
  'revoke-everything.done': 'All access to the account of {username} was revoked.',
  'revoke-one.title': 'Revoke one authorization for {application}?',
  'revoke-one.button': 'Revoke authorization',
  'revoke-one.text': 'Every access and refresh token of this authorization stops working immediately.',
  'revoke-one.others': 'Other authorizations for {application} are not affected.',
  'revoke-one.done': 'One authorization for {application} was revoked.',
  'groups.create': 'Create a group',
  'groups.lede': 'Applications that users allow to see their groups get the group names in tokens and userinfo.',
  'groups.name-help': 'Applications see the name. It cannot be changed later, but you can give the group a title.',
  'groups.create-button': 'Create the group',
  'groups.created': 'The group {group} was created.',
  'group.add-users': 'Add users',
  'group.change-title': 'Change the title',
  'group.title': 'Title',
  'group.title-of': 'Title of the group {group}',
  'group.title-help': 'Shown to people on these pages. Applications, providers and commands use the name.',
  'group.title-button': 'Save the title',
  'group.title-invalid': 'The title can have at most {limit} characters, and no invisible ones.',
  'group.title-saved': 'The title of the group {group} was saved.',
  'group.remove': 'Remove the group…',
  'group.created': 'Created <time>{when}</time>.',
  'group.add-to': 'Add users to <bdi>{group}</bdi>',
  'group.remove-title': 'Remove the group {group}?',
  'group.remove-button': 'Remove the group',
  'group.removed': 'The group {group} was removed.',
  'group.leaving':
    '{count, plural, =0 {It has no members.} one {Its only member will be removed from it. The account is kept.} ' +
    'other {Its {count, number} members will be removed from it. Their accounts are kept.}}',
  'group.tokens':
    'New tokens, userinfo and introspection will no longer include the group. JWTs that have already been issued ' +
    'include it until they expire.',
  'group.final': 'This cannot be undone. A new group with the same name starts without members.',
  'group.add-chosen': 'Add the selected users',
  'group.back': 'Back to the group',
  'group.none-chosen': 'Nothing was changed: select at least one user.',
  'group.all-added': '{added, number} users were added to the group {group}.',
  'group.some-added':
    '{added, plural, =0 {No user was} one {1 user was} other {{added, number} users were}} added to the group ' +
    '{group}. Not added: {users}. Either their accounts have been erased, or the names of all their groups would ' +
    'exceed 4,096 bytes in total. This limit exists because tokens contain the names.',
  'group.added': '{username} was added to the group {group}.',
  'group.left': '{username} is no longer in the group {group}.',
  'group.user-unknown': 'Nothing was changed: the account has been erased.',
  'group.too-many':
    'Nothing was changed: the names of all of a user’s groups can be at most 4,096 bytes long in total, because ' +
    'tokens contain them.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'invite.unusable':
    'Passwörter sind ausgeschaltet, und kein vorgeschriebener Anbieter verknüpft diese Adresse. Niemand könnte sich ' +
    'nach der Einladung anmelden. Stellen Sie den Anbieter so ein, dass er bestätigte Adressen verknüpft.',
  'user-sessions.title': 'Sitzungen von <bdi>{username}</bdi>',
  'user-sessions.lede':
    'Die Browser, in denen dieser Benutzer angemeldet ist. Das Beenden einer Sitzung ändert das Passwort nicht.',
  'user-sessions.list': 'Sitzungen',
  'user-sessions.ended': 'Eine Sitzung von {username} wurde beendet.',
  'user-applications.title': 'Anwendungen, die <bdi>{username}</bdi> registriert hat',
  'user-authorizations.title': 'Anwendungen, die <bdi>{username}</bdi> zugelassen hat',
  'user-authorization.title': 'Zustimmungen von {username} für {application}',
  'user-authorization.heading': 'Zustimmungen für <bdi>{application}</bdi>',
  'user-authorization.lede':
    '<bdi>{username}</bdi> hat diese Anwendung {count, plural, one {einmal} other {{count, number}-mal}} ' +
    'zugelassen oder sich bei ihr angemeldet.',
  'user-authorization.revoke-all': 'Alle widerrufen …',
  'user-groups.title': 'Gruppen von <bdi>{username}</bdi>',
  'disable-user.title': '{username} sperren?',
  'disable-user.text':
    'Der Benutzer kann sich nicht mehr anmelden, bis ein Administrator das Konto entsperrt. Sitzungen, ' +
    'Autorisierungscodes und Token enden sofort und endgültig, ebenso der Zugriff der zugelassenen Anwendungen.',
  'disable-user.applications': 'Von diesem Benutzer registrierte Anwendungen funktionieren für andere Benutzer weiter.',
  'disable-user.button': 'Konto sperren',
  'disable-user.done': '{username} wurde gesperrt.',
  'enable-user.done': '{username} wurde entsperrt.',
  'verify-user.taken':
    '{username} hat diese E-Mail-Adresse bestätigt. Ein anderer Benutzer kann sie nur bestätigen, indem er ' +
    'einen Link öffnet, der an sie gesendet wird.',
  'verify-user.done': 'Die E-Mail-Adresse von {username} ist bestätigt.',
  'erase-user.title': '{username} löschen?',
  'erase-user.text':
    'Sitzungen, Autorisierungscodes und Token enden sofort, ebenso der Zugriff der zugelassenen Anwendungen. Die ' +
    'persönlichen Daten im Protokoll werden endgültig gelöscht (ihr Schlüssel wird vernichtet), und der Benutzername ' +
    'wird wieder frei.',
  'erase-user.applications':
    'Anwendungen ohne weitere Besitzer funktionieren weiter und werden nur noch von Administratoren verwaltet.',
  'erase-user.final': 'Das lässt sich nicht rückgängig machen.',
  'erase-user.button': 'Konto endgültig löschen',
  'erase-user.done': '{username} wurde gelöscht.',
  'remove-factors.title': 'Die zweiten Faktoren von {username} entfernen?',
  'remove-factors.text':
    'Tun Sie das für Benutzer, die ihr Telefon oder ihren Sicherheitsschlüssel verloren haben. ' +
    'Authentifizierungs-App, Wiederherstellungscodes und Passkeys werden entfernt, und die Sitzungen enden. Der ' +
    'Benutzer meldet sich mit dem Passwort an und wird per E-Mail benachrichtigt.',
  'remove-factors.caution':
    'Vergewissern Sie sich, dass die Bitte wirklich vom Benutzer kommt: Wer das Passwort kennt, kann sich dann ' +
    'anmelden.',
  'remove-factors.button': 'Zweite Faktoren entfernen',
  'remove-factors.done': 'Die zweiten Faktoren von {username} wurden entfernt.',
  'logout-user.title': '{username} überall abmelden?',
  'logout-user.text': 'Die Sitzungen enden sofort in jedem Browser. Das Passwort ändert sich nicht.',
  'logout-user.done': '{username} wurde überall abgemeldet.',
  'confirm.mismatch': 'Das ist nicht der Benutzername.',
  'revoke-access.title': 'Den Zugriff von {application} widerrufen?',
  'revoke-access.text': '{application} verliert den Zugriff auf das Konto von {username}.',
  'revoke-access.tokens':
    'Die Zugriffs- und Refresh-Token {count, plural, one {dieser Zustimmung} other {aller {count} Zustimmungen}} ' +
    'gelten sofort nicht mehr. Die Anwendung kann erneut um Zustimmung bitten.',
  'revoke-access.done': '{application} hat keinen Zugriff mehr auf das Konto von {username}.',
  'revoke-access.some':
    'Nur ein Teil der Zustimmungen wurde widerrufen. Noch gültig: {count}. Versuchen Sie es noch einmal.',
  'revoke-everything.open': 'Alle Zugriffe widerrufen …',
  'revoke-everything.title': 'Alle Zugriffe widerrufen, die {username} zugelassen hat?',
  'revoke-everything.text':
    '{count, plural, one {# Anwendung verliert} other {# Anwendungen verlieren}} den Zugriff auf das Konto von ' +
    '{username}.',
  'revoke-everything.tokens':
    'Alle Zugriffs- und Refresh-Token gelten sofort nicht mehr. Sitzungen enden nicht, und Anwendungen können erneut ' +
    'um Zustimmung bitten.',
  'revoke-everything.button': 'Alle Zugriffe widerrufen',
  'revoke-everything.done': 'Keine Anwendung hat mehr Zugriff auf das Konto von {username}.',
  'revoke-one.title': 'Eine Zustimmung für {application} widerrufen?',
  'revoke-one.button': 'Zustimmung widerrufen',
  'revoke-one.text': 'Alle Zugriffs- und Refresh-Token dieser Zustimmung gelten sofort nicht mehr.',
  'revoke-one.others': 'Andere Zustimmungen für {application} sind nicht betroffen.',
  'revoke-one.done': 'Eine Zustimmung für {application} wurde widerrufen.',
  'groups.create': 'Gruppe anlegen',
  'groups.lede':
    'Anwendungen, denen Benutzer erlauben, ihre Gruppen zu sehen, erhalten die Gruppennamen in Token und in Userinfo.',
  'groups.name-help':
    'Anwendungen sehen ihn. Er lässt sich später nicht ändern, aber Sie können der Gruppe einen Titel geben.',
  'groups.create-button': 'Gruppe anlegen',
  'groups.created': 'Die Gruppe „{group}“ wurde angelegt.',
  'group.add-users': 'Benutzer hinzufügen',
  'group.change-title': 'Titel ändern',
  'group.title': 'Titel',
  'group.title-of': 'Titel der Gruppe „{group}“',
  'group.title-help': 'Ein Text für Menschen auf diesen Seiten. Anwendungen, Anbieter und Befehle verwenden den Namen.',
  'group.title-button': 'Titel speichern',
  'group.title-invalid': 'Der Titel darf höchstens {limit} Zeichen haben, und keine unsichtbaren.',
  'group.title-saved': 'Der Titel der Gruppe „{group}“ wurde gespeichert.',
  'group.remove': 'Gruppe entfernen …',
  'group.created': 'Angelegt <time>{when}</time>.',
  'group.add-to': 'Benutzer zu <bdi>{group}</bdi> hinzufügen',
  'group.remove-title': 'Die Gruppe „{group}“ entfernen?',
  'group.remove-button': 'Gruppe entfernen',
  'group.removed': 'Die Gruppe „{group}“ wurde entfernt.',
  'group.leaving':
    '{count, plural, =0 {Sie hat keine Mitglieder.} one {Ihr einziges Mitglied wird aus ihr entfernt. Das Konto ' +
    'bleibt.} other {Ihre {count, number} Mitglieder werden aus ihr entfernt. Die Konten bleiben.}}',
  'group.tokens':
    'Neue Token, Userinfo und Introspection nennen die Gruppe nicht mehr. Ein vorher ausgestelltes JWT nennt ' +
    'sie, bis es abläuft.',
  'group.final':
    'Das lässt sich nicht rückgängig machen. Eine neue Gruppe mit demselben Namen beginnt ohne Mitglieder.',
  'group.add-chosen': 'Ausgewählte Benutzer hinzufügen',
  'group.back': 'Zurück zur Gruppe',
  'group.none-chosen': 'Es wurde nichts geändert: Wählen Sie mindestens einen Benutzer aus.',
  'group.all-added': '{added, number} Benutzer wurden in die Gruppe „{group}“ aufgenommen.',
  'group.some-added':
    '{added, plural, =0 {Kein Benutzer wurde} one {1 Benutzer wurde} other {{added, number} Benutzer wurden}} zur ' +
    'Gruppe „{group}“ hinzugefügt. Nicht hinzugefügt: {users}. Die Konten wurden gelöscht, oder die Namen aller ' +
    'Gruppen dieser Benutzer wären zusammen länger als 4.096 Byte. Diese Grenze gilt, weil Token sie enthalten.',
  'group.added': '{username} ist jetzt in der Gruppe „{group}“.',
  'group.left': '{username} ist nicht mehr in der Gruppe „{group}“.',
  'group.user-unknown': 'Es wurde nichts geändert: Das Konto wurde inzwischen gelöscht.',
  'group.too-many':
    'Es wurde nichts geändert: Die Namen aller Gruppen eines Benutzers dürfen zusammen höchstens 4.096 Byte lang ' +
    'sein, weil Token sie enthalten.',
};

/** Messages about actions on users, their access, and groups. */
export const adminUserAccess = { en, de };
