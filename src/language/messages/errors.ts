const en = {
  'error.try-again': 'Try again',
  'error.open-form-again': 'Open the form again',
  'error.without-query': 'Open the page without the query',
  'error.dashboard': 'Go to the dashboard',
  'error.events': 'Go to the events',
  'error.above-form': '{title}. {advice}',
  'error.not-found': 'Page not found',
  'error.not-found.text': 'There is no page at this address.',
  'error.not-found.advice': 'Check the address, or start from the home page.',
  'error.missing':
    '{what, select, user {This user does not exist} group {This group does not exist} application {This ' +
    'application does not exist} setting {This setting does not exist} scope {This scope does not exist} provider ' +
    '{This provider does not exist} issuer {This trusted issuer does not exist} policy {This exchange policy does ' +
    'not exist} event {This event does not exist} grant {This grant does not exist} managed {You have no such ' +
    'application} other {You manage no such resource server}}',
  'error.missing.text':
    '{what, select, user {The account was erased, or the address is wrong.} setting {Settings that were renamed or ' +
    'removed have no page.} event {The log has no event at ' +
    'this position.} grant {The log has no grant with this id.} managed {It was removed, it never existed, or you ' +
    'are not one of its owners.} resource {It was removed, it never existed, or somebody else manages it.} other ' +
    '{It was removed, or it never existed.}}',
  'error.missing.advice':
    '{what, select, event {Look for it in the list of events.} grant {Look for it in the list of events.} other ' +
    '{Look for it in the list.}}',
  'error.missing.list':
    '{what, select, user {All users} group {All groups} application {All applications} setting {All settings} ' +
    'scope {All scopes} provider {All providers} issuer {All trusted issuers} policy {All exchange policies} event ' +
    '{All events} grant {All events} managed {Your applications} other {Your resource servers}}',
  'error.ended': 'Already ended',
  'error.ended.text': 'This has already ended or been removed, so nothing was changed.',
  'error.ended.advice': 'See “{page}” for what remains.',
  'error.outdated-form': 'This form is out of date',
  'error.outdated-form.text':
    'It was already submitted, or the page was opened before the last change. Nothing was changed.',
  'error.outdated-form.advice': 'Reload the page to make another change.',
  'error.conflict': 'Conflicting changes',
  'error.conflict.text':
    'Another request changed your account or the data that you wanted to change, so your change was not saved.',
  'error.conflict.advice': 'Go back, check the current state, and try again.',
  'error.expired-form': 'This form has expired',
  'error.expired-form.text': 'It does not belong to your current session, so nothing was changed.',
  'error.expired-form.advice': 'Open the form again and submit it once more.',
  'error.not-logged-in': 'You are not logged in',
  'error.nothing-changed': 'Nothing was changed.',
  'error.not-logged-in.advice': 'Log in, then try again.',
  'error.no-access': 'No access',
  'error.for-administrators': 'This page is for administrators.',
  'error.for-auditors': 'This page is for auditors and administrators.',
  'error.no-access.advice': 'If you should have access, ask an administrator of this server.',
  'error.too-many-attempts': 'Too many attempts',
  'error.too-many-attempts.text': 'You’ve made too many attempts in a short time. Nothing was changed.',
  'error.in-minutes': 'Try again in {minutes, plural, one {a minute} other {# minutes}}.',
  'error.in-seconds': 'Try again in {seconds, plural, one {a second} other {# seconds}}.',
  'error.too-many-requests': 'Too many requests',
  'error.too-many-requests.text': 'The server is checking too many passwords at the moment.',
  'error.invalid-request': 'This request is not valid',
  'error.invalid-request.advice':
    'You did nothing wrong, and nothing was authorized. Go back to the application that sent you here, and tell its ' +
    'developer the request ID below.',
  'error.application': 'Application',
  'error.requested-client-id': 'Requested client_id',
  'error.requested-redirect-uri': 'Requested redirect_uri',
  'error.last-administrator': 'An administrator is required',
  'error.last-administrator.text': 'This is the last administrator who can log in. Nothing was changed.',
  'error.last-administrator.advice': 'Make another user an administrator first, then try again.',
  'error.last-way.text': 'This would leave no administrator able to log in. Nothing was changed.',
  'error.last-way.advice':
    'Give an administrator another way to log in first: a password, a passkey, or an account at a provider that can ' +
    'still be used. On the server, “grantlog provider” can make the change anyway.',
  'error.not-available': 'Not available',
  'error.cannot-save': 'The server can’t save changes right now.',
  'error.lost-contact':
    'This server has lost contact with its event log, so it cannot tell what is valid at the moment.',
  'error.disk-full': 'The disk of this server is almost full, so nothing can be recorded. Nothing was changed.',
  'error.in-some-seconds': 'Try again in a few seconds.',
  'error.later-or-operator': 'Try again later, or tell the operator.',
  'error.unexpected': 'Something went wrong',
  'error.unexpected.text': 'An unexpected error occurred.',
  'error.unexpected.advice':
    'If it happens again, send the request ID below to the operator of this server. It identifies the error in the ' +
    'server’s log.',
  'error.too-large': 'The submitted data is too large',
  'error.too-large.text': 'It exceeds the limit of {bytes, number} bytes. Nothing was changed.',
  'error.too-large.advice':
    'Go back: your browser usually keeps what you entered. Shorten the longest field, or choose a smaller file, and ' +
    'submit the form again.',
  'error.unreadable-form': 'The form could not be read',
  'error.unreadable-form.advice': 'Go back and submit the form again.',
  'error.cut-short': 'It is incomplete: the connection ended early.',
  'error.field-repeated': 'The {name} field was sent more than once.',
  'error.field-too-long': 'The {name} field is longer than {limit} characters.',
  'error.too-many-fields': 'It has more than {limit} fields.',
  'error.unreadable-address': 'The address could not be read',
  'error.unreadable-address.advice': 'Check the address, or go back to the page and start again.',
  'error.repeated': '{name} occurs more than once.',
  'error.too-long': '{name} is longer than {limit} characters.',
  'error.encoding': 'It has malformed percent-encoding.',
  'error.in-progress': 'In progress',
  'error.status': 'Error {status}',
  'error.explanation-readers': 'Only owners of the application and administrators see this explanation.',
  'error.permanent-link': 'Permanent link',
  'error.change-redirect-uris': 'Change the redirect URIs',
  'error.new-link': 'Request a new link',
  'error.another-user': 'Log in as another user',
  'error.home': 'Go to the home page',
  'error.developer': 'Are you the developer of this application? <a>Log in to see why</a> the request was refused.',
  'error.request-id': 'If you ask for help, include this request ID:',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'error.try-again': 'Noch einmal versuchen',
  'error.open-form-again': 'Formular neu öffnen',
  'error.without-query': 'Seite ohne die Abfrage öffnen',
  'error.dashboard': 'Zur Übersicht der Verwaltung',
  'error.events': 'Zu den Ereignissen',
  'error.above-form': '{title}. {advice}',
  'error.not-found': 'Seite nicht gefunden',
  'error.not-found.text': 'Unter dieser Adresse gibt es keine Seite.',
  'error.not-found.advice': 'Prüfen Sie die Adresse, oder beginnen Sie auf der Startseite.',
  'error.missing':
    '{what, select, user {Diesen Benutzer gibt es nicht} group {Diese Gruppe gibt es nicht} application {Diese ' +
    'Anwendung gibt es nicht} setting {Diese Einstellung gibt es nicht} scope {Diesen Scope gibt es nicht} ' +
    'provider {Diesen Anbieter gibt es nicht} issuer {Diesen Aussteller gibt es nicht} policy {Diese Tauschregel ' +
    'gibt es nicht} event {Dieses Ereignis gibt es nicht} grant {Diesen Grant gibt es nicht} managed {Eine solche ' +
    'Anwendung haben Sie nicht} other {Einen solchen Ressourcenserver verwalten Sie nicht}}',
  'error.missing.text':
    '{what, select, user {Das Konto wurde gelöscht, oder die Adresse ist falsch.} setting {Umbenannte oder ' +
    'entfernte Einstellungen haben keine Seite.} event {Das Protokoll hat ' +
    'an dieser Position kein Ereignis.} grant {Das Protokoll enthält keinen Grant mit dieser ID.} managed {Sie ' +
    'wurde entfernt, es gab sie nie, oder Sie gehören nicht zu ihren Besitzern.} resource {Er wurde entfernt, es ' +
    'gab ihn nie, oder jemand anderes verwaltet ihn.} other {Der Eintrag wurde entfernt, oder es gab ihn nie.}}',
  'error.missing.advice':
    '{what, select, event {Suchen Sie in der Liste der Ereignisse.} grant {Suchen Sie in der Liste der ' +
    'Ereignisse.} other {Suchen Sie in der Liste.}}',
  'error.missing.list':
    '{what, select, user {Alle Benutzer} group {Alle Gruppen} application {Alle Anwendungen} setting {Alle ' +
    'Einstellungen} scope {Alle Scopes} provider {Alle Anbieter} issuer {Alle Aussteller} policy {Alle ' +
    'Tauschregeln} event {Alle Ereignisse} grant {Alle Ereignisse} managed {Ihre Anwendungen} other {Ihre ' +
    'Ressourcenserver}}',
  'error.ended': 'Schon beendet',
  'error.ended.text': 'Das wurde schon beendet oder entfernt. Es wurde deshalb nichts geändert.',
  'error.ended.advice': 'Unter „{page}“ sehen Sie, was noch besteht.',
  'error.outdated-form': 'Dieses Formular ist veraltet',
  'error.outdated-form.text':
    'Es wurde schon abgesendet, oder die Seite wurde vor der letzten Änderung geöffnet. Es wurde nichts geändert.',
  'error.outdated-form.advice': 'Laden Sie die Seite neu, um noch etwas zu ändern.',
  'error.conflict': 'Widersprüchliche Änderungen',
  'error.conflict.text':
    'Inzwischen wurden Ihr Konto oder die Daten geändert, die Sie ändern wollten. Es wurde nichts gespeichert.',
  'error.conflict.advice': 'Gehen Sie zurück, prüfen Sie den aktuellen Stand, und versuchen Sie es noch einmal.',
  'error.expired-form': 'Dieses Formular ist abgelaufen',
  'error.expired-form.text': 'Es gehört nicht zu Ihrer aktuellen Sitzung. Es wurde deshalb nichts geändert.',
  'error.expired-form.advice': 'Öffnen Sie das Formular neu, und senden Sie es noch einmal ab.',
  'error.not-logged-in': 'Sie sind nicht angemeldet',
  'error.nothing-changed': 'Es wurde nichts geändert.',
  'error.not-logged-in.advice': 'Melden Sie sich an, und versuchen Sie es dann noch einmal.',
  'error.no-access': 'Kein Zugriff',
  'error.for-administrators': 'Diese Seite ist Administratoren vorbehalten.',
  'error.for-auditors': 'Diese Seite ist Prüfern und Administratoren vorbehalten.',
  'error.no-access.advice': 'Wenn Sie Zugriff haben sollten, fragen Sie einen Administrator dieses Servers.',
  'error.too-many-attempts': 'Zu viele Versuche',
  'error.too-many-attempts.text': 'Das waren zu viele Versuche in kurzer Zeit. Es wurde nichts geändert.',
  'error.in-minutes': 'Versuchen Sie es in {minutes, plural, one {einer Minute} other {# Minuten}} noch einmal.',
  'error.in-seconds': 'Versuchen Sie es in {seconds, plural, one {einer Sekunde} other {# Sekunden}} noch einmal.',
  'error.too-many-requests': 'Zu viele Anfragen',
  'error.too-many-requests.text': 'Der Server prüft zurzeit zu viele Passwörter.',
  'error.invalid-request': 'Diese Anfrage ist ungültig',
  'error.invalid-request.advice':
    'Sie haben nichts falsch gemacht, und es wurde nichts zugelassen. Gehen Sie zurück zu der Anwendung, von der Sie ' +
    'kommen, und nennen Sie deren Entwickler die unten stehende Anfrage-ID.',
  'error.application': 'Anwendung',
  'error.requested-client-id': 'Angefragte client_id',
  'error.requested-redirect-uri': 'Angefragte redirect_uri',
  'error.last-administrator': 'Ein Administrator ist erforderlich',
  'error.last-administrator.text':
    'Das ist der letzte Administrator, der sich anmelden kann. Es wurde nichts geändert.',
  'error.last-administrator.advice':
    'Machen Sie zuerst einen anderen Benutzer zum Administrator, und versuchen Sie es dann noch einmal.',
  'error.last-way.text': 'Dann könnte sich kein Administrator mehr anmelden. Es wurde nichts geändert.',
  'error.last-way.advice':
    'Geben Sie zuerst einem Administrator eine andere Möglichkeit, sich anzumelden: ein Passwort, einen Passkey oder ' +
    'ein Konto bei einem Anbieter, der weiterhin benutzt werden kann. Auf dem Server kann „grantlog provider“ die ' +
    'Änderung auch ohne das vornehmen.',
  'error.not-available': 'Nicht verfügbar',
  'error.cannot-save': 'Der Server kann zurzeit keine Änderungen speichern.',
  'error.lost-contact':
    'Dieser Server hat die Verbindung zum Ereignisprotokoll verloren und weiß deshalb zurzeit nicht, was gültig ist.',
  'error.disk-full':
    'Die Festplatte dieses Servers ist fast voll. Deshalb kann nichts aufgezeichnet werden. Es wurde nichts geändert.',
  'error.in-some-seconds': 'Versuchen Sie es in einigen Sekunden noch einmal.',
  'error.later-or-operator': 'Versuchen Sie es später noch einmal, oder verständigen Sie den Betreiber.',
  'error.unexpected': 'Etwas ist schiefgegangen',
  'error.unexpected.text': 'Ein unerwarteter Fehler ist aufgetreten.',
  'error.unexpected.advice':
    'Wenn das noch einmal geschieht, senden Sie die unten stehende Anfrage-ID an den Betreiber dieses Servers. Sie ' +
    'steht auch in den Logdateien des Servers.',
  'error.too-large': 'Die gesendeten Daten sind zu groß',
  'error.too-large.text': 'Sie überschreiten die Grenze von {bytes, number} Bytes. Es wurde nichts geändert.',
  'error.too-large.advice':
    'Gehen Sie zurück: Ihr Browser behält meist, was Sie eingegeben haben. Kürzen Sie das längste Feld, oder wählen ' +
    'Sie eine kleinere Datei, und senden Sie das Formular noch einmal ab.',
  'error.unreadable-form': 'Das Formular konnte nicht gelesen werden',
  'error.unreadable-form.advice': 'Gehen Sie zurück, und senden Sie das Formular noch einmal ab.',
  'error.cut-short': 'Es ist unvollständig: Die Verbindung endete zu früh.',
  'error.field-repeated': 'Das Feld „{name}“ wurde mehrmals gesendet.',
  'error.field-too-long': 'Das Feld „{name}“ hat mehr als {limit} Zeichen.',
  'error.too-many-fields': 'Es sind mehr als {limit} Felder.',
  'error.unreadable-address': 'Die Adresse konnte nicht gelesen werden',
  'error.unreadable-address.advice': 'Prüfen Sie die Adresse, oder gehen Sie zurück zur Seite, und beginnen Sie neu.',
  'error.repeated': '„{name}“ kommt mehrmals vor.',
  'error.too-long': '„{name}“ hat mehr als {limit} Zeichen.',
  'error.encoding': 'Die Prozentkodierung ist fehlerhaft.',
  'error.in-progress': 'In Bearbeitung',
  'error.status': 'Fehler {status}',
  'error.explanation-readers': 'Nur Besitzer der Anwendung und Administratoren sehen diese Erklärung.',
  'error.permanent-link': 'Dauerhafter Link',
  'error.change-redirect-uris': 'Redirect-URIs ändern',
  'error.new-link': 'Neuen Link anfordern',
  'error.another-user': 'Als anderer Benutzer anmelden',
  'error.home': 'Zur Startseite',
  'error.developer':
    'Haben Sie diese Anwendung entwickelt? <a>Melden Sie sich an, um zu sehen</a>, warum die Anfrage abgelehnt wurde.',
  'error.request-id': 'Wenn Sie um Hilfe bitten, nennen Sie diese Anfrage-ID:',
};

/** Error messages that any page may show. */
export const errors = { en, de };
