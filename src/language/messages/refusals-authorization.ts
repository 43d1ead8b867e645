const en = {
  'refusal.code-challenge-missing.rule': 'This request requires PKCE (RFC 7636).',
  'refusal.code-challenge-missing.expected': 'code_challenge and code_challenge_method=S256',
  'refusal.code-challenge-missing.seen': 'only code_challenge_method',
  'refusal.code-challenge-missing.seen-2': 'neither, from a {clientType} client',
  'refusal.code-challenge-missing.advice':
    'Enable PKCE in the client library. Keep the verifier for the token request.',
  'refusal.client-in-test-mode.rule':
    'In test mode, only the owners of the application and its test users can authorize it.',
  'refusal.client-in-test-mode.expected': 'an owner or a test user of the application',
  'refusal.client-in-test-mode.advice':
    'Invite the user as a test user on the People tab, or switch the application to live mode there.',
  'refusal.log-in-required.expected':
    'a login by the requested user that meets the requirements of the request, at most {maxAgeSeconds} seconds ago',
  'refusal.consent-required.expected': 'earlier consent to everything requested, with a grant that is still active',
  'refusal.consent-required.seen': 'no such consent to {missing}',
  'refusal.interaction-required.expected': 'a client whose redirect URI no other program can intercept (RFC 8252 §8.6)',
  'refusal.interaction-required.seen':
    'a {clientType} client whose redirect URI has a loopback address or a private-use scheme',
  'refusal.interaction-required.advice':
    'Send the request without prompt=none. To authorize without showing a page, use an https redirect URI or a ' +
    'confidential client.',
  'refusal.login-class-unmet.rule':
    'An essential acr (OpenID Connect Core §5.5.1.1) and acr_values (RFC 9470 §5) must be met.',
  'refusal.login-class-unmet.expected': 'acr {expected}',
  'refusal.login-class-unmet.seen': 'a login whose class is not recorded',
  'refusal.login-class-unmet.seen-2': 'acr {seen}',
  'refusal.login-class-unmet.advice':
    'Tell the user to log in with a passkey for acr phr, or with a second factor for acr mfa, or request a weaker ' +
    'class as well.',
  'refusal.hinted-user-not-logged-in.rule':
    'The user that id_token_hint or the sub claim identifies must log in (OpenID Connect Core §3.1.2.1).',
  'refusal.hinted-user-not-logged-in.expected': 'the user that the request identifies',
  'refusal.hinted-user-not-logged-in.seen': 'a login by a different user',
  'refusal.hinted-user-not-logged-in.advice':
    'Have the user log in again, or send the request without the hint to accept any user.',
  'refusal.hint-refused.rule':
    'id_token_hint must be an ID token that this server issued to this client. The ID token may have expired.',
  'refusal.hint-refused.expected': 'the last ID token that this client received from this server',
  'refusal.hint-refused.advice':
    'Send the ID token unchanged. A token without a signature, or from a different server, is never accepted.',
  'refusal.parameter-not-supported.rule': 'This server does not support the {parameter} parameter.',
  'refusal.parameter-not-supported.expected': 'all parameters in the query or in the form',
  'refusal.parameter-not-supported.advice':
    'Turn off {parameter, select, registration {self-issued registration} other {request objects}} in the client ' +
    'library.',
  'refusal.redirect-uri-missing.rule': 'redirect_uri may be omitted only if exactly one is registered.',
  'refusal.redirect-uri-missing.seen': 'none, with {registered} registered',
  'refusal.redirect-uri-missing.advice': 'Send the redirect_uri that the response should go to.',
  'refusal.redirect-uri-not-registered.rule':
    'redirect_uri must match a registered redirect URI exactly (RFC 9700 §2.1).',
  'refusal.redirect-uri-not-registered.advice': 'Register it on the application’s page.',
  'refusal.redirect-uri-not-registered.advice-2':
    'It must match exactly, including any trailing slash. Register this URI only if it is your own: codes are sent ' +
    'to registered URIs.',
  'refusal.post-logout-uri-without-client.rule':
    'A request with post_logout_redirect_uri must identify the application (OpenID Connect RP-Initiated Logout §2).',
  'refusal.post-logout-uri-without-client.expected': 'id_token_hint, or client_id',
  'refusal.post-logout-uri-without-client.seen': 'neither',
  'refusal.post-logout-uri-without-client.advice':
    'Send the user’s last ID token as id_token_hint. Then the user does not have to confirm the logout, either.',
  'refusal.post-logout-uri-not-registered.rule':
    'post_logout_redirect_uri must match a registered URI exactly (OpenID Connect RP-Initiated Logout §3).',
  'refusal.post-logout-uri-not-registered.advice': 'Register it on the application’s page.',
  'refusal.post-logout-uri-not-registered.advice-2':
    'Put values that vary into state, which is returned to the application. The URI must match exactly, including ' +
    'its query.',
  'refusal.redirect-uri-not-allowed.rule':
    'The settings must allow a redirect URI when it is used, not only when it is registered.',
  'refusal.redirect-uri-not-allowed.expected': 'a redirect URI that the current settings allow',
  'refusal.redirect-uri-not-allowed.seen': '{uri}, which {problem}',
  'refusal.redirect-uri-not-allowed.advice':
    'Register a different redirect URI for the application, and send that URI instead.{hasSetting, select, yes { The ' +
    'operator can allow the refused URI with {setting}.} other {}}',
  'refusal.denied.rule': 'The user decides whether to grant access.',
  'refusal.denied.expected': 'consent',
  'refusal.denied.seen': 'the user declined',
  'refusal.denied.seen-2': 'the user removed every scope',
  'refusal.denied.advice': 'Nothing is wrong. Tell the user what the access is for, and let them try again.',
  'refusal.request-aged.rule':
    'Consent and logout forms are valid for one hour, and only in the session and for the user they were shown to.',
  'refusal.request-aged.expected': 'a form shown to this user within the last hour',
  'refusal.request-aged.seen': 'an older form, or one shown to a different user',
  'refusal.request-aged.advice': 'Start again in the application.',
  'refusal.request-answered.rule': 'A consent form can be answered once.',
  'refusal.request-answered.expected': 'the first answer',
  'refusal.request-answered.seen': 'a second answer to a form whose code was redeemed or has expired',
  'refusal.request-answered.advice': 'Start again in the application.',
  'refusal.form-not-of-session.rule': 'A consent form is valid only in the session it was shown in.',
  'refusal.form-not-of-session.expected': 'the form of the current session',
  'refusal.form-not-of-session.seen':
    'a form from a different session, from a different site or from a session that has ended',
  'refusal.form-not-of-session.advice':
    'Go back to the application and start again. A program cannot consent for a user; the user has to press the ' +
    'button.',
  'refusal.authorization.with-closest.expected': 'a registered URI',
  'refusal.authorization.with-closest.seen': 'a URI, but the application has registered none',
  'refusal.authorization.test-mode-seen.authorization': 'a login by another user',
  'refusal.authorization.test-mode-seen.password': 'the password of another user',
  'refusal.authorization.test-mode-seen.code':
    'a code for another user, who authorized the application before it was in test mode or while still a test user',
  'refusal.authorization.test-mode-seen.device-code':
    'a device code that another user approved before the application was in test mode or while still a test user',
  'refusal.authorization.test-mode-seen.refresh-token':
    'a refresh token for another user, who authorized the application before it was in test mode or while still a ' +
    'test user',
  'refusal.authorization.test-mode-seen.subject-token': 'a subject token of another user',
  'refusal.authorization.test-mode-seen.assertion': 'an assertion about another user',
  'refusal.authorization.silent': 'With prompt=none, no page may be shown.',
  'refusal.authorization.expected-login': 'a login by the requested user that meets the requirements of the request',
  'refusal.authorization.login-seen.nobody': 'nobody is logged in',
  'refusal.authorization.login-seen.too-old': 'a login that is older than max_age allows',
  'refusal.authorization.login-seen.another-user':
    'a user other than the one that id_token_hint or the sub claim identifies',
  'refusal.authorization.login-seen.login-class': 'a login with an acr other than the essential one',
  'refusal.authorization.login-seen.second-factor': 'a login without the second factor that the application requires',
  'refusal.authorization.login-seen.not-recorded':
    'a login whose time and method are not recorded, because an earlier release started the session',
  'refusal.authorization.without-prompt': 'Send the request without prompt=none.',
  'refusal.authorization.hint-problems.not-of-this-server': 'not an ID token from this server',
  'refusal.authorization.hint-problems.of-another-client': 'an ID token for a different client',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.code-challenge-missing.rule': 'Diese Anfrage setzt PKCE voraus (RFC 7636).',
  'refusal.code-challenge-missing.expected': 'code_challenge und code_challenge_method=S256',
  'refusal.code-challenge-missing.seen': 'nur code_challenge_method',
  'refusal.code-challenge-missing.seen-2':
    'keines von beiden, von einem {clientType, select, public {öffentlichen} other {vertraulichen}} Client',
  'refusal.code-challenge-missing.advice':
    'Schalten Sie PKCE in der Client-Bibliothek ein. Bewahren Sie den Verifier für die Token-Anfrage auf.',
  'refusal.client-in-test-mode.rule':
    'Im Testmodus können nur die Besitzer der Anwendung und ihre Testbenutzer sie zulassen.',
  'refusal.client-in-test-mode.expected': 'ein Besitzer oder Testbenutzer der Anwendung',
  'refusal.client-in-test-mode.advice':
    'Laden Sie den Benutzer im Tab „Personen“ als Testbenutzer ein, oder schalten Sie die Anwendung dort in den ' +
    'Live-Modus.',
  'refusal.log-in-required.expected':
    'der Benutzer, für den die Anfrage ist, vor höchstens {maxAgeSeconds} Sekunden so angemeldet, wie die Anfrage ' +
    'es verlangt',
  'refusal.consent-required.expected':
    'eine frühere Zustimmung zu allem, was angefordert wird, mit einem Grant, der noch gilt',
  'refusal.consent-required.seen': 'keine solche Zustimmung zu {missing}',
  'refusal.interaction-required.expected':
    'ein Client, dessen Redirect-URI kein anderes Programm abfangen kann (RFC 8252 §8.6)',
  'refusal.interaction-required.seen':
    'ein {clientType, select, public {öffentlicher} other {vertraulicher}} Client, dessen Redirect-URI eine ' +
    'Loopback-Adresse oder ein eigenes Schema hat',
  'refusal.interaction-required.advice':
    'Senden Sie die Anfrage ohne prompt=none. Um ohne eine Seite zuzulassen, verwenden Sie eine Redirect-URI mit ' +
    'https oder einen vertraulichen Client.',
  'refusal.login-class-unmet.rule':
    'Ein zwingendes acr (OpenID Connect Core §5.5.1.1) und acr_values (RFC 9470 §5) müssen erfüllt werden.',
  'refusal.login-class-unmet.expected': 'acr {expected}',
  'refusal.login-class-unmet.seen': 'eine Anmeldung, deren Klasse nicht aufgezeichnet ist',
  'refusal.login-class-unmet.seen-2': 'acr {seen}',
  'refusal.login-class-unmet.advice':
    'Fordern Sie den Benutzer auf, sich für acr phr mit einem Passkey oder für acr mfa mit einem zweiten Faktor ' +
    'anzumelden. Oder fordern Sie zusätzlich eine schwächere Klasse an.',
  'refusal.hinted-user-not-logged-in.rule':
    'Der Benutzer von id_token_hint oder des Claims sub muss sich anmelden (OpenID Connect Core §3.1.2.1).',
  'refusal.hinted-user-not-logged-in.expected': 'der Benutzer, den die Anfrage nennt',
  'refusal.hinted-user-not-logged-in.seen': 'eine Anmeldung eines anderen Benutzers',
  'refusal.hinted-user-not-logged-in.advice':
    'Lassen Sie den Benutzer sich neu anmelden, oder senden Sie die Anfrage ohne diese Angabe, um jeden Benutzer ' +
    'anzunehmen.',
  'refusal.hint-refused.rule':
    'id_token_hint muss ein ID-Token sein, das dieser Server für diesen Client ausgestellt hat. Es darf abgelaufen ' +
    'sein.',
  'refusal.hint-refused.expected': 'das letzte ID-Token, das dieser Client von diesem Server erhalten hat',
  'refusal.hint-refused.advice':
    'Senden Sie das ID-Token unverändert. Ein Token ohne Signatur oder von einem anderen Server wird nie angenommen.',
  'refusal.parameter-not-supported.rule': 'Dieser Server unterstützt den Parameter {parameter} nicht.',
  'refusal.parameter-not-supported.expected': 'alle Parameter in der Query oder im Formular',
  'refusal.parameter-not-supported.advice':
    'Schalten Sie {parameter, select, registration {die Registrierung selbst ausgestellter Anbieter} other ' +
    '{Request-Objekte}} in der Client-Bibliothek aus.',
  'refusal.redirect-uri-missing.rule': 'redirect_uri darf nur fehlen, wenn genau eine registriert ist.',
  'refusal.redirect-uri-missing.seen': 'nichts, bei {registered} registrierten',
  'refusal.redirect-uri-missing.advice': 'Senden Sie die redirect_uri, an die die Antwort gehen soll.',
  'refusal.redirect-uri-not-registered.rule':
    'redirect_uri muss genau mit einer registrierten übereinstimmen (RFC 9700 §2.1).',
  'refusal.redirect-uri-not-registered.advice': 'Registrieren Sie sie auf der Seite der Anwendung.',
  'refusal.redirect-uri-not-registered.advice-2':
    'Sie muss genau übereinstimmen, auch mit einem Schrägstrich am Ende. Registrieren Sie diese URI nur, wenn sie ' +
    'Ihre eigene ist: Codes werden an registrierte URIs gesendet.',
  'refusal.post-logout-uri-without-client.rule':
    'Eine Anfrage mit post_logout_redirect_uri muss die Anwendung nennen (OpenID Connect RP-Initiated Logout §2).',
  'refusal.post-logout-uri-without-client.expected': 'id_token_hint oder client_id',
  'refusal.post-logout-uri-without-client.seen': 'keines von beiden',
  'refusal.post-logout-uri-without-client.advice':
    'Senden Sie das letzte ID-Token des Benutzers als id_token_hint. Dann muss der Benutzer auch nicht bestätigen.',
  'refusal.post-logout-uri-not-registered.rule':
    'post_logout_redirect_uri muss genau mit einer registrierten übereinstimmen (OpenID Connect RP-Initiated Logout ' +
    '§3).',
  'refusal.post-logout-uri-not-registered.advice': 'Registrieren Sie sie auf der Seite der Anwendung.',
  'refusal.post-logout-uri-not-registered.advice-2':
    'Setzen Sie in state ein, was sich ändert; die Anwendung erhält es zurück. Die URI muss genau übereinstimmen, ' +
    'auch in ihrer Query.',
  'refusal.redirect-uri-not-allowed.rule':
    'Die Einstellungen müssen eine Redirect-URI bei der Verwendung erlauben, nicht nur bei der Registrierung.',
  'refusal.redirect-uri-not-allowed.expected': 'eine Redirect-URI, die die aktuellen Einstellungen erlauben',
  'refusal.redirect-uri-not-allowed.seen': '{uri} ({problem})',
  'refusal.redirect-uri-not-allowed.advice':
    'Registrieren Sie eine andere Redirect-URI für die Anwendung, und senden Sie stattdessen diese.{hasSetting, ' +
    'select, yes { Der Betreiber kann die abgelehnte URI mit {setting} erlauben.} other {}}',
  'refusal.denied.rule': 'Der Benutzer entscheidet, ob er den Zugriff zulässt.',
  'refusal.denied.expected': 'Zustimmung',
  'refusal.denied.seen': 'der Benutzer hat abgelehnt',
  'refusal.denied.seen-2': 'der Benutzer hat jede Berechtigung abgewählt',
  'refusal.denied.advice':
    'Alles ist in Ordnung. Erklären Sie dem Benutzer, wofür der Zugriff ist, und lassen Sie es ihn noch einmal ' +
    'versuchen.',
  'refusal.request-aged.rule':
    'Formulare für Zustimmung und Abmeldung gelten eine Stunde, in der Sitzung und für den Benutzer, dem sie gezeigt ' +
    'wurden.',
  'refusal.request-aged.expected': 'ein Formular, das diesem Benutzer in der letzten Stunde gezeigt wurde',
  'refusal.request-aged.seen': 'ein älteres Formular oder eines für einen anderen Benutzer',
  'refusal.request-aged.advice': 'Beginnen Sie in der Anwendung von vorn.',
  'refusal.request-answered.rule': 'Ein Formular für die Zustimmung lässt sich nur einmal beantworten.',
  'refusal.request-answered.expected': 'die erste Antwort',
  'refusal.request-answered.seen':
    'eine zweite Antwort auf ein Formular, dessen Code eingelöst wurde oder abgelaufen ist',
  'refusal.request-answered.advice': 'Beginnen Sie in der Anwendung von vorn.',
  'refusal.form-not-of-session.rule':
    'Ein Formular für die Zustimmung gilt nur in der Sitzung, in der es gezeigt wurde.',
  'refusal.form-not-of-session.expected': 'das Formular der aktuellen Sitzung',
  'refusal.form-not-of-session.seen':
    'ein Formular einer anderen Sitzung, einer anderen Website oder einer beendeten Sitzung',
  'refusal.form-not-of-session.advice':
    'Gehen Sie zurück zur Anwendung, und beginnen Sie von vorn. Ein Programm kann nicht für einen Benutzer ' +
    'zustimmen; er muss selbst auf die Schaltfläche klicken.',
  'refusal.authorization.with-closest.expected': 'eine registrierte URI',
  'refusal.authorization.with-closest.seen': 'eine URI, aber die Anwendung hat keine registriert',
  'refusal.authorization.test-mode-seen.authorization': 'eine Anmeldung eines anderen Benutzers',
  'refusal.authorization.test-mode-seen.password': 'das Passwort eines anderen Benutzers',
  'refusal.authorization.test-mode-seen.code':
    'ein Code für einen anderen Benutzer, der die Anwendung vor ihrem Testmodus oder noch als Testbenutzer ' +
    'zugelassen hat',
  'refusal.authorization.test-mode-seen.device-code':
    'ein Gerätecode, den ein anderer Benutzer vor dem Testmodus der Anwendung oder noch als Testbenutzer bestätigt hat',
  'refusal.authorization.test-mode-seen.refresh-token':
    'ein Refresh-Token für einen anderen Benutzer, der die Anwendung vor ihrem Testmodus oder noch als Testbenutzer ' +
    'zugelassen hat',
  'refusal.authorization.test-mode-seen.subject-token': 'ein Subject-Token eines anderen Benutzers',
  'refusal.authorization.test-mode-seen.assertion': 'eine Assertion über einen anderen Benutzer',
  'refusal.authorization.silent': 'Mit prompt=none darf keine Seite gezeigt werden.',
  'refusal.authorization.expected-login':
    'der Benutzer, für den die Anfrage ist, so angemeldet, wie die Anfrage es verlangt',
  'refusal.authorization.login-seen.nobody': 'niemand ist angemeldet',
  'refusal.authorization.login-seen.too-old': 'eine Anmeldung, die älter ist, als max_age erlaubt',
  'refusal.authorization.login-seen.another-user':
    'ein anderer Benutzer als der, den id_token_hint oder der Claim sub nennt',
  'refusal.authorization.login-seen.login-class': 'eine Anmeldung mit einem anderen acr als dem zwingenden',
  'refusal.authorization.login-seen.second-factor':
    'eine Anmeldung ohne den zweiten Faktor, den die Anwendung verlangt',
  'refusal.authorization.login-seen.not-recorded':
    'eine Anmeldung, deren Zeit und Methode nicht aufgezeichnet sind, weil eine frühere Version die Sitzung ' +
    'begonnen hat',
  'refusal.authorization.without-prompt': 'Senden Sie die Anfrage ohne prompt=none.',
  'refusal.authorization.hint-problems.not-of-this-server': 'kein ID-Token dieses Servers',
  'refusal.authorization.hint-problems.of-another-client': 'ein ID-Token eines anderen Clients',
};

/** Explanations of refusals: authorization. */
export const refusalAuthorization = { en, de };
