const en = {
  'refusal.none': 'none',
  'refusal.empty': 'none',
  'refusal.or-also': '{one}, or {other}',
  'refusal.by-token': 'an access token in Authorization: Bearer',
  'refusal.by-session': 'a web session with its CSRF token in X-CSRF-Token',
  'refusal.by-nobody': 'nobody has access',
  'refusal.differences': '{one}; {other}',
  'refusal.difference':
    '{component, select, scheme {scheme} user {user information} host {host} port {port} path {path} query {query} ' +
    'other {fragment}}: {value}',
  'refusal.credential':
    '{form, select, access_token {access token} refresh_token {refresh token} authorization_code {authorization ' +
    'code} device_code {device code} client_secret {client secret} JWT {JWT} client_id {client id} ID_token {ID ' +
    'token} JWT_of_another_issuer {JWT from another issuer} incomplete {incomplete credential} other {other}}',
  'refusal.a-credential':
    '{form, select, access_token {an access token} refresh_token {a refresh token} authorization_code {an ' +
    'authorization code} device_code {a device code} client_secret {a client secret} JWT {a JWT} client_id {a client ' +
    'id} ID_token {an ID token} JWT_of_another_issuer {a JWT from another issuer} incomplete {an incomplete ' +
    'credential} other {a value in a different format}}',
  'refusal.looks-like':
    '{form, select, access_token {it looks like an access token} refresh_token {it looks like a refresh token} ' +
    'authorization_code {it looks like an authorization code} device_code {it looks like a device code} ' +
    'client_secret {it looks like a client secret} JWT {it looks like a JWT} client_id {it looks like a client id} ' +
    'incomplete {it looks like a truncated or mistyped credential} other {it does not look like a credential of this ' +
    'server}}',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.none': 'keine',
  'refusal.empty': 'fehlt',
  'refusal.or-also': '{one}, oder {other}',
  'refusal.by-token': 'ein Zugriffstoken in Authorization: Bearer',
  'refusal.by-session': 'eine Web-Sitzung mit ihrem CSRF-Token in X-CSRF-Token',
  'refusal.by-nobody': 'niemand hat Zugriff',
  'refusal.differences': '{one}; {other}',
  'refusal.difference':
    '{component, select, scheme {Schema} user {Benutzerangabe} host {Host} port {Port} path {Pfad} query {Query} ' +
    'other {Fragment}}: {value}',
  'refusal.credential':
    '{form, select, access_token {Zugriffstoken} refresh_token {Refresh-Token} authorization_code ' +
    '{Autorisierungscode} device_code {Gerätecode} client_secret {Client-Secret} JWT {JWT} client_id {Client-ID} ' +
    'ID_token {ID-Token} JWT_of_another_issuer {JWT eines anderen Ausstellers} incomplete {unvollständiger Wert} ' +
    'other {etwas anderes}}',
  'refusal.a-credential':
    '{form, select, access_token {ein Zugriffstoken} refresh_token {ein Refresh-Token} authorization_code {ein ' +
    'Autorisierungscode} device_code {ein Gerätecode} client_secret {ein Client-Secret} JWT {ein JWT} client_id ' +
    '{eine Client-ID} ID_token {ein ID-Token} JWT_of_another_issuer {ein JWT eines anderen Ausstellers} incomplete ' +
    '{ein unvollständiger Wert} other {etwas anderes}}',
  'refusal.looks-like':
    '{form, select, access_token {der Wert sieht wie ein Zugriffstoken aus} refresh_token {der Wert sieht wie ein ' +
    'Refresh-Token aus} authorization_code {der Wert sieht wie ein Autorisierungscode aus} device_code {der Wert ' +
    'sieht wie ein Gerätecode aus} client_secret {der Wert sieht wie ein Client-Secret aus} JWT {der Wert sieht wie ' +
    'ein JWT aus} client_id {der Wert sieht wie eine Client-ID aus} incomplete {der Wert sieht abgeschnitten oder ' +
    'vertippt aus} other {der Wert hat kein Format dieses Servers}}',
};

/** Texts shared by the explanations of refusals. */
export const refusalValues = { en, de };
