const en = {
  'mail.copy': 'If the button does not work, copy this link:',
  'mail.reset.subject': 'Choose a new password for {server}',
  'mail.reset.request': 'Somebody, probably you, asked for a new password for the account {username} at {server}.',
  'mail.reset.once': 'The link works once, within 30 minutes. You can then log in with the new password.',
  'mail.reset.link': 'Choose a new password',
  'mail.reset.note':
    'If this was not you, ignore this e-mail. Nothing has changed, and nobody can use the link without this e-mail.',
  'mail.verify.subject': 'Confirm your e-mail address for {server}',
  'mail.verify.request': 'Please confirm that this is the e-mail address of the account {username} at {server}.',
  'mail.verify.once':
    'The link works once and expires after a day. You can then log in with this address and reset your password by ' +
    'e-mail.',
  'mail.verify.link': 'Confirm the address',
  'mail.verify.note':
    'If this is not your account, ignore this e-mail. Without your confirmation, the address is not used.',
  'mail.password-changed.subject': 'Your password for {server} was changed',
  'mail.password-changed':
    'The password of the account {username} at {server} was changed, and all its sessions were ended.',
  'mail.password-changed.note': 'If this was not you, choose a new password at {address}, and tell an administrator.',
  'mail.email-changed.subject': 'Your e-mail address for {server} was changed',
  'mail.email-changed':
    'The account {username} at {server} now has a different e-mail address. E-mails about the account ' +
    'are no longer sent to this address.',
  'mail.email-changed.note': 'If this was not you, tell an administrator of the server immediately.',
  'mail.login.subject': 'New login to your account at {server}',
  'mail.login': 'Somebody logged in to your account {username} at {server} with {browser} on {when}.',
  'mail.login.unknown-browser':
    'Somebody logged in to your account {username} at {server} with an unknown browser on {when}.',
  'mail.login.if-you': 'If this was you, you do not need to do anything.',
  'mail.login.if-not': 'If not, log out that browser in your list of sessions, and change your password.',
  'mail.login.link': 'See your sessions',
  'mail.login.note': 'You got this e-mail because this browser had not been used with your account before.',
  'mail.security.subject': 'The way you log in to your account has changed',
  'mail.security.greeting': 'Hello {username},',
  'mail.security.if-not': 'If this was not you, change your password and check your sessions.',
  'mail.security.link': 'Open your account',
  'mail.security.note': 'You got this e-mail because somebody changed how {username} logs in at {server}.',
  'mail.security.app-added':
    'An authenticator app was added to your account. From now on, you also need a code from the app to log in. ' +
    'Your other sessions that began with just the password have ended.',
  'mail.security.turned-on':
    'Two-step login was turned on for your account. From now on, you need a passkey in addition to your password. ' +
    'Your other sessions that began with just the password have ended.',
  'mail.security.app-removed': 'The authenticator app was removed from your account.',
  'mail.security.codes-generated':
    'New recovery codes were generated for your account. The earlier ones no longer work.',
  'mail.security.code-used':
    'Somebody logged in to your account with one of your recovery codes. It will not work again.',
  'mail.security.turned-off':
    'Two-step login was turned off for your account. The password alone is now enough to log in.',
  'mail.security.provider-linked':
    'An account at another provider was linked to your account. You can now log in with it.',
  'mail.security.provider-unlinked':
    'An account at another provider was unlinked from your account. You can no longer log in with it.',
  'mail.security.all-removed':
    'An administrator removed the second factors of your account, including its passkeys, and ended its sessions.',
  'mail.account-invitation.subject': 'Your invitation to {server}',
  'mail.account-invitation': 'You are invited to create an account at {server}.',
  'mail.account-invitation.once': 'The link works once and expires after a week.',
  'mail.account-invitation.link': 'Create your account',
  'mail.account-invitation.note':
    'An administrator of the server entered your address. If you do not want an account, ignore this e-mail.',
  'mail.invitation.subject': 'Invitation to {application}',
  'mail.invitation':
    '{inviter} invites you to become {role, select, owner {an owner} other {a test user}} of {application}.',
  'mail.invitation.once':
    'The link works once and expires after seven days. You need an account on this server to accept.',
  'mail.invitation.link': 'See the invitation',
  'mail.invitation.note':
    'You got this e-mail because somebody entered your address. If you were not expecting it, ignore it.',
  'mail.test.subject': 'Test e-mail from {server}',
  'mail.test': '{server} can send mail. You do not need to do anything.',
  'mail.test.unnamed-subject': 'Test e-mail from this server',
  'mail.test.unnamed': 'This server can send mail. You do not need to do anything.',
  'mail.test.note': 'The operator of the server sent this e-mail with grantlog mail test.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'mail.copy': 'Wenn die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse:',
  'mail.reset.subject': 'Neues Passwort für {server} wählen',
  'mail.reset.request':
    'Jemand, vermutlich Sie selbst, hat für das Konto {username} bei {server} ein neues Passwort angefordert.',
  'mail.reset.once':
    'Der Link gilt nur einmal und 30 Minuten lang. Danach können Sie sich mit dem neuen Passwort anmelden.',
  'mail.reset.link': 'Neues Passwort wählen',
  'mail.reset.note':
    'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail. Es hat sich nichts geändert, und ohne diese E-Mail kann ' +
    'niemand den Link verwenden.',
  'mail.verify.subject': 'E-Mail-Adresse für {server} bestätigen',
  'mail.verify.request': 'Bitte bestätigen Sie, dass dies die E-Mail-Adresse des Kontos {username} bei {server} ist.',
  'mail.verify.once':
    'Der Link gilt nur einmal und läuft nach einem Tag ab. Nach der Bestätigung können Sie sich mit dieser Adresse ' +
    'anmelden und Ihr Passwort per E-Mail zurücksetzen.',
  'mail.verify.link': 'Adresse bestätigen',
  'mail.verify.note':
    'Wenn Sie kein solches Konto haben, ignorieren Sie diese E-Mail. Ohne Ihre Bestätigung wird die Adresse nicht ' +
    'verwendet.',
  'mail.password-changed.subject': 'Ihr Passwort für {server} wurde geändert',
  'mail.password-changed':
    'Das Passwort des Kontos {username} bei {server} wurde geändert. Alle Sitzungen des Kontos wurden beendet.',
  'mail.password-changed.note':
    'Wenn Sie das nicht waren, wählen Sie unter {address} ein neues Passwort, und verständigen Sie einen ' +
    'Administrator.',
  'mail.email-changed.subject': 'Ihre E-Mail-Adresse für {server} wurde geändert',
  'mail.email-changed':
    'Das Konto {username} bei {server} hat jetzt eine andere E-Mail-Adresse. An die bisherige Adresse werden keine ' +
    'E-Mails mehr gesendet.',
  'mail.email-changed.note': 'Wenn Sie das nicht waren, verständigen Sie sofort einen Administrator des Servers.',
  'mail.login.subject': 'Neue Anmeldung bei Ihrem Konto bei {server}',
  'mail.login': 'Bei Ihrem Konto {username} auf {server} hat sich jemand am {when} mit {browser} angemeldet.',
  'mail.login.unknown-browser':
    'Bei Ihrem Konto {username} auf {server} hat sich jemand am {when} mit einem unbekannten Browser angemeldet.',
  'mail.login.if-you': 'Wenn Sie das waren, ist nichts zu tun.',
  'mail.login.if-not':
    'Wenn nicht, melden Sie diesen Browser in der Liste Ihrer Sitzungen ab, und ändern Sie Ihr Passwort.',
  'mail.login.link': 'Sitzungen ansehen',
  'mail.login.note': 'Sie erhalten diese E-Mail, weil dieser Browser bisher nicht mit Ihrem Konto verwendet wurde.',
  'mail.security.subject': 'Die Anmeldung bei Ihrem Konto wurde geändert',
  'mail.security.greeting': 'Guten Tag {username},',
  'mail.security.if-not': 'Wenn Sie das nicht waren, ändern Sie Ihr Passwort, und prüfen Sie Ihre Sitzungen.',
  'mail.security.link': 'Konto öffnen',
  'mail.security.note':
    'Sie erhalten diese E-Mail, weil jemand geändert hat, wie sich {username} bei {server} anmeldet.',
  'mail.security.app-added':
    'Für Ihr Konto wurde eine Authentifizierungs-App eingerichtet. Beim Anmelden geben Sie jetzt zusätzlich einen ' +
    'Code daraus ein. Ihre anderen Sitzungen, die allein mit dem Passwort begonnen hatten, wurden beendet.',
  'mail.security.turned-on':
    'Für Ihr Konto wurde die Anmeldung in zwei Schritten eingeschaltet. Nach dem Passwort verwenden Sie jetzt einen ' +
    'Passkey. Ihre anderen Sitzungen, die allein mit dem Passwort begonnen hatten, wurden beendet.',
  'mail.security.app-removed': 'Die Authentifizierungs-App wurde aus Ihrem Konto entfernt.',
  'mail.security.codes-generated':
    'Für Ihr Konto wurden neue Wiederherstellungscodes erzeugt. Die früheren gelten nicht mehr.',
  'mail.security.code-used':
    'Jemand hat sich mit einem Ihrer Wiederherstellungscodes bei Ihrem Konto angemeldet. Der Code gilt kein zweites ' +
    'Mal.',
  'mail.security.turned-off':
    'Für Ihr Konto wurde die Anmeldung in zwei Schritten ausgeschaltet. Zum Anmelden genügt jetzt das Passwort.',
  'mail.security.provider-linked':
    'Ihr Konto wurde mit einem Konto bei einem anderen Anbieter verknüpft. Sie können sich jetzt damit anmelden.',
  'mail.security.provider-unlinked':
    'Die Verknüpfung Ihres Kontos mit einem Konto bei einem anderen Anbieter wurde aufgehoben. Sie können sich nicht ' +
    'mehr damit anmelden.',
  'mail.security.all-removed':
    'Ein Administrator hat die zweiten Faktoren Ihres Kontos entfernt, auch die Passkeys, und die Sitzungen des ' +
    'Kontos beendet.',
  'mail.account-invitation.subject': 'Ihre Einladung zu {server}',
  'mail.account-invitation': 'Sie sind eingeladen, ein Konto bei {server} anzulegen.',
  'mail.account-invitation.once': 'Der Link gilt nur einmal und läuft nach einer Woche ab.',
  'mail.account-invitation.link': 'Konto anlegen',
  'mail.account-invitation.note':
    'Ein Administrator des Servers hat Ihre Adresse eingegeben. Wenn Sie kein Konto möchten, ignorieren Sie diese ' +
    'E-Mail.',
  'mail.invitation.subject': 'Einladung zu {application}',
  'mail.invitation':
    '{inviter} lädt Sie ein, {role, select, owner {Besitzer} other {Testbenutzer}} von {application} zu werden.',
  'mail.invitation.once':
    'Der Link gilt nur einmal und sieben Tage lang. Um die Einladung anzunehmen, brauchen Sie ein Konto auf diesem ' +
    'Server.',
  'mail.invitation.link': 'Einladung ansehen',
  'mail.invitation.note':
    'Sie erhalten diese E-Mail, weil jemand Ihre Adresse eingegeben hat. Wenn Sie keine Einladung erwarten, ' +
    'ignorieren Sie sie.',
  'mail.test.subject': 'Test-E-Mail von {server}',
  'mail.test': '{server} kann E-Mails senden. Sie brauchen nichts zu tun.',
  'mail.test.unnamed-subject': 'Test-E-Mail von diesem Server',
  'mail.test.unnamed': 'Dieser Server kann E-Mails senden. Sie brauchen nichts zu tun.',
  'mail.test.note': 'Der Betreiber des Servers hat diese E-Mail mit grantlog mail test gesendet.',
};

/** Messages in e-mails. */
export const emails = { en, de };
