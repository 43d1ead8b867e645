const en = {
  'credentials.title': 'Credentials for {application}',
  'credentials.heading': 'Credentials for <bdi>{application}</bdi>',
  'credentials.client': 'Client id and secret',
  'credentials.store': 'Store the secret now',
  'credentials.store-text':
    'You will not be able to see it again. Only a hash is stored here. Store the secret with your application’s ' +
    'other secrets, not in its source code.',
  'credentials.rotate': 'Rotate the secret',
  'credentials.old-secret':
    'The old secret expires <time>{when}</time>. The application’s page shows when it was last used.',
  'credentials.stored': 'I have stored it: try the application',
  'credentials.application': 'Go to the application',
  'credentials.known': '“Try it” remembers the secret until you reload this tab, so you do not need to paste it.',
  'shown-once.title':
    '{what, select, secret {The secret} link {The link} password {The password} other {The list of codes}} was shown ' +
    'only once',
  'shown-once.again': 'This page cannot show it again. If you did not store it, get a new one: <a>{way}</a>.',
  'rotation.title': 'Rotate the secret of {application}?',
  'rotation.heading': 'Rotate the secret of <bdi>{application}</bdi>?',
  'rotation.lede':
    'The new secret works immediately and is shown once. The current one can stay valid for a while so that ' +
    'you can switch without downtime. Tokens already issued stay valid.',
  'rotation.create-title': 'Create a secret for {application}?',
  'rotation.create-heading': 'Create a secret for <bdi>{application}</bdi>?',
  'rotation.create-lede': 'The secret works immediately and is shown once.',
  'rotation.incomplete': 'The previous rotation is not complete',
  'rotation.incomplete-text': 'The previous secret expires {when}. If you rotate again, it will expire immediately.',
  'rotation.overlap': 'How long should the current secret stay valid?',
  'rotation.day': 'One day',
  'rotation.day-help': 'For a normal deployment.',
  'rotation.hour': 'One hour',
  'rotation.hour-help': 'For one server that you update right away.',
  'rotation.week': 'One week',
  'rotation.week-help': 'For many servers, or if you need time to give the new secret to other people.',
  'rotation.now': 'Not at all',
  'rotation.now-help': 'Only if the secret has leaked. The application gets no tokens until it has the new secret.',
  'rotation.button': 'Rotate the secret',
  'rotation.create-button': 'Create the secret',
  'rotation.keep': 'Keep the current secret',
  'rotation.done': '{application} has a new secret. The old one no longer works.',
  'rotation.done-overlap': '{application} has a new secret. The old one still works for a while.',
  'rotation.unknown-overlap': 'old_secret must be one of: {values}.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'credentials.title': 'Zugangsdaten von {application}',
  'credentials.heading': 'Zugangsdaten von <bdi>{application}</bdi>',
  'credentials.client': 'Client-ID und Client-Secret',
  'credentials.store': 'Speichern Sie das Client-Secret jetzt',
  'credentials.store-text':
    'Es wird nicht noch einmal angezeigt. Gespeichert ist nur ein Hashwert. Bewahren Sie es bei den anderen ' +
    'Geheimnissen Ihrer Anwendung auf, nicht in ihrem Quelltext.',
  'credentials.rotate': 'Client-Secret erneuern',
  'credentials.old-secret':
    'Das alte Client-Secret läuft <time>{when}</time> ab. Die Seite der Anwendung zeigt, wann es zuletzt verwendet ' +
    'wurde.',
  'credentials.stored': 'Es ist gespeichert: Anwendung ausprobieren',
  'credentials.application': 'Zur Anwendung',
  'credentials.known':
    '„Ausprobieren“ kennt das Client-Secret in diesem Tab, bis Sie ihn neu laden. Sie müssen es also nicht einfügen.',
  'shown-once.title':
    '{what, select, secret {Das Client-Secret} link {Der Link} password {Das Passwort} other {Die Liste der Codes}} ' +
    'wurde nur einmal angezeigt',
  'shown-once.again': 'Eine erneute Anzeige ist nicht möglich. Falls Sie nichts gespeichert haben: <a>{way}</a>.',
  'rotation.title': 'Client-Secret von {application} erneuern?',
  'rotation.heading': 'Client-Secret von <bdi>{application}</bdi> erneuern?',
  'rotation.lede':
    'Das neue Client-Secret gilt sofort und wird nur einmal angezeigt. Das aktuelle kann noch eine Weile gelten, ' +
    'damit Sie ohne Unterbrechung wechseln können. Bereits ausgestellte Token gelten weiter.',
  'rotation.create-title': 'Client-Secret für {application} erzeugen?',
  'rotation.create-heading': 'Client-Secret für <bdi>{application}</bdi> erzeugen?',
  'rotation.create-lede': 'Das Client-Secret gilt sofort und wird nur einmal angezeigt.',
  'rotation.incomplete': 'Die vorige Erneuerung ist nicht abgeschlossen',
  'rotation.incomplete-text':
    'Das vorige Client-Secret läuft {when} ab. Eine weitere Erneuerung macht es sofort ungültig.',
  'rotation.overlap': 'Wie lange soll das aktuelle Client-Secret noch gelten?',
  'rotation.day': 'Einen Tag',
  'rotation.day-help': 'Für ein gewöhnliches Deployment.',
  'rotation.hour': 'Eine Stunde',
  'rotation.hour-help': 'Für einen Server, den Sie gleich aktualisieren.',
  'rotation.week': 'Eine Woche',
  'rotation.week-help': 'Für viele Server, oder wenn Sie das neue Client-Secret erst weitergeben müssen.',
  'rotation.now': 'Gar nicht',
  'rotation.now-help':
    'Nur wenn es in falsche Hände geraten ist. Die Anwendung erhält keine Token, bis sie das neue hat.',
  'rotation.button': 'Client-Secret erneuern',
  'rotation.create-button': 'Client-Secret erzeugen',
  'rotation.keep': 'Aktuelles behalten',
  'rotation.done': '{application} hat ein neues Client-Secret. Das alte gilt nicht mehr.',
  'rotation.done-overlap': '{application} hat ein neues Client-Secret. Das alte gilt noch eine Weile.',
  'rotation.unknown-overlap': 'old_secret muss einer dieser Werte sein: {values}.',
};

/** Messages on the pages for an application’s client secret. */
export const applicationSecrets = { en, de };
