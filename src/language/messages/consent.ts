const en = {
  'consent.title': 'Authorize {application}?',
  'consent.heading': 'Authorize <bdi>{application}</bdi>?',
  'consent.title-on-device': 'Authorize {application} on a device?',
  'consent.heading-on-device': 'Authorize <bdi>{application}</bdi> on a device?',
  'consent.by': 'by <bdi>{owner}</bdi>',
  'consent.host-and-owner': '<place>{host}</place> · by <bdi>{owner}</bdi>',
  'consent.host-and-name': '<place>{host}</place> · calls itself <bdi>{name}</bdi>',
  'consent.test-mode': 'Test mode: only this application’s owners and test users can authorize it.',
  'consent.builtin-page': 'You’ll return to this application’s test page on {brand}.',
  'consent.to-this-computer': 'You’ll be sent to a program on this computer.',
  'consent.to-this-computer-warning':
    'You’ll be sent to a program on this computer. We can’t tell which one, so continue only if you started this ' +
    'yourself.',
  'consent.to-this-device': 'You’ll be sent to an app on this device.',
  'consent.to-this-device-warning':
    'You’ll be sent to an app on this device. We can’t tell which one, so continue only if you started this yourself.',
  'consent.self-registered':
    'This application registered itself, and nobody has checked its name. Anyone can choose any name.',
  'consent.self-described':
    'Nobody registered this application here; its description comes from <bdi>{host}</bdi>. Anyone can choose any ' +
    'name.',
  'consent.new': 'New: registered <time>{when}</time> by <bdi>{owner}</bdi>. Anyone can choose any name.',
  'consent.merge':
    'This adds to what you authorized <time>{when}</time>. The list below shows everything the application ' +
    'will then be able to do.',
  'consent.replace':
    'This replaces what you authorized <time>{when}</time>. Any access that is not in the list below ends.',
  'consent.wants': '<bdi>{application}</bdi> wants to',
  'consent.wants-several': '<bdi>{application}</bdi> wants to <soft>({count, number} permissions)</soft>',
  'consent.choose': 'Uncheck anything you don’t want to allow.',
  'consent.choose-or-deny': 'Uncheck anything you don’t want to allow. If nothing is checked, the request is denied.',
  'consent.new-scopes': 'New',
  'consent.allowed-scopes': 'Already allowed',
  'consent.sensitive': 'Sensitive',
  'consent.whole-server': 'Whole server',
  'consent.also-asks': 'It also asks for',
  'consent.also-asks-help': 'This can’t be left out. Deny the request if you don’t want to share it.',
  'consent.later-changes': 'If you change this data later, <bdi>{application}</bdi> will see the changes.',
  'consent.also-wants': 'It also wants to',
  'consent.also-wants-help': 'This can’t be left out or changed. Deny the request if anything is wrong.',
  'consent.detail-at': 'at <code>{api}</code>',
  'consent.detail-members': 'All details',
  'consent.detail-not-specified': '(not specified)',
  'consent.not-filled-in': 'Not filled in: {claims}',
  'consent.yes': 'yes',
  'consent.no': 'no',
  'consent.authorize': 'Authorize',
  'consent.deny': 'Deny',
  'consent.user': 'Logged in as <bdi>{username}</bdi>.',
  'consent.user-on-device': 'Logged in as <bdi>{username}</bdi>. Not you? Deny the request.',
  'consent.not-you': 'Not you?',
  'consent.details': 'Details',
  'consent.described-at': 'Described at',
  'consent.registered': 'Registered',
  'consent.registered-by': '<time>{when}</time> by <bdi>{owner}</bdi>',
  'consent.history': 'Previous access',
  'consent.no-history': 'no access to your account',
  'consent.first-authorized': 'first authorized <time>{when}</time>',
  'consent.sends-back-to': 'Sends you back to',
  'consent.apis': 'Valid for these APIs',
  'consent.scope': 'Scope',
  'consent.revocable': 'You can revoke access at any time under “Authorized applications”.',
  'consent.website': 'Website',
  'consent.privacy-policy': 'Privacy policy',
  'consent.terms': 'Terms of service',
  'consent.device-code': 'Your device must show this code: <b>{code}</b>',
  'consent.device-warning':
    'Continue only if you started this on a device in front of you. If somebody sent you the code or a link, deny ' +
    'the request: that person would get access to your account.',
  'consent.device-here':
    'Requested <time>{when}</time> by <bdi>{program}</bdi> from <code>{address}</code>, on the same network as ' +
    'this browser.',
  'consent.device-elsewhere':
    'Requested <time>{when}</time> by <bdi>{program}</bdi> from <code>{address}</code>, not on the same network ' +
    'as this browser.',
  'consent.unknown-program-here':
    'Requested <time>{when}</time> by an unknown program from <code>{address}</code>, on the same network as ' +
    'this browser.',
  'consent.unknown-program-elsewhere':
    'Requested <time>{when}</time> by an unknown program from <code>{address}</code>, not on the same network as ' +
    'this browser.',
  'consent.request': 'Request',
  'consent.expires': 'expires <time>{when}</time>',
  'consent.expired-title': 'This request is no longer valid',
  'consent.expired': 'It has expired, or it belongs to a different session. Nothing was authorized.',
  'consent.expired-advice': 'Go back to the application and start again.',
  'consent.answered-title': 'You have already answered this request',
  'consent.answered': 'The application received your first answer. Nothing was changed.',
  'consent.answered-advice': 'Go back to the application. If it is still waiting, start again there.',
  'device.expired-advice': 'Start again on the device, and enter its new code.',
  'device.disabled-title': '{application} is disabled',
  'device.disabled': 'An administrator has disabled the application on this server. Nothing was shared.',
  'device.disabled-advice': 'The application cannot be used until an administrator enables it.',
  'device.test-mode': 'Only its owners and the users they invited can use it for now. Nothing was shared.',
  'device.not-allowed-title': 'You can’t approve this request',
  'device.asks-to-administer': 'The device is asking to administer this server, which no user can allow.',
  'device.asks-to-administer-advice': 'Tell the developer of the device.',
  'device.asks-to-audit':
    'The device is asking for access to the event log, which only auditors and administrators can grant.',
  'device.asks-to-audit-advice': 'Ask an auditor or an administrator to enter the code.',
  'device.answered-title': 'This request has already been answered',
  'device.answered': 'The device received the first answer. Nothing was changed.',
  'device.answered-advice': 'If the device is still waiting, start again there.',
  'consent.changed-text':
    'The description of what {application} is asking for has changed. Read it again before you decide.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'consent.title': '{application} zulassen?',
  'consent.heading': '<bdi>{application}</bdi> zulassen?',
  'consent.title-on-device': '{application} auf einem Gerät zulassen?',
  'consent.heading-on-device': '<bdi>{application}</bdi> auf einem Gerät zulassen?',
  'consent.by': 'von <bdi>{owner}</bdi>',
  'consent.host-and-owner': '<place>{host}</place> · von <bdi>{owner}</bdi>',
  'consent.host-and-name': '<place>{host}</place> · nennt sich <bdi>{name}</bdi>',
  'consent.test-mode': 'Testmodus: Nur Besitzer und Testbenutzer können diese Anwendung zulassen.',
  'consent.builtin-page': 'Danach kehren Sie auf die Testseite dieser Anwendung bei {brand} zurück.',
  'consent.to-this-computer': 'Sie werden zu einem Programm auf diesem Computer weitergeleitet.',
  'consent.to-this-computer-warning':
    'Sie werden zu einem Programm auf diesem Computer weitergeleitet. Zu welchem, können wir nicht erkennen. Fahren ' +
    'Sie nur fort, wenn Sie dies selbst begonnen haben.',
  'consent.to-this-device': 'Sie werden zu einer App auf diesem Gerät weitergeleitet.',
  'consent.to-this-device-warning':
    'Sie werden zu einer App auf diesem Gerät weitergeleitet. Zu welcher, können wir nicht erkennen. Fahren Sie nur ' +
    'fort, wenn Sie dies selbst begonnen haben.',
  'consent.self-registered':
    'Diese Anwendung hat sich selbst registriert, und niemand hat ihren Namen geprüft. Der Name ist frei wählbar.',
  'consent.self-described':
    'Niemand hat diese Anwendung hier registriert; ihre Beschreibung stammt von <bdi>{host}</bdi>. Der Name ist frei ' +
    'wählbar.',
  'consent.new': 'Neu: <time>{when}</time> von <bdi>{owner}</bdi> registriert. Der Name ist frei wählbar.',
  'consent.merge':
    'Dies ergänzt den Zugriff, dem Sie <time>{when}</time> zugestimmt haben. Die folgende Liste zeigt, was danach ' +
    'insgesamt erlaubt ist.',
  'consent.replace':
    'Dies ersetzt den Zugriff, dem Sie <time>{when}</time> zugestimmt haben. Alles, was nicht in der folgenden Liste ' +
    'steht, endet.',
  'consent.wants': '<bdi>{application}</bdi> möchte',
  'consent.wants-several': '<bdi>{application}</bdi> möchte <soft>({count, number} Berechtigungen)</soft>',
  'consent.choose': 'Entfernen Sie das Häkchen bei allem, was Sie nicht erlauben möchten.',
  'consent.choose-or-deny':
    'Entfernen Sie das Häkchen bei allem, was Sie nicht erlauben möchten. Ganz ohne Häkchen wird die Anfrage ' +
    'abgelehnt.',
  'consent.new-scopes': 'Neu',
  'consent.allowed-scopes': 'Bereits erlaubt',
  'consent.sensitive': 'Sensibel',
  'consent.whole-server': 'Ganzer Server',
  'consent.also-asks': 'Außerdem verlangt die Anwendung',
  'consent.also-asks-help':
    'Diese Angaben lassen sich nicht abwählen. Lehnen Sie die Anfrage ab, wenn Sie sie nicht weitergeben möchten.',
  'consent.later-changes': 'Wenn Sie diese Angaben später ändern, sieht <bdi>{application}</bdi> die Änderung.',
  'consent.also-wants': 'Außerdem möchte die Anwendung',
  'consent.also-wants-help':
    'Dies lässt sich weder abwählen noch ändern. Lehnen Sie die Anfrage ab, wenn etwas nicht stimmt.',
  'consent.detail-at': 'bei <code>{api}</code>',
  'consent.detail-members': 'Alle Angaben',
  'consent.detail-not-specified': '(nicht angegeben)',
  'consent.not-filled-in': 'Nicht ausgefüllt: {claims}',
  'consent.yes': 'ja',
  'consent.no': 'nein',
  'consent.authorize': 'Zulassen',
  'consent.deny': 'Ablehnen',
  'consent.user': 'Angemeldet als <bdi>{username}</bdi>.',
  'consent.user-on-device': 'Angemeldet als <bdi>{username}</bdi>. Nicht Sie? Dann lehnen Sie ab.',
  'consent.not-you': 'Nicht Sie?',
  'consent.details': 'Einzelheiten',
  'consent.described-at': 'Beschrieben unter',
  'consent.registered': 'Registriert',
  'consent.registered-by': '<time>{when}</time> von <bdi>{owner}</bdi>',
  'consent.history': 'Bisheriger Zugriff',
  'consent.no-history': 'kein Zugriff auf Ihr Konto',
  'consent.first-authorized': 'erstmals zugelassen <time>{when}</time>',
  'consent.sends-back-to': 'Leitet Sie zurück zu',
  'consent.apis': 'Gilt für diese APIs',
  'consent.scope': 'Scope',
  'consent.revocable': 'Sie können den Zugriff jederzeit unter „Zugelassene Anwendungen“ widerrufen.',
  'consent.website': 'Website',
  'consent.privacy-policy': 'Datenschutzerklärung',
  'consent.terms': 'Nutzungsbedingungen',
  'consent.device-code': 'Ihr Gerät muss diesen Code anzeigen: <b>{code}</b>',
  'consent.device-warning':
    'Fahren Sie nur fort, wenn Sie dies auf einem Gerät begonnen haben, das vor Ihnen steht. Hat Ihnen jemand den ' +
    'Code oder einen Link geschickt, lehnen Sie ab: Diese Person bekäme Zugriff auf Ihr Konto.',
  'consent.device-here':
    'Angefragt <time>{when}</time> von <bdi>{program}</bdi> mit der Adresse <code>{address}</code>, im selben Netz ' +
    'wie dieser Browser.',
  'consent.device-elsewhere':
    'Angefragt <time>{when}</time> von <bdi>{program}</bdi> mit der Adresse <code>{address}</code>, nicht im Netz ' +
    'dieses Browsers.',
  'consent.unknown-program-here':
    'Angefragt <time>{when}</time> von einem unbekannten Programm mit der Adresse <code>{address}</code>, im selben ' +
    'Netz wie dieser Browser.',
  'consent.unknown-program-elsewhere':
    'Angefragt <time>{when}</time> von einem unbekannten Programm mit der Adresse <code>{address}</code>, nicht im ' +
    'Netz dieses Browsers.',
  'consent.request': 'Anfrage',
  'consent.expires': 'läuft <time>{when}</time> ab',
  'consent.expired-title': 'Diese Anfrage gilt nicht mehr',
  'consent.expired': 'Sie ist abgelaufen oder gehört zu einer anderen Sitzung. Es wurde nichts zugelassen.',
  'consent.expired-advice': 'Gehen Sie zur Anwendung zurück, und beginnen Sie von vorn.',
  'consent.answered-title': 'Sie haben diese Anfrage schon beantwortet',
  'consent.answered': 'Die Anwendung hat Ihre erste Antwort erhalten. Es wurde nichts geändert.',
  'consent.answered-advice': 'Gehen Sie zur Anwendung zurück. Wenn sie noch wartet, beginnen Sie dort von vorn.',
  'device.expired-advice': 'Beginnen Sie auf dem Gerät von vorn, und geben Sie den neuen Code ein.',
  'device.disabled-title': '{application} ist gesperrt',
  'device.disabled':
    'Ein Administrator hat die Anwendung auf diesem Server gesperrt. Es wurden keine Daten weitergegeben.',
  'device.disabled-advice': 'Die Anwendung kann erst wieder verwendet werden, wenn ein Administrator sie entsperrt.',
  'device.test-mode':
    'Nur die Besitzer der Anwendung und die von ihnen eingeladenen Benutzer können sie zurzeit verwenden. Es wurden ' +
    'keine Daten weitergegeben.',
  'device.not-allowed-title': 'Sie können dieser Anfrage nicht zustimmen',
  'device.asks-to-administer': 'Das Gerät möchte diesen Server verwalten. Das kann ihm kein Benutzer erlauben.',
  'device.asks-to-administer-advice': 'Wenden Sie sich an die Entwickler des Geräts.',
  'device.asks-to-audit':
    'Das Gerät möchte auf das Protokoll zugreifen. Das können ihm nur Prüfer und Administratoren erlauben.',
  'device.asks-to-audit-advice': 'Bitten Sie einen Prüfer oder einen Administrator, den Code einzugeben.',
  'device.answered-title': 'Diese Anfrage wurde schon beantwortet',
  'device.answered': 'Das Gerät hat die erste Antwort erhalten. Es wurde nichts geändert.',
  'device.answered-advice': 'Wenn das Gerät noch wartet, beginnen Sie dort von vorn.',
  'consent.changed-text':
    'Die Beschreibung dessen, was {application} möchte, hat sich geändert. Lesen Sie sie noch einmal, bevor Sie ' +
    'entscheiden.',
};

/** Messages on the consent pages. */
export const consent = { en, de };
