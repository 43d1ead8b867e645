const en = {
  'method.passkey': 'with a passkey',
  'method.password':
    'with a password{second, select, totp { and a code from an app} passkey { and a passkey} recovery { and a ' +
    'recovery code} other {}}',
  'method.sign-up':
    '{second, select, totp {by signing up, with a password and a code from an app} passkey {by signing up, with a ' +
    'password and a passkey} recovery {by signing up, with a password and a recovery code} other {by signing up}}',
  'method.set-up-link':
    'with the set-up link{second, select, totp { and a code from an app} passkey { and a passkey} recovery { and a ' +
    'recovery code} other {}}',
  'method.provider':
    'through the provider {provider}{second, select, totp { and a code from an app} passkey { and a passkey} ' +
    'recovery { and a recovery code} other {}}',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'method.passkey': 'mit einem Passkey',
  'method.password':
    'mit dem Passwort{second, select, totp { und einem Code aus einer App} passkey { und einem Passkey} recovery ' +
    '{ und einem Wiederherstellungscode} other {}}',
  'method.sign-up':
    '{second, select, totp {bei der Registrierung, mit einem Passwort und einem Code aus einer App} passkey {bei der ' +
    'Registrierung, mit einem Passwort und einem Passkey} recovery {bei der Registrierung, mit einem Passwort und ' +
    'einem Wiederherstellungscode} other {bei der Registrierung}}',
  'method.set-up-link':
    'mit dem Einrichtungslink{second, select, totp { und einem Code aus einer App} passkey { und einem Passkey} ' +
    'recovery { und einem Wiederherstellungscode} other {}}',
  'method.provider':
    'über den Anbieter {provider}{second, select, totp { und einen Code aus einer App} passkey { und einen Passkey} ' +
    'recovery { und einen Wiederherstellungscode} other {}}',
};

/** How a user logged in: phrases that follow “logged in”. */
export const loginMethods = { en, de };
