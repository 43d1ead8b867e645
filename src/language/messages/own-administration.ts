const en = {
  'user.own-title': '{username} (you)',
  'user.you': 'you',
  'user.last-auditor':
    'This is the last auditor who can log in. Without an auditor, only administrators can read the recorded events.',
  'disable-own.title': 'Disable your own account?',
  'disable-own.text':
    'You will be logged out immediately and cannot log in until another administrator enables your account again. ' +
    'Your sessions and the access you gave to applications end permanently, and your authorization codes and tokens ' +
    'stop working.',
  'disable-own.applications': 'Applications you registered keep working for other users.',
  'disable-own.button': 'Disable my account',
  'disable-own.done': 'Your account was disabled, and you were logged out.',
  'erase-own.title': 'Erase your own account?',
  'erase-own.text':
    'You will be logged out immediately. Your sessions and the access you gave to applications end, and your ' +
    'authorization codes and tokens stop working. Your personal data in the log is permanently deleted (its ' +
    'encryption key is destroyed), and your user name becomes available again.',
  'erase-own.applications': 'Applications that only you own keep working, but only administrators can manage them.',
  'remove-own-factors.title': 'Remove your own second factors?',
  'remove-own-factors.text':
    'Your authenticator app, recovery codes and passkeys are removed, and your sessions end, including this one. You ' +
    'can then log in with just your password. You will be notified by e-mail.',
  'remove-own-factors.done': 'Your second factors were removed, and you were logged out.',
  'logout-own.title': 'Log yourself out everywhere?',
  'logout-own.text':
    'Your sessions end immediately in every browser, including this one. Your password does not change.',
  'logout-own.done': 'You were logged out everywhere.',
  'own-roles.lede':
    'This is your account. Without the administrator role, you lose access to these pages immediately, and only ' +
    'another administrator can give the role back to you.',
  'own-roles.title': 'Give up your administrator role?',
  'own-roles.button': 'Give up the role',
  'own-roles.done': 'You are no longer an administrator.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'user.own-title': '{username} (Sie)',
  'user.you': 'Sie',
  'user.last-auditor':
    'Das ist der letzte Prüfer, der sich anmelden kann. Ohne Prüfer können nur Administratoren die aufgezeichneten ' +
    'Ereignisse lesen.',
  'disable-own.title': 'Ihr eigenes Konto sperren?',
  'disable-own.text':
    'Sie werden sofort abgemeldet und können sich erst wieder anmelden, wenn ein anderer Administrator Ihr Konto ' +
    'entsperrt. Ihre Sitzungen, Autorisierungscodes und Token enden endgültig, ebenso der Zugriff der von Ihnen ' +
    'zugelassenen Anwendungen.',
  'disable-own.applications': 'Von Ihnen registrierte Anwendungen funktionieren für andere Benutzer weiter.',
  'disable-own.button': 'Mein Konto sperren',
  'disable-own.done': 'Ihr Konto wurde gesperrt, und Sie wurden abgemeldet.',
  'erase-own.title': 'Ihr eigenes Konto löschen?',
  'erase-own.text':
    'Sie werden sofort abgemeldet. Ihre Sitzungen, Autorisierungscodes und Token enden, ebenso der Zugriff der von ' +
    'Ihnen zugelassenen Anwendungen. Ihre persönlichen Daten im Protokoll werden endgültig gelöscht (ihr Schlüssel ' +
    'wird vernichtet), und Ihr Benutzername wird wieder frei.',
  'erase-own.applications':
    'Anwendungen, deren einziger Besitzer Sie sind, funktionieren weiter und werden nur noch von Administratoren ' +
    'verwaltet.',
  'remove-own-factors.title': 'Ihre eigenen zweiten Faktoren entfernen?',
  'remove-own-factors.text':
    'Ihre Authentifizierungs-App, Wiederherstellungscodes und Passkeys werden entfernt, und Ihre Sitzungen enden, ' +
    'auch diese. Danach melden Sie sich mit dem Passwort allein an. Sie werden per E-Mail benachrichtigt.',
  'remove-own-factors.done': 'Ihre zweiten Faktoren wurden entfernt, und Sie wurden abgemeldet.',
  'logout-own.title': 'Sich selbst überall abmelden?',
  'logout-own.text': 'Ihre Sitzungen enden sofort in jedem Browser, auch in diesem. Ihr Passwort ändert sich nicht.',
  'logout-own.done': 'Sie wurden überall abgemeldet.',
  'own-roles.lede':
    'Das ist Ihr Konto. Ohne die Rolle Administrator verlieren Sie sofort den Zugriff auf diese Seiten, und nur ein ' +
    'anderer Administrator kann Ihnen die Rolle zurückgeben.',
  'own-roles.title': 'Ihre Rolle Administrator abgeben?',
  'own-roles.button': 'Rolle abgeben',
  'own-roles.done': 'Sie sind kein Administrator mehr.',
};

/** Messages for administrators about their own accounts. */
export const ownAdministration = { en, de };
