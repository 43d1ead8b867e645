const en = {
  'home.title': 'OAuth 2.0 and OpenID Connect server',
  'home.first-step': 'First step',
  'home.create-administrator': 'Create the first administrator',
  'home.set-up':
    'This server is running, but it has no administrator yet. Open the set-up link that the server printed when it ' +
    'started.',
  'home.set-up-terminal': 'Look in the <b>terminal</b> where you started the server. The link is in a box.',
  'home.set-up-log':
    'Or search the <b>server’s log</b> for “there is no administrator yet”, for example with ' +
    '<code>journalctl -u grantlog</code> or <code>docker logs</code>. If there are several nodes, each prints the ' +
    'same link.',
  'home.set-up-restart':
    'If you cannot find the link, <b>restart the server</b>. It prints a link every time it starts until there is an ' +
    'administrator.',
  'home.have-account': 'Already have an account? <a>Log in</a>',
  'home.claim': 'Access, granted on the\u00a0record.',
  'home.lede':
    'Applications request access to protected APIs, users decide what to allow, and every decision is recorded in a ' +
    'tamper-evident log.',
  'home.sign-up': 'Sign up',
  'home.developers': 'For developers',
  'home.developers-text':
    'Register an application, get a client id and a secret, and get your first token in the browser.',
  'home.register': 'Register an application',
  'home.everyone': 'For everyone',
  'home.everyone-text':
    'See which applications have access to your account, and since when. Revoke their access whenever you like.',
  'home.review': 'Review authorized applications',
  'home.discovery': 'API and discovery',
  'home.discovery-text': 'Endpoints, grant types and scopes, in machine-readable documents.',
  'home.api-reference': 'API reference',
  'home.openapi': 'OpenAPI 3.1 document',
  'home.server-metadata': 'Authorization server metadata',
  'home.resource-metadata': 'Protected resource metadata',
  'home.hello': 'Hello, <bdi>{name}</bdi>',
  'home.yours': 'Your applications, and the applications that you have given access to your account.',
  'home.no-administrator': 'This server has no administrator yet',
  'home.no-administrator-text': 'To create one, open the set-up link in the server’s terminal or log.',
  'home.server': 'This server',
  'home.logins': 'Logins in the last 24 hours',
  'home.failed-logins': 'Failed logins in the last 24 hours',
  'home.refusals': 'Refusals in the last 24 hours',
  'home.all-own': 'All {count, number}<hidden> of my applications</hidden>',
  'home.manage-own': 'Manage<hidden> my applications</hidden>',
  'home.no-applications': 'No applications yet. Register one, and get its first token here with the “Run” button.',
  'home.never-used': 'never used',
  'home.last-used': 'last used <time>{when}</time>',
  'home.all-authorized': 'All {count, number}<hidden> of the authorized applications</hidden>',
  'home.manage-authorized': 'Manage<hidden> the authorized applications</hidden>',
  'home.none-authorized': 'You have not authorized any applications yet.',
  'home.more': '{count, number} more',
  'home.authorized': 'authorized <time>{when}</time>',
  'home.recent-refusals': 'Recent refusals',
  'home.all-refusals': 'All<hidden> refusals</hidden>',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'home.title': 'Server für OAuth 2.0 und OpenID Connect',
  'home.first-step': 'Erster Schritt',
  'home.create-administrator': 'Den ersten Administrator anlegen',
  'home.set-up':
    'Dieser Server läuft, hat aber noch keinen Administrator. Öffnen Sie den Einrichtungslink, den der Server beim ' +
    'Start ausgegeben hat.',
  'home.set-up-terminal':
    'Sehen Sie im <b>Terminal</b> nach, in dem Sie den Server gestartet haben. Der Link ist eingerahmt.',
  'home.set-up-log':
    'Oder suchen Sie im <b>Log des Servers</b> nach „there is no administrator yet“, zum Beispiel mit ' +
    '<code>journalctl -u grantlog</code> oder <code>docker logs</code>. Bei mehreren Knoten gibt jeder denselben ' +
    'Link aus.',
  'home.set-up-restart':
    'Nicht gefunden? <b>Starten Sie den Server neu.</b> Er gibt bei jedem Start einen Link aus, bis es einen ' +
    'Administrator gibt.',
  'home.have-account': 'Sie haben schon ein Konto? <a>Anmelden</a>',
  'home.claim': 'Zugriff, lückenlos\u00a0belegt.',
  'home.lede':
    'Anwendungen bitten um Zugriff auf geschützte APIs, Benutzer entscheiden, was sie zulassen, und jede ' +
    'Entscheidung steht in einem manipulationssicheren Protokoll.',
  'home.sign-up': 'Registrieren',
  'home.developers': 'Für Entwickler',
  'home.developers-text':
    'Registrieren Sie eine Anwendung, erhalten Sie eine Client-ID und ein Client-Secret, und holen Sie Ihr erstes ' +
    'Token im Browser.',
  'home.register': 'Anwendung registrieren',
  'home.everyone': 'Für alle',
  'home.everyone-text':
    'Sehen Sie, welche Anwendungen Zugriff auf Ihr Konto haben und seit wann. Sie können ihn jederzeit widerrufen.',
  'home.review': 'Zugelassene Anwendungen ansehen',
  'home.discovery': 'API und Metadaten',
  'home.discovery-text': 'Endpunkte, Grant-Typen und Scopes in maschinenlesbaren Dokumenten.',
  'home.api-reference': 'API-Referenz',
  'home.openapi': 'OpenAPI-3.1-Dokument',
  'home.server-metadata': 'Metadaten des Autorisierungsservers',
  'home.resource-metadata': 'Metadaten des Ressourcenservers',
  'home.hello': 'Guten Tag, <bdi>{name}</bdi>',
  'home.yours': 'Ihre Anwendungen und die, denen Sie Zugriff gegeben haben.',
  'home.no-administrator': 'Dieser Server hat noch keinen Administrator',
  'home.no-administrator-text':
    'Öffnen Sie den Einrichtungslink im Terminal oder im Log des Servers, um einen anzulegen.',
  'home.server': 'Dieser Server',
  'home.logins': 'Anmeldungen in 24 Stunden',
  'home.failed-logins': 'Fehlversuche in 24 Stunden',
  'home.refusals': 'Ablehnungen in 24 Stunden',
  'home.all-own': 'Alle {count, number}<hidden> meiner Anwendungen</hidden>',
  'home.manage-own': 'Verwalten<hidden>: meine Anwendungen</hidden>',
  'home.no-applications':
    'Noch keine Anwendungen. Registrieren Sie eine, und holen Sie ihr erstes Token hier mit der Schaltfläche ' +
    '„Ausführen“.',
  'home.never-used': 'nie verwendet',
  'home.last-used': 'zuletzt verwendet <time>{when}</time>',
  'home.all-authorized': 'Alle {count, number}<hidden> zugelassenen Anwendungen</hidden>',
  'home.manage-authorized': 'Verwalten<hidden>: zugelassene Anwendungen</hidden>',
  'home.none-authorized': 'Sie haben noch keine Anwendungen zugelassen.',
  'home.more': '{count, number} weitere',
  'home.authorized': 'zugelassen <time>{when}</time>',
  'home.recent-refusals': 'Neueste Ablehnungen',
  'home.all-refusals': 'Alle<hidden> Ablehnungen</hidden>',
};

/** Messages on the home page, for visitors and for users. */
export const home = { en, de };
