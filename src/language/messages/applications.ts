const en = {
  'applications.title': 'My applications',
  'applications.lede':
    'Applications you own. Each has its own client id. The APIs that they call can be registered as <a>resource ' +
    'servers</a>.',
  'applications.none': 'No applications yet',
  'applications.none-text': 'Register one to get a client id, and try it in your browser right away.',
  'applications.registered': 'registered <time>{when}</time>',
  'applications.used': 'last used <time>{when}</time>',
  'applications.unused': 'never used',
  'applications.test-mode': 'Test mode',
  'applications.disabled': 'Disabled',
  'applications.disabled-text':
    'An administrator has disabled this application. Until an administrator enables it again, it gets no tokens, and ' +
    'its existing tokens are refused.',
  'applications.sections': 'Application',
  'applications.overview': 'Overview',
  'applications.try': 'Try it',
  'applications.refusals': 'Refusals',
  'applications.people': 'People',
  'applications.settings': 'Settings',
  'applications.cancel': 'Cancel',
  'applications.changed': 'Your changes were saved.',
  'applications.was-registered': '{application} was registered.',
  'client-type.confidential': 'Confidential',
  'client-type.confidential-help': 'A server-side web app or service that can keep a secret.',
  'client-type.public': 'Public',
  'client-type.public-help':
    'A single-page, mobile or desktop app: its code can be inspected, so it cannot keep a secret. It uses PKCE ' +
    'instead.',
  'grant-type.code': 'Authorization code',
  'grant-type.code-help':
    'Users log in here, decide what to allow, and return with a code that your application exchanges for tokens. The ' +
    'usual choice.',
  'grant-type.client-credentials': 'Client credentials',
  'grant-type.client-credentials-help':
    'The application acts on its own behalf, with no user involved: scheduled jobs and calls between services. ' +
    'Confidential applications only.',
  'grant-type.password': 'Resource owner password',
  'grant-type.password-help':
    'The application collects users’ passwords and sends them here. Not recommended; only for legacy applications.',
  'grant-type.device-code': 'Device code',
  'grant-type.device-code-help':
    'A TV, console or command-line tool shows a code, which users enter in a browser. It needs no redirect URI.',
  'grant-type.token-exchange': 'Token exchange',
  'grant-type.token-exchange-help':
    'An API exchanges a token that it received for a narrower one, to call other APIs. An administrator has to add ' +
    'an exchange policy. Confidential applications only.',
  'grant-type.assertion': 'Assertion',
  'grant-type.assertion-help':
    'A job in a cluster or CI system, or a company’s application, presents a token from its own issuer. An ' +
    'administrator has to trust this issuer. Confidential applications only.',
  'register.title': 'Register an application',
  'register.button': 'Register',
  'register.kind': 'What kind of application is it?',
  'register.web': 'Web application',
  'register.web-help': 'Runs on your server and can keep a secret.',
  'register.browser': 'Browser app',
  'register.browser-help': 'Single-page app. No secret: it uses PKCE.',
  'register.native': 'Mobile or desktop',
  'register.native-help': 'Installed on the user’s device. Uses PKCE instead of a secret.',
  'register.device': 'Device',
  'register.device-help': 'TV, console, command-line tool. Users enter its code in a browser.',
  'register.machine': 'Machine',
  'register.machine-help': 'A service or scheduled job, without users.',
  'register.name-help': 'Shown to users on the consent page.',
  'register.redirect-uris-help':
    'Where users return to. One full URL per line: https, or http on this computer. You can add them later.',
  'register.callback': 'Let me try the application in the browser',
  'register.callback-help': 'Adds a page on this server to the redirect URIs. Only you can use it.',
  'register.expert': 'Expert view',
  'applications.all': 'Applications',
  'register.submitted': 'This form was already submitted',
  'register.submitted-text': 'The application it registered has since been deleted. Nothing was changed.',
  'register.submitted-advice': 'Open the form again to register another application.',
  'register.unknown-kind': 'Choose one of: {kinds}.',
  'applications.back': 'Go back',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'applications.title': 'Meine Anwendungen',
  'applications.lede':
    'Anwendungen, die Ihnen gehören. Jede hat eine eigene Client-ID. Die APIs, die sie aufrufen, lassen sich als ' +
    '<a>Ressourcenserver</a> registrieren.',
  'applications.none': 'Noch keine Anwendungen',
  'applications.none-text':
    'Registrieren Sie eine. Sie bekommt eine Client-ID, und Sie können sie gleich im Browser ausprobieren.',
  'applications.registered': 'registriert <time>{when}</time>',
  'applications.used': 'zuletzt verwendet <time>{when}</time>',
  'applications.unused': 'nie verwendet',
  'applications.test-mode': 'Testmodus',
  'applications.disabled': 'Gesperrt',
  'applications.disabled-text':
    'Ein Administrator hat diese Anwendung gesperrt. Sie bekommt keine Token, und ihre Token werden abgelehnt, bis ' +
    'ein Administrator sie entsperrt.',
  'applications.sections': 'Anwendung',
  'applications.overview': 'Übersicht',
  'applications.try': 'Ausprobieren',
  'applications.refusals': 'Ablehnungen',
  'applications.people': 'Personen',
  'applications.settings': 'Einstellungen',
  'applications.cancel': 'Abbrechen',
  'applications.changed': 'Ihre Änderungen wurden gespeichert.',
  'applications.was-registered': '{application} wurde registriert.',
  'client-type.confidential': 'Vertraulich',
  'client-type.confidential-help':
    'Eine Webanwendung oder ein Dienst auf einem Server, der ein Geheimnis bewahren kann.',
  'client-type.public': 'Öffentlich',
  'client-type.public-help':
    'Eine Single-Page-, Mobil- oder Desktop-App: Jeder kann ihren Code lesen, deshalb kann sie kein Geheimnis ' +
    'bewahren. Sie verwendet stattdessen PKCE.',
  'grant-type.code': 'Authorization Code',
  'grant-type.code-help':
    'Benutzer melden sich hier an, entscheiden, was sie erlauben, und kehren mit einem Code zurück, den Ihre ' +
    'Anwendung gegen Token eintauscht. Die übliche Wahl.',
  'grant-type.client-credentials': 'Client Credentials',
  'grant-type.client-credentials-help':
    'Die Anwendung handelt für sich selbst, ohne Benutzer: geplante Aufgaben und Aufrufe zwischen Diensten. Nur für ' +
    'vertrauliche Anwendungen.',
  'grant-type.password': 'Resource Owner Password',
  'grant-type.password-help':
    'Die Anwendung fragt Benutzer nach ihrem Passwort und sendet es hierher. Nicht empfohlen, nur für alte ' +
    'Anwendungen.',
  'grant-type.device-code': 'Device Code',
  'grant-type.device-code-help':
    'Ein Fernseher, eine Konsole oder eine Kommandozeile zeigt einen Code, den Benutzer in einem Browser eingeben. ' +
    'Eine Redirect-URI ist nicht nötig.',
  'grant-type.token-exchange': 'Token Exchange',
  'grant-type.token-exchange-help':
    'Eine API tauscht ein empfangenes Token gegen ein enger begrenztes, um andere APIs aufzurufen. Dafür muss ein ' +
    'Administrator eine Tauschregel anlegen. Nur für vertrauliche Anwendungen.',
  'grant-type.assertion': 'Assertion',
  'grant-type.assertion-help':
    'Ein Job eines Clusters oder CI-Systems oder die Anwendung eines Unternehmens legt ein Token des eigenen ' +
    'Ausstellers vor. Dafür muss ein Administrator diesem Aussteller vertrauen. Nur für vertrauliche Anwendungen.',
  'register.title': 'Anwendung registrieren',
  'register.button': 'Registrieren',
  'register.kind': 'Um welche Art von Anwendung geht es?',
  'register.web': 'Webanwendung',
  'register.web-help': 'Läuft auf Ihrem Server und kann ein Geheimnis bewahren.',
  'register.browser': 'Browser-App',
  'register.browser-help': 'Single-Page-App. Ohne Geheimnis: Sie verwendet PKCE.',
  'register.native': 'Mobil oder Desktop',
  'register.native-help': 'Auf dem Gerät des Benutzers installiert. Verwendet PKCE statt eines Geheimnisses.',
  'register.device': 'Gerät',
  'register.device-help': 'Fernseher, Konsole, Kommandozeile. Benutzer geben den Code in einem Browser ein.',
  'register.machine': 'Maschine',
  'register.machine-help': 'Ein Dienst oder eine geplante Aufgabe, ohne Benutzer.',
  'register.name-help': 'Wird Benutzern auf der Zustimmungsseite angezeigt.',
  'register.redirect-uris-help':
    'Wohin Benutzer zurückkehren. Eine vollständige URL pro Zeile: https, oder http auf diesem Computer. Sie können ' +
    'sie auch später eintragen.',
  'register.callback': 'Die Anwendung im Browser ausprobieren',
  'register.callback-help': 'Fügt den Redirect-URIs eine Seite dieses Servers hinzu. Nur Sie können sie verwenden.',
  'register.expert': 'Expertenansicht',
  'applications.all': 'Anwendungen',
  'register.submitted': 'Dieses Formular wurde schon abgesendet',
  'register.submitted-text': 'Die damit registrierte Anwendung wurde inzwischen gelöscht. Es wurde nichts geändert.',
  'register.submitted-advice': 'Öffnen Sie das Formular erneut, um eine weitere Anwendung zu registrieren.',
  'register.unknown-kind': 'Wählen Sie eine davon: {kinds}.',
  'applications.back': 'Zurück',
};

/** Messages on the list of a user’s applications, on several pages about an application, and on registration forms. */
export const applications = { en, de };
