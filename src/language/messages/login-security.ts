const en = {
  'two-step.title': 'Two-step login',
  'two-step.on': 'On',
  'two-step.off': 'Off',
  'two-step.lede':
    'After entering your password, you confirm each login with your phone or a passkey. Your password alone is then ' +
    'no longer enough to log in.',
  'two-step.lede-required':
    'After entering your password, you confirm each login with your phone or a passkey. Your password alone is then ' +
    'no longer enough to log in. This server requires two-step login.',
  'two-step.summary': 'Confirm each login with your phone or a passkey.',
  'two-step.summary-required': 'Confirm each login with your phone or a passkey. This server requires two-step login.',
  'two-step.app-added': 'Authenticator app, added <time>{when}</time>.',
  'two-step.app-used': 'Authenticator app, added <added>{since}</added>, last used <used>{when}</used>.',
  'two-step.passkeys-work': 'Passkeys work as the second step.',
  'two-step.passkeys-work-too': 'Passkeys work as the second step, too.',
  'two-step.no-codes': 'No recovery codes.',
  'two-step.codes-left': '{left, number} of {all, number} recovery codes left.',
  'two-step.generate-soon': 'Generate new recovery codes, so that you can log in if you lose your device.',
  'two-step.manage': 'Manage<hidden> two-step login</hidden>',
  'two-step.set-up': 'Set up<hidden> two-step login</hidden>',
  'two-step.few-codes':
    '{left, plural, =0 {You have no recovery codes left} one {Only {left, number} recovery code left} other {Only ' +
    '{left, number} recovery codes left}}',
  'two-step.few-codes-help': 'Generate new ones, so that you can log in if you lose your device.',
  'two-step.app': 'Authenticator app',
  'two-step.no-app': 'An app on your phone shows a new six-digit code every 30 seconds, even without a connection.',
  'two-step.add-app': 'Add an authenticator app',
  'two-step.added-unused': 'Added <time>{when}</time>, not used since.',
  'two-step.added': 'Added <added>{since}</added>, last used <used>{when}</used>.',
  'two-step.remove': 'Remove…',
  'two-step.passkeys-on':
    '{count, plural, one {You have a passkey.} other {You have {count, number} passkeys.}} After entering your ' +
    'password, you can use a passkey instead of a code. You can also log in with just a passkey.',
  'two-step.passkeys-off':
    '{count, plural, one {You have a passkey.} other {You have {count, number} passkeys.}} You can log in with just ' +
    'a passkey. A passkey can also be the second step after your password.',
  'two-step.require-passkey': 'Require a passkey after my password',
  'two-step.passkeys-possible': 'A passkey on your device or a security key can be the second step, too.',
  'two-step.codes': 'Recovery codes',
  'two-step.have-none': 'You have no recovery codes. They let you log in if you lose your device.',
  'two-step.codes-since': '{left, number} of {all, number} left, generated <time>{when}</time>.',
  'two-step.new-codes': 'Generate new codes…',
  'two-step.turn-off': 'Turn off',
  'two-step.turn-off-help':
    'Removes the app and the recovery codes. Your passkeys remain, and you can still log in with them.',
  'two-step.turn-off-button': 'Turn off two-step login…',
  'two-step.app-removed': 'The authenticator app was removed. You can delete the entry in the app.',
  'two-step.turned-off': 'Two-step login is off. Your password alone is enough to log in.',
  'two-step.wrong-code': 'This code is wrong. Enter the six digits that the app shows now.',
  'confirm-two-step.remove-app': 'Remove the authenticator app?',
  'confirm-two-step.remove-app-passkeys':
    'Its codes will no longer work here. Your passkeys remain as the second step.',
  'confirm-two-step.remove-app-required':
    'Its codes will no longer work here. You will set up a new one at your next login.',
  'confirm-two-step.remove-app-off':
    'Its codes will no longer work here, and your password alone will be enough to log in.',
  'confirm-two-step.remove-app-button': 'Remove the app',
  'confirm-two-step.off': 'Turn off two-step login?',
  'confirm-two-step.off-help':
    'The app and the recovery codes are removed. Your password alone is then enough to log in.',
  'confirm-two-step.off-button': 'Turn it off',
  'confirm-two-step.new-codes': 'Generate new recovery codes?',
  'confirm-two-step.new-codes-help': 'You get ten new codes. Your old codes stop working.',
  'confirm-two-step.new-codes-button': 'Generate new codes',
  'confirm-two-step.on': 'Turn on two-step login?',
  'confirm-two-step.on-help':
    'After entering your password, you will use a passkey. You will also get ten recovery codes, in case you lose ' +
    'it. Other browsers that are logged in with only your password will be logged out.',
  'confirm-two-step.on-button': 'Turn it on',
  'add-app.title': 'Add an authenticator app',
  'add-app.lede':
    'You will then log in with your password and a code from the app. Other browsers that are logged in with only ' +
    'your password will be logged out.',
  'add-app.required-title': 'Set up two-step login',
  'add-app.required-lede': 'This server asks for a second step when you log in. It takes a minute to set up.',
  'add-app.qr-code': 'QR code for your authenticator app',
  'add-app.scan': 'Open an authenticator app on your phone, and scan this code.',
  'add-app.enter': 'Enter the six digits that the app shows.',
  'add-app.same-device': 'On this device? <a>Open your app</a>',
  'add-app.cannot-scan': 'Cannot scan it? Type this key',
  'add-app.code': 'Code from the app',
  'add-app.button': 'Turn on two-step login',
  'recovery-codes.title': 'Recovery codes',
  'recovery-codes.yours': 'Your recovery codes',
  'recovery-codes.again': 'Generate new recovery codes',
  'recovery-codes.save': 'Save your recovery codes',
  'recovery-codes.lede':
    'If you lose your phone, you can log in with one of these codes. Each works once. They will not be shown again.',
  'recovery-codes.download': 'Download',
  'recovery-codes.print': 'Print',
  'recovery-codes.saved': 'I have saved my codes',
  'passkeys.title': 'Passkeys',
  'passkeys.yours': 'Your passkeys',
  'passkeys.list': 'Passkeys you can log in with',
  'passkeys.none': 'You have no passkeys yet.',
  'passkeys.none-here': 'There are no passkeys on this page.',
  'passkeys.order': 'Newest first.',
  'passkeys.added-at': 'added <time>{when}</time>',
  'passkeys.remove': 'Remove…',
  'passkeys.remove-named': 'Remove the passkey {name}',
  'passkeys.add': 'Add a passkey',
  'passkeys.not-offered': 'Passkeys need a domain name and HTTPS. This server does not have both yet.',
  'passkeys.lede':
    'Your device creates a key that never leaves the device. To log in, you unlock the key with your fingerprint, ' +
    'face or device PIN.',
  'passkeys.name': 'Passkey name',
  'passkeys.name-help': 'Helps you tell your passkeys apart, for example “Laptop” or “Blue security key”.',
  'passkeys.missing':
    'Passkeys are not available here. You need JavaScript and a recent browser, and you must open this site at ' +
    '<code>{origin}</code>.',
  'passkeys.added': 'Your passkey was added. You can now log in with it.',
  'passkeys.removed':
    'The passkey was removed, and all sessions started with it were ended. You can also delete it from your device.',
  'passkeys.removed-and-logged-out': 'The passkey was removed. You were logged in with it, so please log in again.',
  'passkeys.second-step-first': 'Your account now needs a second step. Reload this page to complete it.',
  'passkeys.log-in-again': 'You logged in too long ago to add a passkey. Open this page again, and log in again.',
  'passkeys.remove-title': 'Remove the passkey {name}?',
  'passkeys.remove-text':
    'You will no longer be able to log in with it, and all sessions that were started with it will end. Your ' +
    'password and your other passkeys are not affected.',
  'passkeys.remove-button': 'Remove the passkey',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'two-step.title': 'Anmeldung in zwei Schritten',
  'two-step.on': 'Eingeschaltet',
  'two-step.off': 'Ausgeschaltet',
  'two-step.lede':
    'Nach dem Passwort bestätigen Sie jede Anmeldung mit Ihrem Telefon oder einem Passkey. Das Passwort allein ' +
    'reicht dann nicht mehr, um sich anzumelden.',
  'two-step.lede-required':
    'Nach dem Passwort bestätigen Sie jede Anmeldung mit Ihrem Telefon oder einem Passkey. Das Passwort allein ' +
    'reicht dann nicht mehr, um sich anzumelden. Dieser Server verlangt die Anmeldung in zwei Schritten.',
  'two-step.summary': 'Bestätigen Sie jede Anmeldung mit Ihrem Telefon oder einem Passkey.',
  'two-step.summary-required':
    'Bestätigen Sie jede Anmeldung mit Ihrem Telefon oder einem Passkey. Dieser Server verlangt die Anmeldung in ' +
    'zwei Schritten.',
  'two-step.app-added': 'Authentifizierungs-App, hinzugefügt <time>{when}</time>.',
  'two-step.app-used':
    'Authentifizierungs-App, hinzugefügt <added>{since}</added>, zuletzt verwendet <used>{when}</used>.',
  'two-step.passkeys-work': 'Passkeys gelten als zweiter Schritt.',
  'two-step.passkeys-work-too': 'Auch Passkeys gelten als zweiter Schritt.',
  'two-step.no-codes': 'Keine Wiederherstellungscodes.',
  'two-step.codes-left': 'Noch {left, number} von {all, number} Wiederherstellungscodes übrig.',
  'two-step.generate-soon':
    'Erzeugen Sie neue Wiederherstellungscodes, damit Sie sich anmelden können, falls Sie Ihr Gerät verlieren.',
  'two-step.manage': 'Verwalten<hidden>: Anmeldung in zwei Schritten</hidden>',
  'two-step.set-up': 'Einrichten<hidden>: Anmeldung in zwei Schritten</hidden>',
  'two-step.few-codes':
    '{left, plural, =0 {Sie haben keine Wiederherstellungscodes mehr} one {Nur noch {left, number} ' +
    'Wiederherstellungscode übrig} other {Nur noch {left, number} Wiederherstellungscodes übrig}}',
  'two-step.few-codes-help': 'Erzeugen Sie neue, damit Sie sich anmelden können, falls Sie Ihr Gerät verlieren.',
  'two-step.app': 'Authentifizierungs-App',
  'two-step.no-app':
    'Eine App auf Ihrem Telefon zeigt alle 30 Sekunden einen neuen Code mit sechs Ziffern, auch offline.',
  'two-step.add-app': 'Authentifizierungs-App hinzufügen',
  'two-step.added-unused': 'Hinzugefügt <time>{when}</time>, seitdem nicht verwendet.',
  'two-step.added': 'Hinzugefügt <added>{since}</added>, zuletzt verwendet <used>{when}</used>.',
  'two-step.remove': 'Entfernen …',
  'two-step.passkeys-on':
    '{count, plural, one {Sie haben einen Passkey.} other {Sie haben {count, number} Passkeys.}} Nach dem Passwort ' +
    'genügt ein Passkey anstelle eines Codes. Auch mit einem Passkey allein können Sie sich anmelden.',
  'two-step.passkeys-off':
    '{count, plural, one {Sie haben einen Passkey.} other {Sie haben {count, number} Passkeys.}} Mit einem Passkey ' +
    'allein können Sie sich anmelden. Er kann auch der zweite Schritt nach dem Passwort sein.',
  'two-step.require-passkey': 'Nach dem Passwort einen Passkey verlangen',
  'two-step.passkeys-possible':
    'Auch ein Passkey auf Ihrem Gerät oder ein Sicherheitsschlüssel kann der zweite Schritt sein.',
  'two-step.codes': 'Wiederherstellungscodes',
  'two-step.have-none': 'Sie haben keine. Mit ihnen können Sie sich anmelden, falls Sie Ihr Gerät verlieren.',
  'two-step.codes-since': 'Noch {left, number} von {all, number} übrig, <time>{when}</time> erzeugt.',
  'two-step.new-codes': 'Neue Codes erzeugen …',
  'two-step.turn-off': 'Ausschalten',
  'two-step.turn-off-help':
    'Entfernt die App und die Wiederherstellungscodes. Ihre Passkeys bleiben, und Sie können sich wie bisher damit ' +
    'anmelden.',
  'two-step.turn-off-button': 'Anmeldung in zwei Schritten ausschalten …',
  'two-step.app-removed': 'Die Authentifizierungs-App wurde entfernt. Sie können den Eintrag in der App löschen.',
  'two-step.turned-off':
    'Die Anmeldung in zwei Schritten ist ausgeschaltet. Ihr Passwort allein reicht, um sich anzumelden.',
  'two-step.wrong-code': 'Dieser Code ist falsch. Geben Sie die sechs Ziffern ein, die die App jetzt anzeigt.',
  'confirm-two-step.remove-app': 'Die Authentifizierungs-App entfernen?',
  'confirm-two-step.remove-app-passkeys':
    'Ihre Codes gelten hier dann nicht mehr. Ihre Passkeys bleiben als zweiter Schritt.',
  'confirm-two-step.remove-app-required':
    'Ihre Codes gelten hier dann nicht mehr. Bei der nächsten Anmeldung richten Sie eine andere ein.',
  'confirm-two-step.remove-app-off':
    'Ihre Codes gelten hier dann nicht mehr, und Ihr Passwort allein reicht, um sich anzumelden.',
  'confirm-two-step.remove-app-button': 'App entfernen',
  'confirm-two-step.off': 'Anmeldung in zwei Schritten ausschalten?',
  'confirm-two-step.off-help':
    'Die App und die Wiederherstellungscodes werden entfernt. Ihr Passwort allein reicht dann, um sich anzumelden.',
  'confirm-two-step.off-button': 'Ausschalten',
  'confirm-two-step.new-codes': 'Neue Wiederherstellungscodes erzeugen?',
  'confirm-two-step.new-codes-help': 'Sie erhalten zehn neue Codes. Die alten gelten dann nicht mehr.',
  'confirm-two-step.new-codes-button': 'Neue Codes erzeugen',
  'confirm-two-step.on': 'Anmeldung in zwei Schritten einschalten?',
  'confirm-two-step.on-help':
    'Nach dem Passwort verwenden Sie dann einen Passkey. Sie erhalten außerdem zehn Wiederherstellungscodes, ' +
    'falls Sie ihn verlieren. Andere Browser, die nur mit Ihrem Passwort angemeldet sind, werden abgemeldet.',
  'confirm-two-step.on-button': 'Einschalten',
  'add-app.title': 'Authentifizierungs-App hinzufügen',
  'add-app.lede':
    'Danach melden Sie sich mit Ihrem Passwort und einem Code aus der App an. Andere Browser, die nur mit Ihrem ' +
    'Passwort angemeldet sind, werden abgemeldet.',
  'add-app.required-title': 'Anmeldung in zwei Schritten einrichten',
  'add-app.required-lede':
    'Dieser Server verlangt bei der Anmeldung einen zweiten Schritt. Das Einrichten dauert eine Minute.',
  'add-app.qr-code': 'QR-Code für Ihre Authentifizierungs-App',
  'add-app.scan': 'Öffnen Sie eine Authentifizierungs-App auf Ihrem Telefon, und scannen Sie diesen Code.',
  'add-app.enter': 'Geben Sie die sechs Ziffern ein, die sie anzeigt.',
  'add-app.same-device': 'Auf diesem Gerät? <a>App öffnen</a>',
  'add-app.cannot-scan': 'Sie können ihn nicht scannen? Geben Sie diesen Schlüssel ein',
  'add-app.code': 'Code aus der App',
  'add-app.button': 'Anmeldung in zwei Schritten einschalten',
  'recovery-codes.title': 'Wiederherstellungscodes',
  'recovery-codes.yours': 'Ihre Wiederherstellungscodes',
  'recovery-codes.again': 'Neue Wiederherstellungscodes erzeugen',
  'recovery-codes.save': 'Speichern Sie Ihre Wiederherstellungscodes',
  'recovery-codes.lede':
    'Falls Sie Ihr Telefon verlieren, können Sie sich mit einem dieser Codes anmelden. Jeder gilt einmal. Sie ' +
    'sehen sie nicht noch einmal.',
  'recovery-codes.download': 'Herunterladen',
  'recovery-codes.print': 'Drucken',
  'recovery-codes.saved': 'Ich habe meine Codes gespeichert',
  'passkeys.title': 'Passkeys',
  'passkeys.yours': 'Ihre Passkeys',
  'passkeys.list': 'Passkeys, mit denen Sie sich anmelden können',
  'passkeys.none': 'Sie haben noch keine Passkeys.',
  'passkeys.none-here': 'Auf dieser Seite sind keine Passkeys.',
  'passkeys.order': 'Neueste zuerst.',
  'passkeys.added-at': 'hinzugefügt <time>{when}</time>',
  'passkeys.remove': 'Entfernen …',
  'passkeys.remove-named': 'Den Passkey „{name}“ entfernen',
  'passkeys.add': 'Passkey hinzufügen',
  'passkeys.not-offered': 'Passkeys brauchen einen Domainnamen und HTTPS. Dieser Server hat noch nicht beides.',
  'passkeys.lede':
    'Ihr Gerät erzeugt einen Schlüssel, der es nie verlässt. Zum Anmelden entsperren Sie ihn mit Fingerabdruck, ' +
    'Gesicht oder der PIN des Geräts.',
  'passkeys.name': 'Name des Passkeys',
  'passkeys.name-help':
    'Damit Sie Ihre Passkeys unterscheiden können, zum Beispiel „Laptop“ oder „Blauer Sicherheitsschlüssel“.',
  'passkeys.missing':
    'Passkeys sind hier nicht verfügbar. Sie brauchen JavaScript, einen neueren Browser und diese Seite unter der ' +
    'Adresse <code>{origin}</code>.',
  'passkeys.added': 'Ihr Passkey wurde hinzugefügt. Sie können sich jetzt damit anmelden.',
  'passkeys.removed':
    'Der Passkey wurde entfernt, und alle damit begonnenen Sitzungen wurden beendet. Sie können ihn auch auf Ihrem ' +
    'Gerät löschen.',
  'passkeys.removed-and-logged-out':
    'Der Passkey wurde entfernt. Sie waren damit angemeldet; bitte melden Sie sich neu an.',
  'passkeys.second-step-first': 'Ihr Konto braucht jetzt einen zweiten Schritt. Laden Sie diese Seite dafür neu.',
  'passkeys.log-in-again':
    'Ihre Anmeldung liegt zu lange zurück, um einen Passkey hinzuzufügen. Öffnen Sie diese Seite noch einmal, und ' +
    'melden Sie sich neu an.',
  'passkeys.remove-title': 'Den Passkey „{name}“ entfernen?',
  'passkeys.remove-text':
    'Sie können sich nicht mehr damit anmelden, und alle damit begonnenen Sitzungen enden. Ihr Passwort und Ihre ' +
    'anderen Passkeys sind nicht betroffen.',
  'passkeys.remove-button': 'Passkey entfernen',
};

/** Messages on the pages for two-step login, recovery codes and passkeys. */
export const loginSecurity = { en, de };
