const en = {
  'problem.account-gone': 'This account no longer exists.',
  'problem.required': 'This field is required.',
  'problem.too-long': 'Use at most {limit} characters.',
  'problem.outer-space': 'The user name must not begin or end with a space.',
  'problem.invisible':
    'The user name contains invisible characters, such as control characters or marks that change the text ' +
    'direction. Type it again without them.',
  'problem.email': 'Enter a valid e-mail address.',
  'problem.name-control-characters': 'The name must not contain control characters.',
  'problem.name-taken': 'A user with that username already exists.',
  'problem.name-similar': 'This user name is too similar to an existing one.',
  'problem.password-short': 'Use at least {minimum} characters. A few unrelated words work well.',
  'problem.password-common': 'This password is too common. Try a few unrelated words.',
  'problem.password-known': 'The password must not be your user name or e-mail address.',
  'problem.one-line': 'Enter a single line, without control characters.',
  'problem.control-characters': 'Remove the control characters.',
  'problem.web-address': 'Enter a web address that begins with https:// or http://.',
  'problem.web-address-with-user': 'Remove the user name and password from the address.',
  'problem.birthdate': 'Enter a date such as 1985-04-23, a year such as 1985, or 0000-04-23 to leave out the year.',
  'problem.no-such-day': '{day} is not a valid date.',
  'problem.phone-number': 'Enter the number with + and the country code, such as +44 20 7946 0123.',
  'problem.time-zone': 'Enter a time zone such as Europe/Berlin.',
  'problem.language': 'Enter a language tag such as en or de-CH.',
  'problem.sentences': '{one} {other}',
  'problem.lines': '{one}\n{other}',
  'problem.commas': '{one}, {other}',
  'problem.semicolons': '{one}; {other}',
  'problem.either': '{one} or {other}',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'problem.account-gone': 'Dieses Konto gibt es nicht mehr.',
  'problem.required': 'Bitte füllen Sie dieses Feld aus.',
  'problem.too-long': 'Verwenden Sie höchstens {limit} Zeichen.',
  'problem.outer-space': 'Der Benutzername darf nicht mit einem Leerzeichen beginnen oder enden.',
  'problem.invisible':
    'Der Benutzername enthält unsichtbare Zeichen, zum Beispiel Steuerzeichen oder Zeichen, die die Schreibrichtung ' +
    'ändern. Geben Sie ihn ohne diese Zeichen noch einmal ein.',
  'problem.email': 'Geben Sie eine gültige E-Mail-Adresse ein.',
  'problem.name-control-characters': 'Der Name darf keine Steuerzeichen enthalten.',
  'problem.name-taken': 'Diesen Benutzernamen gibt es schon.',
  'problem.name-similar': 'Dieser Benutzername ist einem vorhandenen zu ähnlich.',
  'problem.password-short':
    'Verwenden Sie mindestens {minimum} Zeichen. Gut geeignet sind einige Wörter ohne Zusammenhang.',
  'problem.password-common':
    'Dieses Passwort ist zu verbreitet. Versuchen Sie es mit einigen Wörtern ohne Zusammenhang.',
  'problem.password-known': 'Das Passwort darf nicht Ihr Benutzername oder Ihre E-Mail-Adresse sein.',
  'problem.one-line': 'Verwenden Sie nur eine Zeile, ohne Steuerzeichen.',
  'problem.control-characters': 'Entfernen Sie die Steuerzeichen.',
  'problem.web-address': 'Geben Sie eine Webadresse ein, die mit https:// oder http:// beginnt.',
  'problem.web-address-with-user': 'Entfernen Sie Benutzername und Passwort aus der Adresse.',
  'problem.birthdate':
    'Geben Sie ein Datum wie 1985-04-23 ein, ein Jahr wie 1985, oder 0000-04-23, um das Jahr wegzulassen.',
  'problem.no-such-day': '{day} ist kein gültiges Datum.',
  'problem.phone-number': 'Geben Sie die Nummer mit + und der Landesvorwahl ein, zum Beispiel +49 30 1234567.',
  'problem.time-zone': 'Geben Sie eine Zeitzone wie Europe/Berlin ein.',
  'problem.language': 'Geben Sie eine Sprachkennung wie en oder de-CH ein.',
  'problem.sentences': '{one} {other}',
  'problem.lines': '{one}\n{other}',
  'problem.commas': '{one}, {other}',
  'problem.semicolons': '{one}; {other}',
  'problem.either': '{one} oder {other}',
};

/** Problems with entered values, and how to fix them. */
export const problems = { en, de };
