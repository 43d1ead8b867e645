const en = {
  'login.title': 'Log in',
  'login.continue': 'Log in to continue to <bdi>{application}</bdi>',
  'login.asks': 'You will see what it asks for before anything is shared.',
  'login.name': 'User name or e-mail address',
  'login.password': 'Password',
  'login.button': 'Log in',
  'login.with-provider': 'Log in with <bdi>{provider}</bdi>',
  'login.passkey': 'Use a passkey instead',
  'login.passwords-off': 'Passwords are off on this server.',
  'login.passwords-off.error': 'Passwords are off on this server. Log in through a provider.',
  'login.forgot': 'Forgot your password?',
  'login.forgot-without-mail': 'Forgot your password? Ask an administrator for a new one.',
  'login.no-account': 'No account yet? <a>Sign up</a>',
  'login.wrong': 'Wrong user name, e-mail address or password.',
  'login.passkey-rejected':
    'This passkey is not registered here, or the request timed out. Try again, or use your password.',
  'login.session-changed': 'Your session changed, or cookies are blocked. Please try again.',
  'login.account-changed':
    'Your account was changed while you were logging in, so you are not logged in. Please try again.',
  'login.back': 'Back to login',
  'signup.title': 'Sign up',
  'signup.continue': 'Sign up to continue to <bdi>{application}</bdi>',
  'signup.lede': 'Create an account to register applications and manage which ones can access your data.',
  'signup.button': 'Create account',
  'signup.has-account': 'Already have an account? <a>Log in</a>',
  'setup.eyebrow': 'Setup',
  'setup.title': 'Create the first administrator',
  'setup.welcome': 'Welcome to {brand}',
  'setup.lede': '{brand} is running. Create the first administrator account to get started.',
  'setup.once': 'This link works once. You will be logged in and can then register your first application.',
  'setup.button': 'Create administrator',
  'account.username': 'User name',
  'account.email': 'E-mail address',
  'account.password': 'Password',
  'account.new-password': 'New password',
  'account.password-help':
    'At least 8 characters. A few unrelated words are easier to remember than symbols, and harder to guess.',
  'account-invitation.title': 'Create your account',
  'account-invitation.lede':
    'You were invited as <bdi>{email}</bdi>. You can log in with this address or your user name.',
  'account-invitation.lede-provider':
    'You were invited as <bdi>{email}</bdi>. You log in through <bdi>{provider}</bdi> with an account that has this ' +
    'e-mail address.',
  'account-invitation.username-help': 'Cannot be changed later.',
  'account-invitation.button': 'Create account',
  'account-invitation.welcome': 'Welcome, {username}. Log in with your new account.',
  'forgot.title': 'Forgot your password?',
  'forgot.lede':
    'Enter your user name or e-mail address. If it belongs to an account with a verified e-mail address, we will ' +
    'send a link to that address.',
  'forgot.button': 'Send a link',
  'forgot.no-name': 'Enter your user name or e-mail address.',
  'forgot.without-mail.title': 'Ask an administrator',
  'forgot.without-mail': 'This server does not send mail. An administrator can give you a new password.',
  'forgot-sent.title': 'Check your e-mail',
  'forgot-sent.lede':
    'If your entry matches an account with a verified e-mail address, a link is on its way. It works once, within 30 ' +
    'minutes.',
  'forgot-sent.nothing':
    'Nothing after a few minutes? Look in the spam folder, check what you entered, or ask an administrator.',
  'forgot-sent.again': 'Try again',
  'reset.title': 'Choose a new password',
  'reset.lede': 'For the account <bdi>{username}</bdi>. You will be logged out everywhere.',
  'reset.button': 'Save the password',
  'reset.done': 'Your password was changed. Log in with the new one.',
  'reset.failed': 'The password could not be changed.',
  'verify.title': 'Verify your e-mail address',
  'verify.heading': 'Is this your address?',
  'verify.lede': '<bdi>{email}</bdi> is the e-mail address of the account <bdi>{username}</bdi>.',
  'verify.button': 'Yes, verify the address',
  'verify.other': 'Not your account? Close this page; nothing will change.',
  'verify.done': 'Thank you. {email} is verified.',
  'second-step.title': 'Confirm that it is you',
  'second-step.lede': 'You are logging in as <bdi><b>{username}</b></bdi>. One more step.',
  'second-step.code': 'Code from your authenticator app',
  'second-step.button': 'Continue',
  'second-step.passkey': 'Use a passkey',
  'second-step.passkey-instead': 'Use a passkey instead',
  'second-step.passkey-missing':
    'To use your passkey, you need JavaScript and a recent browser, and you must open this site at ' +
    '<code>{origin}</code>.',
  'second-step.recovery': 'Use a recovery code',
  'second-step.recovery-code': 'Recovery code',
  'second-step.recovery-help': 'One of the codes that you saved when you turned on two-step login. Each works once.',
  'second-step.recovery-button': 'Log in with this code',
  'second-step.lost': 'Lost your device? An administrator can help.',
  'second-step.lost-with-codes': 'Lost your device and your codes? An administrator can help.',
  'second-step.restart': 'Start again',
  'logout.title': 'Log out?',
  'logout.unknown': 'An application is asking to log you out.',
  'logout.asks': '<bdi>{application}</bdi> is asking to log you out.',
  'logout.user':
    'You are logged in as <b><bdi>{username}</bdi></b>. Applications that use this login may log you out, too.',
  'logout.afterwards': 'Afterwards, you will be sent to <place>{host}</place>.',
  'logout.button': 'Log out',
  'logout.stay': 'Stay logged in',
  'logged-out.title': 'You are logged out',
  'logged-out.lede': 'You can close this page.',
  'logged-out.return': 'Go to {host}',
  'form-post.title': 'Back to the application',
  'form-post.lede': 'You are being sent to <place>{host}</place>.',
  'form-post.button': 'Continue',
  'device.title': 'Connect a device',
  'device.unknown-code':
    'No device is waiting for this code. It may have expired or already been used. Check the code, or start again on ' +
    'the device.',
  'device.lede': 'Enter the code that your TV, console or command line shows.',
  'device.code': 'Code',
  'device.help': 'Eight letters, such as WDJB-MJHT. Capitalization and hyphens do not matter.',
  'device.button': 'Continue',
  'device.warning': 'Did somebody send you a code? Do not enter it: it would give them access to your account.',
  'device.user': 'Logged in as <bdi>{username}</bdi>.',
  'device.not-you': 'Not you?',
  'device-done.approved': 'You authorized {application} on your device.',
  'device-done.denied': 'You denied the request from {application}.',
  'device-done.title': 'Return to your device',
  'device-done.lede': 'You can close this page. Your device continues within a few seconds.',
  'device-done.authorized': 'Authorized applications',
  'device-done.another': 'Connect another device',
  'dead-link.title': 'This link no longer works',
  'dead-link.text':
    'Links in e-mails work once and for a limited time. They also stop working when the account changes.',
  'dead-link.reset-advice': 'Request a new link with “Forgot your password?” on the login page.',
  'dead-link.verify-advice': 'If your account page shows the address as not verified, send yourself a new link there.',
  'passwords-off.title': 'Passwords are off',
  'passwords-off.text': 'Nobody can log in here with a password.',
  'passwords-off.advice': 'Log in through a provider on the login page.',
  'test-mode.title': '{application} is in test mode',
  'test-mode.heading': '<bdi>{application}</bdi> is in test mode',
  'test-mode.lede':
    'Only its owners and the users they invited can use it for now. You are logged in as ' +
    '<b><bdi>{username}</bdi></b>, who is not one of them. Nothing was shared.',
  'test-mode.ask': 'If you should be able to test it, ask its owners for an invitation.',
  'test-mode.back': 'Back to {host}',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'login.title': 'Anmelden',
  'login.continue': 'Anmelden, um mit <bdi>{application}</bdi> fortzufahren',
  'login.asks': 'Bevor Daten weitergegeben werden, sehen Sie, worum die Anwendung bittet.',
  'login.name': 'Benutzername oder E-Mail-Adresse',
  'login.password': 'Passwort',
  'login.button': 'Anmelden',
  'login.with-provider': 'Mit <bdi>{provider}</bdi> anmelden',
  'login.passkey': 'Stattdessen einen Passkey verwenden',
  'login.passwords-off': 'Passwörter sind auf diesem Server abgeschaltet.',
  'login.passwords-off.error':
    'Passwörter sind auf diesem Server abgeschaltet. Melden Sie sich über einen Anbieter an.',
  'login.forgot': 'Passwort vergessen?',
  'login.forgot-without-mail': 'Passwort vergessen? Bitten Sie einen Administrator um ein neues.',
  'login.no-account': 'Noch kein Konto? <a>Registrieren</a>',
  'login.wrong': 'Benutzername, E-Mail-Adresse oder Passwort ist falsch.',
  'login.passkey-rejected':
    'Dieser Passkey ist hier nicht registriert, oder die Zeit ist abgelaufen. Versuchen Sie es noch einmal, oder ' +
    'verwenden Sie Ihr Passwort.',
  'login.session-changed':
    'Ihre Sitzung hat sich geändert, oder Cookies sind gesperrt. Bitte versuchen Sie es noch einmal.',
  'login.account-changed':
    'Ihr Konto wurde während der Anmeldung geändert. Sie sind deshalb nicht angemeldet. Bitte versuchen Sie es noch ' +
    'einmal.',
  'login.back': 'Zurück zur Anmeldung',
  'signup.title': 'Registrieren',
  'signup.continue': 'Registrieren, um mit <bdi>{application}</bdi> fortzufahren',
  'signup.lede':
    'Mit einem Konto können Sie Anwendungen registrieren und bestimmen, welche auf Ihre Daten zugreifen dürfen.',
  'signup.button': 'Konto anlegen',
  'signup.has-account': 'Sie haben schon ein Konto? <a>Anmelden</a>',
  'setup.eyebrow': 'Einrichtung',
  'setup.title': 'Den ersten Administrator anlegen',
  'setup.welcome': 'Willkommen bei {brand}',
  'setup.lede': '{brand} läuft. Legen Sie zuerst das Konto des ersten Administrators an.',
  'setup.once':
    'Dieser Link gilt nur einmal. Sie werden angemeldet und können danach Ihre erste Anwendung registrieren.',
  'setup.button': 'Administrator anlegen',
  'account.username': 'Benutzername',
  'account.email': 'E-Mail-Adresse',
  'account.password': 'Passwort',
  'account.new-password': 'Neues Passwort',
  'account.password-help':
    'Mindestens 8 Zeichen. Einige Wörter ohne Zusammenhang sind leichter zu merken als Sonderzeichen und schwerer zu ' +
    'erraten.',
  'account-invitation.title': 'Ihr Konto anlegen',
  'account-invitation.lede':
    'Sie wurden als <bdi>{email}</bdi> eingeladen. Sie können sich mit dieser Adresse oder mit Ihrem Benutzernamen ' +
    'anmelden.',
  'account-invitation.lede-provider':
    'Sie wurden als <bdi>{email}</bdi> eingeladen. Sie melden sich über <bdi>{provider}</bdi> an, mit einem Konto ' +
    'dort, das diese E-Mail-Adresse hat.',
  'account-invitation.username-help': 'Lässt sich später nicht ändern.',
  'account-invitation.button': 'Konto anlegen',
  'account-invitation.welcome': 'Willkommen, {username}. Melden Sie sich mit Ihrem neuen Konto an.',
  'forgot.title': 'Passwort vergessen?',
  'forgot.lede':
    'Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse ein. Wenn dazu ein Konto mit bestätigter E-Mail-Adresse ' +
    'gehört, senden wir einen Link an diese Adresse.',
  'forgot.button': 'Link senden',
  'forgot.no-name': 'Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse ein.',
  'forgot.without-mail.title': 'Fragen Sie einen Administrator',
  'forgot.without-mail':
    'Dieser Server versendet keine E-Mails. Ein Administrator kann Ihnen ein neues Passwort geben.',
  'forgot-sent.title': 'Sehen Sie in Ihr Postfach',
  'forgot-sent.lede':
    'Wenn zu Ihrer Eingabe ein Konto mit bestätigter E-Mail-Adresse gehört, ist ein Link unterwegs. Er gilt nur ' +
    'einmal und 30 Minuten lang.',
  'forgot-sent.nothing':
    'Nach einigen Minuten ist nichts angekommen? Sehen Sie im Spam-Ordner nach, prüfen Sie Ihre Eingabe, oder fragen ' +
    'Sie einen Administrator.',
  'forgot-sent.again': 'Noch einmal versuchen',
  'reset.title': 'Ein neues Passwort wählen',
  'reset.lede': 'Für das Konto <bdi>{username}</bdi>. Sie werden überall abgemeldet.',
  'reset.button': 'Passwort speichern',
  'reset.done': 'Ihr Passwort wurde geändert. Melden Sie sich mit dem neuen an.',
  'reset.failed': 'Das Passwort konnte nicht geändert werden.',
  'verify.title': 'E-Mail-Adresse bestätigen',
  'verify.heading': 'Ist das Ihre Adresse?',
  'verify.lede': '<bdi>{email}</bdi> ist die E-Mail-Adresse des Kontos <bdi>{username}</bdi>.',
  'verify.button': 'Ja, Adresse bestätigen',
  'verify.other': 'Nicht Ihr Konto? Schließen Sie diese Seite; es ändert sich nichts.',
  'verify.done': 'Danke. {email} ist bestätigt.',
  'second-step.title': 'Bestätigen Sie, dass Sie es sind',
  'second-step.lede': 'Sie melden sich als <bdi><b>{username}</b></bdi> an. Es fehlt noch ein Schritt.',
  'second-step.code': 'Code aus Ihrer Authentifizierungs-App',
  'second-step.button': 'Weiter',
  'second-step.passkey': 'Einen Passkey verwenden',
  'second-step.passkey-instead': 'Stattdessen einen Passkey verwenden',
  'second-step.passkey-missing':
    'Ihr Passkey braucht JavaScript, einen neueren Browser und diese Seite unter der Adresse <code>{origin}</code>.',
  'second-step.recovery': 'Einen Wiederherstellungscode verwenden',
  'second-step.recovery-code': 'Wiederherstellungscode',
  'second-step.recovery-help':
    'Einer der Codes, die Sie beim Einschalten der Anmeldung in zwei Schritten gespeichert haben. Jeder gilt einmal.',
  'second-step.recovery-button': 'Mit diesem Code anmelden',
  'second-step.lost': 'Gerät verloren? Ein Administrator kann helfen.',
  'second-step.lost-with-codes': 'Gerät und Codes verloren? Ein Administrator kann helfen.',
  'second-step.restart': 'Von vorn beginnen',
  'logout.title': 'Abmelden?',
  'logout.unknown': 'Eine Anwendung bittet darum, Sie abzumelden.',
  'logout.asks': '<bdi>{application}</bdi> bittet darum, Sie abzumelden.',
  'logout.user':
    'Sie sind als <b><bdi>{username}</bdi></b> angemeldet. Anwendungen, die diese Anmeldung nutzen, melden Sie ' +
    'möglicherweise ebenfalls ab.',
  'logout.afterwards': 'Danach werden Sie zu <place>{host}</place> weitergeleitet.',
  'logout.button': 'Abmelden',
  'logout.stay': 'Angemeldet bleiben',
  'logged-out.title': 'Sie sind abgemeldet',
  'logged-out.lede': 'Sie können diese Seite schließen.',
  'logged-out.return': 'Weiter zu {host}',
  'form-post.title': 'Zurück zur Anwendung',
  'form-post.lede': 'Sie werden zu <place>{host}</place> weitergeleitet.',
  'form-post.button': 'Weiter',
  'device.title': 'Ein Gerät verbinden',
  'device.unknown-code':
    'Kein Gerät wartet mit diesem Code. Vielleicht ist er abgelaufen oder wurde schon verwendet. Prüfen Sie den ' +
    'Code, oder beginnen Sie auf dem Gerät von vorn.',
  'device.lede': 'Geben Sie den Code ein, den Ihr Fernseher, Ihre Konsole oder Ihre Kommandozeile anzeigt.',
  'device.code': 'Code',
  'device.help':
    'Acht Buchstaben, zum Beispiel WDJB-MJHT. Groß- und Kleinschreibung und Bindestriche spielen keine Rolle.',
  'device.button': 'Weiter',
  'device.warning':
    'Hat Ihnen jemand einen Code geschickt? Geben Sie ihn nicht ein: Er gäbe dieser Person Zugriff auf Ihr Konto.',
  'device.user': 'Angemeldet als <bdi>{username}</bdi>.',
  'device.not-you': 'Nicht Sie?',
  'device-done.approved': 'Sie haben {application} auf Ihrem Gerät zugelassen.',
  'device-done.denied': 'Sie haben die Anfrage von {application} abgelehnt.',
  'device-done.title': 'Zurück zu Ihrem Gerät',
  'device-done.lede': 'Sie können diese Seite schließen. Ihr Gerät macht in wenigen Sekunden weiter.',
  'device-done.authorized': 'Zugelassene Anwendungen',
  'device-done.another': 'Ein weiteres Gerät verbinden',
  'dead-link.title': 'Dieser Link funktioniert nicht mehr',
  'dead-link.text':
    'Links in E-Mails gelten nur einmal und nur für begrenzte Zeit. Sie gelten auch dann nicht mehr, wenn sich das ' +
    'Konto ändert.',
  'dead-link.reset-advice': 'Fordern Sie auf der Anmeldeseite über „Passwort vergessen?“ einen neuen Link an.',
  'dead-link.verify-advice':
    'Wenn die Adresse auf der Seite Ihres Kontos als nicht bestätigt erscheint, senden Sie sich dort einen neuen Link.',
  'passwords-off.title': 'Passwörter sind abgeschaltet',
  'passwords-off.text': 'Eine Anmeldung mit Passwort ist hier nicht möglich.',
  'passwords-off.advice': 'Melden Sie sich auf der Anmeldeseite über einen Anbieter an.',
  'test-mode.title': '{application} ist im Testmodus',
  'test-mode.heading': '<bdi>{application}</bdi> ist im Testmodus',
  'test-mode.lede':
    'Nur die Besitzer der Anwendung und die von ihnen eingeladenen Benutzer können sie zurzeit verwenden. Sie sind ' +
    'als <b><bdi>{username}</bdi></b> angemeldet und gehören nicht dazu. Es wurden keine Daten weitergegeben.',
  'test-mode.ask': 'Wenn Sie die Anwendung testen sollen, bitten Sie die Besitzer um eine Einladung.',
  'test-mode.back': 'Zurück zu {host}',
};

/** Messages on the pages for signing up, logging in and out, resetting a password, and connecting a device. */
export const login = { en, de };
