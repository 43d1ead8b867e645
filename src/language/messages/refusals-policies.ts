const en = {
  'refusal.credentials-missing.rule': 'The operation is protected.',
  'refusal.credentials-missing.advice': 'Get an access token and send it in the Authorization header.',
  'refusal.csrf-token-missing.seen': 'a web session without that header',
  'refusal.csrf-token-missing.advice':
    'Read the token from the hidden csrf_token field of any page with a form. Or send an access token.',
  'refusal.csrf-token-wrong.seen': 'a different value in that header',
  'refusal.csrf-token-wrong.advice':
    'The token changes when the user logs in. Reload a page and read its hidden csrf_token field.',
  'refusal.login-insufficient.rule': 'The operation requires a newer or stronger login of the user (RFC 9470).',
  'refusal.credentials-missing.seen.nothing': 'nothing',
  'refusal.credentials-missing.seen.another-scheme': 'a different scheme',
  'refusal.credentials-missing.seen.a-web-session': 'a web session',
  'refusal.login-insufficient.expected-age': 'a login at most {age} ago',
  'refusal.login-insufficient.expected-acr': 'acr {acr}',
  'refusal.login-insufficient.expected-both': 'a login at most {age} ago, and acr {acr}',
  'refusal.login-insufficient.seen-no-user': 'a token of a client that acts on its own behalf',
  'refusal.login-insufficient.seen-not-recorded': 'a login whose time or acr is not recorded',
  'refusal.login-insufficient.seen-age': 'a login {age} ago',
  'refusal.login-insufficient.seen-acr': 'acr {acr}',
  'refusal.policy-forbids.rule': 'The policy does not allow this caller to use {method} here.',
  'refusal.policy-forbids.expected': 'a caller that is allowed by the policy',
  'refusal.policy-forbids.seen': 'a different caller; no scope would help',
  'refusal.policy-forbids.advice': 'Check whose token or session it is, and which policy the route declares.',
  'refusal.policies.csrf-rule':
    'In a web session, requests with methods that can change something must contain the CSRF token of the session.',
  'refusal.policies.csrf-expected': 'the CSRF token of the session in the X-CSRF-Token header',
  'refusal.policies.login-advice.no-user': 'Use the authorization code grant, so that the token is for a user.',
  'refusal.policies.login-advice.too-old':
    'Send the user to the authorization endpoint with the acr_values and max_age from the challenge. Use the new ' +
    'token. A refresh does not make the login newer.',
  'refusal.policies.log-in-again':
    'Send the user to the authorization endpoint with the acr_values and max_age from the challenge. Use the new ' +
    'token.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.credentials-missing.rule': 'Der Vorgang ist geschützt.',
  'refusal.credentials-missing.advice': 'Fordern Sie ein Zugriffstoken an, und senden Sie es im Header Authorization.',
  'refusal.csrf-token-missing.seen': 'eine Web-Sitzung ohne diesen Header',
  'refusal.csrf-token-missing.advice':
    'Lesen Sie das Token aus dem verborgenen Feld csrf_token einer Seite mit einem Formular. Oder senden Sie ein ' +
    'Zugriffstoken.',
  'refusal.csrf-token-wrong.seen': 'ein anderer Wert in diesem Header',
  'refusal.csrf-token-wrong.advice':
    'Das Token ändert sich, wenn sich der Benutzer anmeldet. Laden Sie eine Seite neu, und lesen Sie ihr ' +
    'verborgenes Feld csrf_token.',
  'refusal.login-insufficient.rule':
    'Der Vorgang verlangt eine neuere oder stärkere Anmeldung des Benutzers (RFC 9470).',
  'refusal.credentials-missing.seen.nothing': 'nichts',
  'refusal.credentials-missing.seen.another-scheme': 'ein anderes Schema',
  'refusal.credentials-missing.seen.a-web-session': 'eine Web-Sitzung',
  'refusal.login-insufficient.expected-age': 'eine Anmeldung vor höchstens {age}',
  'refusal.login-insufficient.expected-acr': 'acr {acr}',
  'refusal.login-insufficient.expected-both': 'eine Anmeldung vor höchstens {age}, mit acr {acr}',
  'refusal.login-insufficient.seen-no-user': 'ein Token eines Clients, der für sich selbst handelt',
  'refusal.login-insufficient.seen-not-recorded': 'eine Anmeldung, deren Zeit oder acr nicht aufgezeichnet ist',
  'refusal.login-insufficient.seen-age': 'eine Anmeldung vor {age}',
  'refusal.login-insufficient.seen-acr': 'acr {acr}',
  'refusal.policy-forbids.rule': 'Die Regel erlaubt diesem Aufrufer hier {method} nicht.',
  'refusal.policy-forbids.expected': 'ein Aufrufer, dem die Regel es erlaubt',
  'refusal.policy-forbids.seen': 'ein anderer Aufrufer; kein Scope würde helfen',
  'refusal.policy-forbids.advice': 'Prüfen Sie, wessen Token oder Sitzung es ist und welche Regel die Route nennt.',
  'refusal.policies.csrf-rule':
    'In einer Web-Sitzung müssen Anfragen mit Methoden, die etwas ändern können, das CSRF-Token der Sitzung enthalten.',
  'refusal.policies.csrf-expected': 'das CSRF-Token der Sitzung im Header X-CSRF-Token',
  'refusal.policies.login-advice.no-user':
    'Verwenden Sie den Grant-Typ authorization_code, damit das Token für einen Benutzer ist.',
  'refusal.policies.login-advice.too-old':
    'Senden Sie den Benutzer mit acr_values und max_age der Antwort zum Autorisierungsendpunkt. Verwenden Sie das ' +
    'neue Token. Eine Erneuerung macht die Anmeldung nicht neuer.',
  'refusal.policies.log-in-again':
    'Senden Sie den Benutzer mit acr_values und max_age der Antwort zum Autorisierungsendpunkt. Verwenden Sie das ' +
    'neue Token.',
};

/** Explanations of refusals: policies. */
export const refusalPolicies = { en, de };
