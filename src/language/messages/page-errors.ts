const en = {
  'error.address-long': 'The address is longer than {limit} characters.',
  'error.path-long': 'The path is longer than {limit} characters.',
  'error.path-invalid':
    'The address is not valid. Characters that are not allowed in an address must be percent-encoded.',
  'error.check-address': 'Check the address.',
  'error.bad-request': 'Bad request',
  'error.address-encoding': 'The address has malformed percent-encoding.',
  'error.header-long': 'A header is too long',
  'error.header-long.text': 'The {name} header is longer than {limit} characters.',
  'error.header-long.advice': 'Clear the cookies of this site, or check the program that sent the request.',
  'error.method': 'Method not allowed',
  'error.method.text': 'This address accepts only {methods}.',
  'error.form-encoding': 'The form has malformed percent-encoding, or its decoded bytes are not UTF-8.',
  'error.charset': 'The charset of the form is not UTF-8.',
  'error.charset.advice': 'Send the form in UTF-8.',
  'error.compressed': 'The form has a Content-Encoding, but this server does not accept compressed forms.',
  'error.compressed.advice': 'Send the form without compression.',
  'error.pieces': 'The form arrived in too many small chunks. The server accepts at most {limit}.',
  'error.pieces.advice': 'Send the form with a Content-Length, or in larger chunks.',
  'error.multipart': 'The form is not well-formed multipart/form-data.',
  'error.not-finished': 'Recorded, but not yet complete',
  'error.not-finished.text':
    'The deletion of the {owner, select, account {account} other {application}} has been recorded and has taken ' +
    'effect, but the encryption key is still on the disk.',
  'error.not-finished.advice':
    'The server will remove the key as soon as it can write to the disk. You do not have to repeat the deletion.',
  'error.empty': '(empty)',
  'error.unknown-format': 'Unknown format',
  'error.list-format': 'A list can be downloaded only as csv.',
  'unusable.no-client-id': 'The request has no client_id.',
  'unusable.unknown-client': 'No application is registered under this client_id.',
  'unusable.no-redirect-uri':
    'The request has no redirect_uri, which is required unless the application has registered exactly one.',
  'unusable.other-redirect-uri':
    'The redirect_uri of the request does not match any redirect URI that is registered for the application.',
  'unusable.forbidden-redirect-uri': 'This server does not allow the redirect_uri of the request: it {problem}.',
  'unusable.profile-https-redirect': 'The redirect_uri must use https (FAPI 2.0 Security Profile, section 5.3.2.2).',
  'unusable.profile-redirect-uri': 'The request must have a redirect_uri (FAPI 2.0 Security Profile, section 5.3.2.2).',
  'unusable.unknown-request': 'The request_uri was not issued by this server.',
  'unusable.request-of-another': 'The request_uri was issued to a different application.',
  'unusable.expired-request': 'The request_uri has expired.',
  'unusable.unreadable': 'The request could not be read: {problem}.',
  'unusable.documents-off':
    'This server accepts only registered applications, but the client_id is the URL of a metadata document.',
  'unusable.domain-not-listed': 'The operator of this server has not allowed applications from this domain.',
  'unusable.domain-blocked': 'An administrator of this server has blocked applications from this domain.',
  'unusable.removed': 'The application was removed from this server.',
  'unusable.disabled': 'An administrator has disabled the application on this server.',
  'unusable.answered':
    'The application has already received the response to this request. A request can be used only once.',
  'unusable.long': 'The request has more than {limit} characters.',
  'unusable.client-id': 'The client_id {problem}.',
  'unusable.document-unreadable': 'The URL of the application’s description {problem}.',
  'unusable.document-invalid': 'The description of the application {problem}.',
  'unusable.document-invalid-fields': 'The description of the application {problem}',
  'logout-error.title': 'The logout request is not valid',
  'logout-error.advice': 'If you were logged in, you still are. To log out, use the button at the top of any page.',
  'logout-error.expired': 'This page is no longer valid',
  'logout-error.expired-text': 'It has expired, or it belongs to a different session. Nothing was changed.',
  'logout-error.expired-advice': 'To log out, use the button at the top of any page.',
  'logout-error.button': 'Log out with the button',
  'logout-error.button-text':
    'Opening this address does not log you out, because otherwise other sites could log you out.',
  'logout-error.button-advice': 'Use the “Log out” button at the top of the page.',
  'logout-error.hint':
    'The id_token_hint of the request is not an ID token that this server issued to the application.',
  'logout-error.unknown-client': 'No application is registered under the client_id of the request.',
  'logout-error.no-client':
    'The request has a post_logout_redirect_uri, but does not identify the application that sent it.',
  'logout-error.unregistered-uri':
    'The post_logout_redirect_uri of the request does not match any URI that is registered for the application.',
  'setup-error.title': 'This link does not work',
  'setup-error.text': 'A set-up link works only once, and a restart can replace it.',
  'setup-error.advice':
    'If you have already created your account, log in. Otherwise, open the newest link in the server’s output.',
  'signup-error.title': 'Sign-up is closed',
  'signup-error.text': 'Accounts on this server are created by its administrators.',
  'signup-error.advice': 'If you have an account, log in. Otherwise, ask an administrator for one.',
  'account-invitation.dead-advice':
    'If you have already created your account, log in. Otherwise, ask for a new invitation.',
  'second-step.wrong-factor':
    'That did not work. Codes are valid for about a minute and work only once. Check that your device’s clock is ' +
    'correct.',
  'second-step.too-late': 'That took too long, or your account was changed. Please log in again.',
  'passkeys.invalid-name': 'The name can have at most {limit} characters and no invisible characters.',
  'passkeys.already-added': 'This passkey has already been added.',
  'passkeys.invalid-response': 'The passkey could not be verified, or the request timed out. Try again.',
  'passkeys.too-many': 'You have reached the maximum number of passkeys. Remove one that you no longer use.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'error.address-long': 'Die Adresse ist länger als {limit} Zeichen.',
  'error.path-long': 'Der Pfad ist länger als {limit} Zeichen.',
  'error.path-invalid':
    'Die Adresse ist ungültig. Zeichen, die in einer Adresse nicht erlaubt sind, müssen mit % kodiert werden.',
  'error.check-address': 'Prüfen Sie die Adresse.',
  'error.bad-request': 'Ungültige Anfrage',
  'error.address-encoding': 'Die Prozentkodierung der Adresse ist fehlerhaft.',
  'error.header-long': 'Eine Kopfzeile ist zu lang',
  'error.header-long.text': 'Die Kopfzeile {name} ist länger als {limit} Zeichen.',
  'error.header-long.advice':
    'Löschen Sie die Cookies dieser Website, oder prüfen Sie das Programm, das die Anfrage gesendet hat.',
  'error.method': 'Methode nicht erlaubt',
  'error.method.text': 'Diese Adresse nimmt nur {methods} an.',
  'error.form-encoding':
    'Die Prozentkodierung des Formulars ist fehlerhaft, oder die dekodierten Bytes sind kein UTF-8.',
  'error.charset': 'Der Zeichensatz des Formulars ist nicht UTF-8.',
  'error.charset.advice': 'Senden Sie das Formular in UTF-8.',
  'error.compressed':
    'Das Formular hat eine Content-Encoding, aber dieser Server nimmt keine komprimierten Formulare an.',
  'error.compressed.advice': 'Senden Sie das Formular ohne Komprimierung.',
  'error.pieces': 'Das Formular kam in zu vielen kleinen Stücken an. Der Server nimmt höchstens {limit} an.',
  'error.pieces.advice': 'Senden Sie das Formular mit einer Content-Length, oder in größeren Stücken.',
  'error.multipart': 'Das Formular ist kein wohlgeformtes multipart/form-data.',
  'error.not-finished': 'Aufgezeichnet, aber noch nicht abgeschlossen',
  'error.not-finished.text':
    'Die Löschung {owner, select, account {des Kontos} other {der Anwendung}} ist aufgezeichnet und wirksam, aber ' +
    'der Schlüssel für die Verschlüsselung ist noch auf der Festplatte.',
  'error.not-finished.advice':
    'Der Server entfernt den Schlüssel, sobald er auf die Festplatte schreiben kann. Sie müssen die Löschung nicht ' +
    'wiederholen.',
  'error.empty': '(leer)',
  'error.unknown-format': 'Unbekanntes Format',
  'error.list-format': 'Eine Liste kann nur als csv heruntergeladen werden.',
  'unusable.no-client-id': 'Die Anfrage hat keine client_id.',
  'unusable.unknown-client': 'Unter dieser client_id ist keine Anwendung registriert.',
  'unusable.no-redirect-uri':
    'Die Anfrage hat keine redirect_uri. Diese ist nötig, außer wenn die Anwendung genau eine registriert hat.',
  'unusable.other-redirect-uri':
    'Die redirect_uri der Anfrage stimmt mit keiner überein, die die Anwendung registriert hat.',
  'unusable.forbidden-redirect-uri': 'Dieser Server erlaubt die redirect_uri der Anfrage nicht: Sie {problem}.',
  'unusable.profile-https-redirect':
    'Die redirect_uri muss https verwenden (FAPI 2.0 Security Profile, Abschnitt 5.3.2.2).',
  'unusable.profile-redirect-uri':
    'Die Anfrage muss eine redirect_uri haben (FAPI 2.0 Security Profile, Abschnitt 5.3.2.2).',
  'unusable.unknown-request': 'Die request_uri wurde nicht von diesem Server ausgegeben.',
  'unusable.request-of-another': 'Die request_uri wurde für eine andere Anwendung ausgegeben.',
  'unusable.expired-request': 'Die request_uri ist abgelaufen.',
  'unusable.unreadable': 'Die Anfrage konnte nicht gelesen werden: „{problem}“.',
  'unusable.documents-off':
    'Dieser Server lässt nur registrierte Anwendungen zu, aber die client_id ist die Adresse eines Metadatendokuments.',
  'unusable.domain-not-listed': 'Der Betreiber dieses Servers hat keine Anwendungen dieser Domain erlaubt.',
  'unusable.domain-blocked': 'Ein Administrator dieses Servers hat Anwendungen dieser Domain gesperrt.',
  'unusable.removed': 'Die Anwendung wurde von diesem Server entfernt.',
  'unusable.disabled': 'Ein Administrator hat die Anwendung auf diesem Server gesperrt.',
  'unusable.answered':
    'Die Anwendung hat die Antwort auf diese Anfrage schon erhalten. Eine Anfrage kann nur einmal verwendet werden.',
  'unusable.long': 'Die Anfrage hat mehr als {limit} Zeichen.',
  'unusable.client-id': 'Die client_id {problem}.',
  'unusable.document-unreadable': 'Die Beschreibung der Anwendung ist nicht abrufbar: {problem}.',
  'unusable.document-invalid': 'Die Beschreibung der Anwendung ist ungültig: {problem}.',
  'unusable.document-invalid-fields': 'Die Beschreibung der Anwendung ist ungültig: {problem}',
  'logout-error.title': 'Die Anfrage zum Abmelden ist ungültig',
  'logout-error.advice':
    'Wenn Sie angemeldet waren, sind Sie es noch. Um sich abzumelden, verwenden Sie die Schaltfläche oben auf jeder ' +
    'Seite.',
  'logout-error.expired': 'Diese Seite ist nicht mehr gültig',
  'logout-error.expired-text':
    'Sie ist abgelaufen, oder sie gehört zu einer anderen Sitzung. Es wurde nichts geändert.',
  'logout-error.expired-advice': 'Um sich abzumelden, verwenden Sie die Schaltfläche oben auf jeder Seite.',
  'logout-error.button': 'Melden Sie sich mit der Schaltfläche ab',
  'logout-error.button-text':
    'Das Öffnen dieser Adresse meldet Sie nicht ab, damit andere Websites das nicht auslösen können.',
  'logout-error.button-advice': 'Verwenden Sie die Schaltfläche „Abmelden“ oben auf der Seite.',
  'logout-error.hint':
    'Der id_token_hint der Anfrage ist kein ID-Token, das dieser Server für die Anwendung ausgestellt hat.',
  'logout-error.unknown-client': 'Unter der client_id der Anfrage ist keine Anwendung registriert.',
  'logout-error.no-client':
    'Die Anfrage hat eine post_logout_redirect_uri, nennt aber nicht die Anwendung, die sie gesendet hat.',
  'logout-error.unregistered-uri':
    'Die post_logout_redirect_uri der Anfrage stimmt mit keiner überein, die die Anwendung registriert hat.',
  'setup-error.title': 'Dieser Link funktioniert nicht',
  'setup-error.text': 'Links zur Einrichtung gelten einmal, und ein Neustart kann sie ersetzen.',
  'setup-error.advice':
    'Wenn Sie Ihr Konto schon erstellt haben, melden Sie sich an. Öffnen Sie sonst den neuesten Link in der Ausgabe ' +
    'des Servers.',
  'signup-error.title': 'Die Registrierung ist geschlossen',
  'signup-error.text': 'Konten auf diesem Server erstellen dessen Administratoren.',
  'signup-error.advice': 'Wenn Sie ein Konto haben, melden Sie sich an. Bitten Sie sonst einen Administrator um eines.',
  'account-invitation.dead-advice':
    'Wenn Sie Ihr Konto schon erstellt haben, melden Sie sich an. Bitten Sie sonst um eine neue Einladung.',
  'second-step.wrong-factor':
    'Das hat nicht funktioniert. Codes gelten etwa eine Minute und nur einmal. Prüfen Sie, ob die Uhr Ihres Geräts ' +
    'richtig geht.',
  'second-step.too-late': 'Das hat zu lange gedauert, oder Ihr Konto wurde geändert. Bitte melden Sie sich neu an.',
  'passkeys.invalid-name': 'Verwenden Sie für den Namen höchstens {limit} Zeichen, und keine unsichtbaren.',
  'passkeys.already-added': 'Dieser Passkey wurde schon hinzugefügt.',
  'passkeys.invalid-response':
    'Der Passkey konnte nicht überprüft werden, oder es hat zu lange gedauert. Versuchen Sie es noch einmal.',
  'passkeys.too-many': 'Mehr Passkeys sind nicht möglich. Entfernen Sie einen, den Sie nicht mehr verwenden.',
};

/** Messages on error pages, and about invalid input in forms. */
export const pageErrors = { en, de };
