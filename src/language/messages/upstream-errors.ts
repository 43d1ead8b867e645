const en = {
  'upstream.again': 'Start again from the login page.',
  'upstream.ask': 'Contact an administrator of this server, and include the request ID below.',
  'upstream.silent': '{provider} is not responding',
  'upstream.silent.text':
    'This server could not reach {provider}, or did not understand its response. You are not logged in.',
  'upstream.silent.advice':
    'Try again in a minute. If it happens again, contact an administrator of this server, and include the request ' +
    'ID below.',
  'upstream.not-begun': 'This login was not started here',
  'upstream.expired.text': 'The login took too long. You are not logged in.',
  'upstream.not-begun.text':
    'The response does not belong to a login that was started in this browser, or it has already been used. Nothing ' +
    'was changed.',
  'upstream.changed': 'Please log in again',
  'upstream.removed.text': 'Login through this provider was turned off in the meantime.',
  'upstream.changed.text': 'The settings of {provider} were changed in the meantime.',
  'upstream.elsewhere': 'The response came from somewhere else',
  'upstream.elsewhere.text':
    'You started to log in through {provider}, but a different server responded. You are not logged in.',
  'upstream.elsewhere.advice':
    'Start again from the login page, and check the address of the page where you enter your password. Contact an ' +
    'administrator of this server, and include the request ID below.',
  'upstream.denied': '{provider} did not log you in',
  'upstream.denied.text': 'You canceled the login, or {provider} refused it. You are not logged in.',
  'upstream.unverified': 'The login could not be verified',
  'upstream.unverified.text': 'The response from {provider} did not pass every check. You are not logged in.',
  'upstream.unverified.advice':
    'Start again from the login page. If it happens again, contact an administrator of this server, and include the ' +
    'request ID below.',
  'upstream.too-old': '{provider} did not ask you to log in again',
  'upstream.too-old.text': 'This requires a new login, but {provider} only confirmed an earlier one.',
  'upstream.too-old.advice': 'Log out at {provider} and try again, or log in another way.',
  'upstream.no-user': 'No linked account here',
  'upstream.not-linked.text': 'Your account at {provider} is not linked to an account here.',
  'upstream.not-linked.advice':
    'If you have an account here, log in to it and link the other one under “Ways to log in”.',
  'upstream.address-unverified.text': '{provider} does not confirm that your e-mail address is yours.',
  'upstream.address-unverified.advice':
    'Verify your address there, or log in here and link the account under “Ways to log in”.',
  'upstream.domain.text': 'You cannot log in here with an e-mail address in this domain.',
  'upstream.domain.advice': 'Use your organization’s account.',
  'upstream.address-taken.text': 'There is an account here with your e-mail address. It was not changed.',
  'upstream.address-taken.advice': 'Log in to it, and link your account at the provider under “Ways to log in”.',
  'upstream.name-unusable.text': 'No account could be created from the information that {provider} provided about you.',
  'upstream.inactive': 'Your account is disabled',
  'upstream.inactive.text': 'Your account here is disabled. You are not logged in.',
  'upstream.linked-elsewhere': 'Linked to another account',
  'upstream.linked-elsewhere.text':
    'This account at {provider} is linked to another account here. Nothing was changed.',
  'upstream.linked-elsewhere.advice': 'First log in with it and unlink it from that account.',
  'upstream.too-long': 'Log in first, then start again',
  'upstream.too-long.text': 'The application’s request is too long to store while you log in through {provider}.',
  'upstream.too-long.advice': 'Log in from the home page, then start again in the application.',
  'upstream.linked': 'Your account {email} at {provider} is linked. You can now log in with it.',
  'upstream.linked-without-address': 'Your account at {provider} is linked. You can now log in with it.',
  'upstream.linked-unusable':
    'Your account at {provider} is linked. You cannot log in with it while a different provider is required.',
  'provider-test.unknown': 'The provider accepted a made-up code.',
  'provider-test.client': 'The provider accepts the client id and the credentials.',
  'provider-test.refused': 'The provider refuses the client: {error}.',
  'provider-test.error': 'The provider responded with {error}.',
  'provider-test.metadata': 'The metadata of {issuer} is readable and specifies this issuer.',
  'provider-test.no-keys': '{address} {problem}.',
  'provider-test.keys': 'The provider publishes {count, plural, one {# usable key} other {# usable keys}}.',
  'provider-test.failed':
    'The {step, select, client {token endpoint} metadata {metadata URL} other {key set URL}}, {address}, {problem}.',
  'provider-test.failed-otherwise': '{headline}.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'upstream.again': 'Beginnen Sie neu auf der Anmeldeseite.',
  'upstream.ask': 'Fragen Sie einen Administrator dieses Servers, und nennen Sie die unten stehende Anfrage-ID.',
  'upstream.silent': '{provider} antwortet nicht',
  'upstream.silent.text':
    'Dieser Server konnte {provider} nicht erreichen oder die Antwort nicht verstehen. Sie sind nicht angemeldet.',
  'upstream.silent.advice':
    'Versuchen Sie es in einer Minute noch einmal. Wenn es wieder geschieht, fragen Sie einen Administrator dieses ' +
    'Servers, und nennen Sie die unten stehende Anfrage-ID.',
  'upstream.not-begun': 'Diese Anmeldung hat nicht hier begonnen',
  'upstream.expired.text': 'Die Anmeldung hat zu lange gedauert. Sie sind nicht angemeldet.',
  'upstream.not-begun.text':
    'Die Antwort gehört zu keiner Anmeldung, die in diesem Browser begonnen hat, oder sie wurde schon verwendet. Es ' +
    'wurde nichts geändert.',
  'upstream.changed': 'Bitte melden Sie sich neu an',
  'upstream.removed.text': 'Die Anmeldung über diesen Anbieter wurde inzwischen abgeschaltet.',
  'upstream.changed.text': 'Die Einstellungen von {provider} wurden inzwischen geändert.',
  'upstream.elsewhere': 'Die Antwort kam von woanders',
  'upstream.elsewhere.text':
    'Sie haben eine Anmeldung über {provider} begonnen, aber ein anderer Server hat geantwortet. Sie sind nicht ' +
    'angemeldet.',
  'upstream.elsewhere.advice':
    'Beginnen Sie neu auf der Anmeldeseite, und achten Sie auf die Adresse, bei der Sie Ihr Passwort eingeben. ' +
    'Fragen Sie einen Administrator dieses Servers, und nennen Sie die unten stehende Anfrage-ID.',
  'upstream.denied': '{provider} hat Sie nicht angemeldet',
  'upstream.denied.text': 'Sie haben abgebrochen, oder {provider} hat abgelehnt. Sie sind nicht angemeldet.',
  'upstream.unverified': 'Die Anmeldung konnte nicht überprüft werden',
  'upstream.unverified.text': 'Die Antwort von {provider} hat nicht jede Prüfung bestanden. Sie sind nicht angemeldet.',
  'upstream.unverified.advice':
    'Beginnen Sie neu auf der Anmeldeseite. Wenn es wieder geschieht, fragen Sie einen Administrator dieses Servers, ' +
    'und nennen Sie die unten stehende Anfrage-ID.',
  'upstream.too-old': '{provider} hat Sie nicht neu angemeldet',
  'upstream.too-old.text':
    'Hier ist eine neue Anmeldung nötig, aber {provider} hat nur eine frühere Anmeldung übernommen.',
  'upstream.too-old.advice':
    'Melden Sie sich bei {provider} ab, und versuchen Sie es dann noch einmal. Oder melden Sie sich auf andere ' +
    'Weise an.',
  'upstream.no-user': 'Hier gibt es kein verknüpftes Konto',
  'upstream.not-linked.text': 'Ihr Konto bei {provider} ist mit keinem Konto auf diesem Server verknüpft.',
  'upstream.not-linked.advice':
    'Wenn Sie hier ein Konto haben, melden Sie sich damit an, und verknüpfen Sie das andere unter „Anmeldewege“.',
  'upstream.address-unverified.text': '{provider} bestätigt nicht, dass Ihre E-Mail-Adresse Ihnen gehört.',
  'upstream.address-unverified.advice':
    'Bestätigen Sie Ihre Adresse dort. Oder melden Sie sich hier an, und verknüpfen Sie das Konto unter „Anmeldewege“.',
  'upstream.domain.text': 'Konten mit einer E-Mail-Adresse dieser Domain können sich hier nicht anmelden.',
  'upstream.domain.advice': 'Verwenden Sie das Konto Ihrer Organisation.',
  'upstream.address-taken.text': 'Hier gibt es schon ein Konto mit Ihrer E-Mail-Adresse. Es wurde nicht geändert.',
  'upstream.address-taken.advice': 'Melden Sie sich damit an, und verknüpfen Sie das andere unter „Anmeldewege“.',
  'upstream.name-unusable.text': 'Aus den Angaben von {provider} über Sie konnte kein Konto erstellt werden.',
  'upstream.inactive': 'Ihr Konto ist gesperrt',
  'upstream.inactive.text': 'Ihr Konto auf diesem Server ist gesperrt. Sie sind nicht angemeldet.',
  'upstream.linked-elsewhere': 'Mit einem anderen Konto verknüpft',
  'upstream.linked-elsewhere.text':
    'Dieses Konto bei {provider} ist mit einem anderen Konto auf diesem Server verknüpft. Es wurde nichts geändert.',
  'upstream.linked-elsewhere.advice': 'Melden Sie sich damit an, und heben Sie die Verknüpfung zuerst dort auf.',
  'upstream.too-long': 'Melden Sie sich zuerst an, und beginnen Sie dann neu',
  'upstream.too-long.text':
    'Die Anfrage der Anwendung ist zu lang, um aufbewahrt zu werden, während Sie sich über {provider} anmelden.',
  'upstream.too-long.advice': 'Melden Sie sich auf der Startseite an, und beginnen Sie dann in der Anwendung neu.',
  'upstream.linked': 'Ihr Konto {email} bei {provider} ist verknüpft. Sie können sich jetzt damit anmelden.',
  'upstream.linked-without-address': 'Ihr Konto bei {provider} ist verknüpft. Sie können sich jetzt damit anmelden.',
  'upstream.linked-unusable':
    'Ihr Konto bei {provider} ist verknüpft. Sie können sich nicht damit anmelden, solange ein anderer Anbieter ' +
    'vorgeschrieben ist.',
  'provider-test.unknown': 'Der Anbieter hat einen erfundenen Code angenommen.',
  'provider-test.client': 'Der Anbieter nimmt die Client-ID und die Zugangsdaten an.',
  'provider-test.refused': 'Der Anbieter lehnt den Client ab: {error}.',
  'provider-test.error': 'Der Anbieter hat so geantwortet: {error}.',
  'provider-test.metadata': 'Die Metadaten von {issuer} sind lesbar und nennen diesen Aussteller.',
  'provider-test.no-keys': 'Die Schlüssel unter {address} sind nicht lesbar: {problem}.',
  'provider-test.keys':
    'Der Anbieter veröffentlicht {count, plural, one {# verwendbaren Schlüssel} other {# verwendbare Schlüssel}}.',
  'provider-test.failed':
    '{step, select, client {Der Token-Endpunkt {address} des Anbieters ist} metadata {Die Metadaten des Anbieters ' +
    'unter {address} sind} other {Die Schlüssel des Anbieters unter {address} sind}} nicht verwendbar: {problem}.',
  'provider-test.failed-otherwise': '{headline}.',
};

/** Messages for users whose login through a provider failed, and for provider tests. */
export const upstreamErrors = { en, de };
