const en = {
  'account-nav.label': 'Account',
  'account-nav.overview': 'Account',
  'account-nav.profile': 'Profile',
  'account-nav.passkeys': 'Passkeys',
  'account-nav.sessions': 'Sessions',
  'account-nav.activity': 'Activity',
  'agents.title': 'Connected agents',
  'own-account.lede': 'You are <bdi>{username}</bdi>. Your user name cannot be changed.',
  'own-account.name-and-email': 'Name and e-mail',
  'own-account.first-name': 'First name',
  'own-account.last-name': 'Last name',
  'own-account.email-verified': 'Verified. You can log in with it.',
  'own-account.email-unverified': 'Not verified yet.',
  'own-account.current-password': 'Current password',
  'own-account.current-password-help': 'Needed only to change your e-mail address.',
  'own-account.save': 'Save',
  'own-account.saved': 'Your name and e-mail address were saved.',
  'own-account.saved-and-sent': 'Saved. We sent a link to {email}. Open it within a day to verify the address.',
  'own-account.link-sent': 'We sent a link to {email}. Open it within a day to verify the address.',
  'own-account.link-not-sent': 'We could not send a link now. Please try again in an hour.',
  'own-account.verify':
    'Your e-mail address is not verified. Once it is verified, you can log in with it, and use it to get a new ' +
    'password if you forget yours.',
  'own-account.send-link': 'Send a link to verify it',
  'own-account.ask-to-verify':
    'Once your address is verified, you can log in with it. This server does not send verification e-mails, so ask ' +
    'an administrator to mark the address as verified on the page of your account.',
  'own-account.verify-yourself':
    'Once your address is verified, you can log in with it. This server does not send verification e-mails. As an ' +
    'administrator, you can mark the address as verified on <a>the page of your account</a>.',
  'own-account.security': 'Login and security',
  'own-account.password-help': 'Changing your password logs you out everywhere else.',
  'own-account.change-password': 'Change<hidden> your password</hidden>',
  'own-account.passkeys-help': 'Log in with your fingerprint, your face or your device’s PIN.',
  'own-account.add-passkey': 'Add<hidden> a passkey</hidden>',
  'own-account.all-passkeys': 'All {count, number} passkeys',
  'own-account.all-sessions': 'All {count, number} sessions',
  'own-account.groups': 'Your groups',
  'own-account.no-groups': 'You are not in any group.',
  'own-account.groups-help': 'Administrators manage groups. Applications see yours only if you allow it.',
  'own-account.data': 'Your data',
  'own-account.export': 'Export',
  'own-account.export-help': 'Everything we store about you, in one JSON file.',
  'own-account.download': 'Download<hidden> your data</hidden>',
  'own-account.erasure': 'Erasure',
  'own-account.erasure-help': 'Cannot be undone. The next page explains what is deleted and what remains.',
  'own-account.erase': 'Erase…<hidden> your account</hidden>',
  'own-account.cancel': 'Cancel',
  'own-account.your-password': 'Your password',
  'own-account.your-password-help': 'Confirms that it is you, in case you left this browser unlocked.',
  'own-account.wrong-password': 'Wrong password.',
  'own-password.title': 'Change your password',
  'own-password.set-title': 'Set a password',
  'own-password.lede': 'You will be logged out everywhere else. Your passkeys remain.',
  'own-password.change': 'Change password',
  'own-password.set': 'Set password',
  'own-password.changed': 'Your password was changed, and you were logged out everywhere else.',
  'erase.title': 'Erase your account',
  'erase.last-administrator': 'You are the only administrator',
  'erase.last-administrator-help':
    'Nobody else could manage this server. Make another user an administrator first, then come back.',
  'erase.lede': 'This cannot be undone.',
  'erase.deleted':
    'Your names, your e-mail address, your password and your passkeys are permanently deleted (their encryption ' +
    'key is destroyed).',
  'erase.key-note':
    'A copy of {whose, select, yours {your} other {their}} key remains in earlier backups and write-ahead logs of ' +
    'this server’s database, until the operator deletes them. It is encrypted, but the operator could decrypt it.',
  'erase.key-note-days':
    'A copy of {whose, select, yours {your} other {their}} key remains in earlier backups and write-ahead logs of ' +
    'this server’s database, which are deleted after {days, plural, one {one day} other {{days} days}}. It is ' +
    'encrypted, but the operator could decrypt it.',
  'erase.logged-out': 'You are logged out everywhere, and applications lose access to your account.',
  'erase.log': 'The audit log keeps your past actions, but nothing that identifies you.',
  'erase.applications':
    '{count, plural, one {The application you registered keeps working. If you do not want that, <a>delete it</a> ' +
    'first.} other {The {count, number} applications you registered keep working. If you do not want that, <a>delete ' +
    'them</a> first.}}',
  'erase.export': 'You may want to <a>download your data</a> first.',
  'erase.username': 'Your user name',
  'erase.username-help': 'Type {username} to confirm.',
  'erase.button': 'Permanently erase my account',
  'erase.administrator-first': 'Make another user an administrator first.',
  'erase.other-username': 'This does not match your user name.',
  'erase.done': 'Your account was erased.',
  'sessions.title': 'Your sessions',
  'sessions.lede':
    'These browsers are logged in. Log out those you do not recognize or no longer use. If somebody else may know ' +
    'your password, <a>change it</a>.',
  'sessions.list': 'Where you are logged in',
  'sessions.none-here': 'There are no sessions on this page.',
  'sessions.everywhere': 'Log out everywhere',
  'sessions.everywhere-help':
    'This also logs you out here. {access} You can see all access under <a>Authorized applications</a>.',
  'sessions.this-browser': 'This browser',
  'sessions.another-browser': 'Another browser',
  'sessions.last-used': 'Last used <time>{when}</time>',
  'sessions.logged-in': 'Logged in <time>{when}</time>',
  'sessions.logged-in-how': 'Logged in {how} <time>{when}</time>',
  'sessions.authorized': 'You authorized from here:',
  'sessions.authorized-by-user': 'Authorized from here:',
  'sessions.more': 'and {count, number} more',
  'sessions.passed-on': '<bdi>{from}</bdi> passed access on to <bdi>{to}</bdi>',
  'sessions.passed-on-more':
    'Access was passed on {count, plural, one {one more time} other {{count, number} more times}}',
  'sessions.ending': 'Logging out here also ends the access of',
  'sessions.radius': 'What came from this session',
  'sessions.log-out': 'Log out',
  'sessions.log-out-this': 'Log out this browser',
  'sessions.log-out-other': 'Log out another browser',
  'sessions.log-out-named': 'Log out {browser}',
  'sessions.ended': 'The session was ended.',
  'sessions.ended-with':
    '{others, plural, =0 {The session was ended, and with it the access of {application}.} one {The session was ' +
    'ended, and with it the access of {application} and one other application.} other {The session was ended, and ' +
    'with it the access of {application} and {others, number} other applications.}}',
  'browser-name.known': '{browser} on {system}',
  'browser-name.unknown': 'A browser on {system}',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'account-nav.label': 'Konto',
  'account-nav.overview': 'Konto',
  'account-nav.profile': 'Profil',
  'account-nav.passkeys': 'Passkeys',
  'account-nav.sessions': 'Sitzungen',
  'account-nav.activity': 'Aktivität',
  'agents.title': 'Verbundene Agenten',
  'own-account.lede': 'Sie sind <bdi>{username}</bdi>. Ihr Benutzername lässt sich nicht ändern.',
  'own-account.name-and-email': 'Name und E-Mail',
  'own-account.first-name': 'Vorname',
  'own-account.last-name': 'Nachname',
  'own-account.email-verified': 'Bestätigt. Sie können sich damit anmelden.',
  'own-account.email-unverified': 'Noch nicht bestätigt.',
  'own-account.current-password': 'Aktuelles Passwort',
  'own-account.current-password-help': 'Nur für eine neue E-Mail-Adresse nötig.',
  'own-account.save': 'Speichern',
  'own-account.saved': 'Ihr Name und Ihre E-Mail-Adresse wurden gespeichert.',
  'own-account.saved-and-sent':
    'Gespeichert. Wir haben einen Link an {email} gesendet. Öffnen Sie ihn innerhalb eines Tages, um die Adresse zu ' +
    'bestätigen.',
  'own-account.link-sent':
    'Wir haben einen Link an {email} gesendet. Öffnen Sie ihn innerhalb eines Tages, um die Adresse zu bestätigen.',
  'own-account.link-not-sent':
    'Wir konnten gerade keinen Link senden. Bitte versuchen Sie es in einer Stunde noch einmal.',
  'own-account.verify':
    'Ihre E-Mail-Adresse ist nicht bestätigt. Sobald sie bestätigt ist, können Sie sich mit ihr anmelden und über ' +
    'sie ein neues Passwort erhalten, falls Sie Ihres vergessen.',
  'own-account.send-link': 'Link zum Bestätigen senden',
  'own-account.ask-to-verify':
    'Sobald Ihre Adresse bestätigt ist, können Sie sich mit ihr anmelden. Dieser Server versendet keine E-Mails zur ' +
    'Bestätigung. Bitten Sie einen Administrator, die Adresse auf der Seite Ihres Kontos als bestätigt zu ' +
    'kennzeichnen.',
  'own-account.verify-yourself':
    'Sobald Ihre Adresse bestätigt ist, können Sie sich mit ihr anmelden. Dieser Server versendet keine E-Mails zur ' +
    'Bestätigung. Als Administrator können Sie die Adresse auf <a>der Seite Ihres Kontos</a> als bestätigt ' +
    'kennzeichnen.',
  'own-account.security': 'Anmeldung und Sicherheit',
  'own-account.password-help': 'Ein neues Passwort meldet Sie überall sonst ab.',
  'own-account.change-password': '<hidden>Ihr </hidden>Passwort ändern',
  'own-account.passkeys-help': 'Melden Sie sich mit Fingerabdruck, Gesicht oder der PIN Ihres Geräts an.',
  'own-account.add-passkey': '<hidden>Einen </hidden>Passkey hinzufügen',
  'own-account.all-passkeys': 'Alle {count, number} Passkeys',
  'own-account.all-sessions': 'Alle {count, number} Sitzungen',
  'own-account.groups': 'Ihre Gruppen',
  'own-account.no-groups': 'Sie sind in keiner Gruppe.',
  'own-account.groups-help': 'Administratoren verwalten die Gruppen. Anwendungen sehen Ihre nur, wenn Sie es erlauben.',
  'own-account.data': 'Ihre Daten',
  'own-account.export': 'Export',
  'own-account.export-help': 'Alles, was wir über Sie speichern, in einer JSON-Datei.',
  'own-account.download': '<hidden>Ihre </hidden>Daten herunterladen',
  'own-account.erasure': 'Löschung',
  'own-account.erasure-help':
    'Lässt sich nicht rückgängig machen. Die nächste Seite erklärt, was gelöscht wird und was bleibt.',
  'own-account.erase': '<hidden>Ihr </hidden>Konto löschen …',
  'own-account.cancel': 'Abbrechen',
  'own-account.your-password': 'Ihr Passwort',
  'own-account.your-password-help':
    'Bestätigt, dass Sie es sind, falls Sie diesen Browser unbeaufsichtigt gelassen haben.',
  'own-account.wrong-password': 'Falsches Passwort.',
  'own-password.title': 'Ihr Passwort ändern',
  'own-password.set-title': 'Ein Passwort festlegen',
  'own-password.lede': 'Sie werden überall sonst abgemeldet. Ihre Passkeys bleiben.',
  'own-password.change': 'Passwort ändern',
  'own-password.set': 'Passwort festlegen',
  'own-password.changed': 'Ihr Passwort wurde geändert, und Sie wurden überall sonst abgemeldet.',
  'erase.title': 'Ihr Konto löschen',
  'erase.last-administrator': 'Sie sind der einzige Administrator',
  'erase.last-administrator-help':
    'Niemand sonst könnte diesen Server verwalten. Machen Sie zuerst einen anderen Benutzer zum Administrator, und ' +
    'kommen Sie dann zurück.',
  'erase.lede': 'Das lässt sich nicht rückgängig machen.',
  'erase.deleted':
    'Ihre Namen, Ihre E-Mail-Adresse, Ihr Passwort und Ihre Passkeys werden endgültig gelöscht (der Schlüssel, ' +
    'mit dem sie verschlüsselt sind, wird vernichtet).',
  'erase.key-note':
    'Eine Kopie {whose, select, yours {Ihres} other {dieses}} Schlüssels bleibt in früheren Sicherungen und ' +
    'Transaktionsprotokollen der Datenbank dieses Servers, bis der Betreiber sie löscht. Sie ist verschlüsselt, ' +
    'aber der Betreiber könnte sie entschlüsseln.',
  'erase.key-note-days':
    'Eine Kopie {whose, select, yours {Ihres} other {dieses}} Schlüssels bleibt in früheren Sicherungen und ' +
    'Transaktionsprotokollen der Datenbank dieses Servers. Diese werden nach {days, plural, one {einem Tag} other ' +
    '{{days} Tagen}} gelöscht. Die Kopie ist verschlüsselt, aber der Betreiber könnte sie entschlüsseln.',
  'erase.logged-out': 'Sie werden überall abgemeldet, und Anwendungen verlieren den Zugriff auf Ihr Konto.',
  'erase.log': 'Im Protokoll bleiben Ihre früheren Handlungen, aber nichts, woran Sie zu erkennen sind.',
  'erase.applications':
    '{count, plural, one {Die Anwendung, die Sie registriert haben, funktioniert weiter. Wenn Sie das nicht ' +
    'möchten, <a>löschen Sie sie</a> zuerst.} other {Die {count, number} Anwendungen, die Sie registriert haben, ' +
    'funktionieren weiter. Wenn Sie das nicht möchten, <a>löschen Sie sie</a> zuerst.}}',
  'erase.export': 'Vielleicht möchten Sie vorher <a>Ihre Daten herunterladen</a>.',
  'erase.username': 'Ihr Benutzername',
  'erase.username-help': 'Zur Bestätigung eingeben: {username}',
  'erase.button': 'Mein Konto endgültig löschen',
  'erase.administrator-first': 'Machen Sie zuerst einen anderen Benutzer zum Administrator.',
  'erase.other-username': 'Das ist nicht Ihr Benutzername.',
  'erase.done': 'Ihr Konto wurde gelöscht.',
  'sessions.title': 'Ihre Sitzungen',
  'sessions.lede':
    'Diese Browser sind angemeldet. Melden Sie alle ab, die Sie nicht kennen oder nicht mehr verwenden. Wenn jemand ' +
    'anders Ihr Passwort kennen könnte, <a>ändern Sie es</a>.',
  'sessions.list': 'Wo Sie angemeldet sind',
  'sessions.none-here': 'Auf dieser Seite sind keine Sitzungen.',
  'sessions.everywhere': 'Überall abmelden',
  'sessions.everywhere-help':
    'Damit werden Sie auch hier abgemeldet. {access} Alle Zugriffe sehen Sie unter <a>Zugelassene Anwendungen</a>.',
  'sessions.this-browser': 'Dieser Browser',
  'sessions.another-browser': 'Anderer Browser',
  'sessions.last-used': 'Zuletzt verwendet: <time>{when}</time>',
  'sessions.logged-in': 'Angemeldet: <time>{when}</time>',
  'sessions.logged-in-how': 'Angemeldet {how}: <time>{when}</time>',
  'sessions.authorized': 'Von hier aus haben Sie zugelassen:',
  'sessions.authorized-by-user': 'Von hier aus zugelassen:',
  'sessions.more': 'und {count, number} weitere',
  'sessions.passed-on': '<bdi>{from}</bdi> hat Zugriff an <bdi>{to}</bdi> weitergegeben',
  'sessions.passed-on-more': 'Zugriff wurde noch {count, number}-mal weitergegeben',
  'sessions.ending': 'Mit der Abmeldung hier endet auch der Zugriff von',
  'sessions.radius': 'Was aus dieser Sitzung entstanden ist',
  'sessions.log-out': 'Abmelden',
  'sessions.log-out-this': 'Diesen Browser abmelden',
  'sessions.log-out-other': 'Anderen Browser abmelden',
  'sessions.log-out-named': '{browser} abmelden',
  'sessions.ended': 'Die Sitzung wurde beendet.',
  'sessions.ended-with':
    '{others, plural, =0 {Die Sitzung wurde beendet, und damit der Zugriff von {application}.} one {Die Sitzung ' +
    'wurde beendet, und damit der Zugriff von {application} und einer weiteren Anwendung.} other {Die Sitzung wurde ' +
    'beendet, und damit der Zugriff von {application} und {others, number} weiteren Anwendungen.}}',
  'browser-name.known': '{browser} unter {system}',
  'browser-name.unknown': 'Ein Browser unter {system}',
};

/** Messages on the pages for a user’s own account: its sessions, password and erasure. */
export const ownAccount = { en, de };
