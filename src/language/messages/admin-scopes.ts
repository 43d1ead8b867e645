const en = {
  'admin-rotate.title': 'Rotate the secret of <bdi>{application}</bdi>?',
  'admin-rotate.lede':
    'The new secret works immediately and is shown to you once. Send it to the people who run the application ' +
    'before the current one expires. Tokens already issued stay valid.',
  'admin-rotate.create-title': 'Create a secret for <bdi>{application}</bdi>?',
  'admin-rotate.create-lede':
    'The secret works immediately and is shown to you once. Send it to the people who run the application.',
  'admin-secret.title': 'Credentials of <bdi>{application}</bdi>',
  'admin-secret.heading': 'Client id and secret',
  'admin-secret.copy': 'Copy the secret now',
  'admin-secret.once':
    'You will not be able to see it again. Only a hash is stored. Send it to the people who run the application.',
  'admin-secret.rotate': 'Rotate the secret',
  'admin-secret.secret': 'Client secret',
  'admin-secret.copied': 'I have copied the secret',
  'admin-secret.back': 'Go to the application',
  'admin-scopes.title': 'Restricted scopes of <bdi>{application}</bdi>',
  'admin-scopes.lede':
    'Applications cannot request these scopes unless you allow it. Removing a scope also removes it from tokens ' +
    'already issued.',
  'admin-scopes.legend': 'Allowed scopes',
  'admin-scopes.save': 'Save the scopes',
  'admin-scopes.allowed': '{application} may now request {scopes}.',
  'admin-scopes.withdrawn': '{application} may no longer request {scopes}.',
  'admin-scopes.exchanged': '{application} may now request {allowed}, and may no longer request {withdrawn}.',
  'admin-scopes.same': 'The restricted scopes of {application} did not change.',
  'restricted-scope.admin':
    'Sensitive. The application can administer this server: users, groups, applications and their access. It acts ' +
    'with its own client credentials, so no user has to authorize it.',
  'restricted-scope.audit':
    'Sensitive. The application can read everything ever recorded about all users: with its own client credentials, ' +
    'and for each auditor or administrator who authorizes it.',
  'restricted-scope.introspection': 'The application can find out what any access token allows.',
  'restricted-scope.register': 'The application can register other applications on this server.',
  'restricted-scope.query': 'The application can see the permissions that users have given it.',
  'restricted-scope.revoke': 'The application can revoke the permissions that users have given it.',
  'remove-application.title': 'Remove {application}?',
  'remove-application.button': 'Remove the application',
  'remove-application.text':
    'Its client id, its secret and all of its tokens stop working immediately. This cannot be undone. The audit ' +
    'log keeps the application’s past actions, and its client id is never reused.',
  'remove-application.name': 'The name of the application',
  'remove-application.done': '{application} was removed.',
  'disable-application.title': 'Disable {application}?',
  'disable-application.button': 'Disable the application',
  'disable-application.text':
    'Until an administrator enables it again, nobody can authorize it, it gets no tokens, and all of its tokens are ' +
    'refused, for all users. APIs that verify JWTs themselves accept its JWTs until they expire.',
  'disable-application.nothing':
    'Nothing is revoked: once the application is enabled again, everything that has not expired works again. To ' +
    'revoke everything, remove the application.',
  'disable-application.owners': 'Its owners see that it is disabled.',
  'disable-application.done': '{application} is disabled.',
  'enable-application.done': '{application} is enabled.',
  'admin-register.done': '{application} was registered.',
  'admin-register.saved': 'The settings of {application} were saved.',
  'admin-register.sent-before': 'This form was already submitted',
  'admin-register.removed': 'The application that it registered has since been removed. Nothing was changed.',
  'admin-register.again': 'Open the form again to register another application.',
  'admin-refusals.title': 'Refused requests',
  'admin-refusals.lede':
    'Why requests were refused. For each application, the newest {proven} are kept, plus the newest {named} with an ' +
    'unverified sender.',
  'scopes.lede':
    'The access that users give to applications, as described on the consent page. Resource servers define their own ' +
    'scopes. Changes take effect immediately, even for existing tokens.',
  'scopes.add': 'Add a scope',
  'scopes.fixed':
    'The operator set the scopes in {place, select, file {the configuration file} other {the environment}}. Scopes ' +
    'can be added or removed, and their descriptions changed, only there.',
  'scopes.icons': 'Icons and sensitivity can be changed here.',
  'scopes.scope': 'Scope',
  'scopes.description': 'Description',
  'scopes.sensitivity': 'Sensitivity',
  'scopes.built-in': 'built in',
  'scopes.sensitive': 'sensitive',
  'scopes.normal': 'normal',
  'scopes.origin': 'Origin',
  'scopes.own': 'added',
  'scopes.added': 'added here',
  'scopes.default': 'default setting',
  'scopes.file': 'configuration file',
  'scopes.environment': 'environment',
  'scopes.requested-by': 'May be requested by',
  'scopes.by-all': 'all applications',
  'scopes.by-allowed': 'only allowed applications',
  'scopes.by-allowed-count': 'only allowed applications ({count})',
  'scopes.allowed-clients': 'Allowed applications',
  'scope.who-may': 'Applications that may request this scope',
  'scope.who-uses': 'Applications that use this scope',
  'scope.restricted':
    'The scope is restricted: each application needs an administrator’s permission. The counts cover access ' +
    'tokens with the scope that were issued <time>{period}</time>.',
  'scope.restricted-none':
    'The scope is restricted: each application needs an administrator’s permission. None has it, and none got ' +
    'access tokens with the scope <time>{period}</time>.',
  'scope.unrestricted':
    'All applications may request this scope. {count, plural, =0 {No application} one {This one} other {These}} got ' +
    'access tokens with it <time>{period}</time>.',
  'scope.not-allowed': 'may no longer request it',
  'scope.further': '{count, plural, one {# further application} other {# further applications}}',
  'scope.title': 'Scope {scope}',
  'scope.icon': 'Icon',
  'scope.remove-title': 'Remove {scope}?',
  'scope.lose': 'Affected applications',
  'scope.use':
    '<b>{count, plural, one {# application} other {# applications}}</b> got access tokens with it ' +
    '<time>{period}</time>. Once it is removed, these tokens no longer have the scope, and new requests for it are ' +
    'refused. If you add the scope again, the tokens regain it.',
  'scope.tokens': '{count, plural, one {# token} other {# tokens}}',
  'scope.remove-button': 'Remove the scope',
  'scope.name-help': 'For example, invoices:read. Applications request it by this name.',
  'scope.description-help': 'Completes the phrase “… wants to”. For example: Read your invoices.',
  'scope.sensitivity-help': 'Sensitive scopes are marked on the consent page.',
  'scope.add-button': 'Add the scope',
  'scope.added': '{scope} was added.',
  'scope.saved': '{scope} was saved.',
  'scope.removed': '{scope} was removed.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'admin-rotate.title': 'Client-Secret von <bdi>{application}</bdi> erneuern?',
  'admin-rotate.lede':
    'Das neue Client-Secret gilt sofort und wird Ihnen nur einmal angezeigt. Geben Sie es den Betreibern der ' +
    'Anwendung, bevor das aktuelle abläuft. Bereits ausgestellte Token gelten weiter.',
  'admin-rotate.create-title': 'Client-Secret für <bdi>{application}</bdi> erzeugen?',
  'admin-rotate.create-lede':
    'Das Client-Secret gilt sofort und wird Ihnen nur einmal angezeigt. Geben Sie es den Betreibern der Anwendung.',
  'admin-secret.title': 'Zugangsdaten von <bdi>{application}</bdi>',
  'admin-secret.heading': 'Client-ID und Client-Secret',
  'admin-secret.copy': 'Kopieren Sie das Client-Secret jetzt',
  'admin-secret.once':
    'Es wird nicht noch einmal angezeigt. Gespeichert ist nur ein Hashwert. Geben Sie es den Betreibern der Anwendung.',
  'admin-secret.rotate': 'Client-Secret erneuern',
  'admin-secret.secret': 'Client-Secret',
  'admin-secret.copied': 'Ich habe das Client-Secret kopiert',
  'admin-secret.back': 'Zur Anwendung',
  'admin-scopes.title': 'Eingeschränkte Scopes von <bdi>{application}</bdi>',
  'admin-scopes.lede':
    'Anwendungen können diese Scopes nur anfordern, wenn Sie es erlauben. Entziehen Sie einen Scope, verlieren ihn ' +
    'auch bereits ausgestellte Token.',
  'admin-scopes.legend': 'Erlaubte Scopes',
  'admin-scopes.save': 'Scopes speichern',
  'admin-scopes.allowed': '{application} darf jetzt {scopes} anfordern.',
  'admin-scopes.withdrawn': '{application} darf {scopes} nicht mehr anfordern.',
  'admin-scopes.exchanged': '{application} darf jetzt {allowed} anfordern und {withdrawn} nicht mehr.',
  'admin-scopes.same': 'Die eingeschränkten Scopes von {application} haben sich nicht geändert.',
  'restricted-scope.admin':
    'Sensibel. Die Anwendung kann diesen Server verwalten: Benutzer, Gruppen, Anwendungen und deren Zugriff. Sie ' +
    'handelt mit ihren eigenen Client-Zugangsdaten, also muss kein Benutzer sie zulassen.',
  'restricted-scope.audit':
    'Sensibel. Die Anwendung kann alles lesen, was jemals über alle Benutzer aufgezeichnet wurde: mit ihren eigenen ' +
    'Client-Zugangsdaten und für jeden Prüfer oder Administrator, der sie zulässt.',
  'restricted-scope.introspection': 'Die Anwendung kann herausfinden, was ein beliebiges Zugriffstoken erlaubt.',
  'restricted-scope.register': 'Die Anwendung kann andere Anwendungen auf diesem Server registrieren.',
  'restricted-scope.query': 'Die Anwendung kann sehen, was Benutzer ihr erlaubt haben.',
  'restricted-scope.revoke': 'Die Anwendung kann widerrufen, was Benutzer ihr erlaubt haben.',
  'remove-application.title': '{application} entfernen?',
  'remove-application.button': 'Anwendung entfernen',
  'remove-application.text':
    'Ihre Client-ID, ihr Client-Secret und alle ihre Token gelten sofort nicht mehr. Das lässt sich nicht rückgängig ' +
    'machen. Im Protokoll bleibt stehen, was die Anwendung getan hat, und ihre Client-ID wird nie wieder vergeben.',
  'remove-application.name': 'Name der Anwendung',
  'remove-application.done': '{application} wurde entfernt.',
  'disable-application.title': '{application} sperren?',
  'disable-application.button': 'Anwendung sperren',
  'disable-application.text':
    'Niemand kann sie dann zulassen, sie erhält keine Token, und ihre Token werden für alle Benutzer abgelehnt, bis ' +
    'ein Administrator sie wieder entsperrt. APIs, die JWTs selbst prüfen, akzeptieren diese, bis sie ablaufen.',
  'disable-application.nothing':
    'Beendet wird nichts: Was bis zum Entsperren nicht abgelaufen ist, gilt dann wieder. Um alles zu beenden, ' +
    'entfernen Sie die Anwendung.',
  'disable-application.owners': 'Ihre Besitzer sehen, dass sie gesperrt ist.',
  'disable-application.done': '{application} ist gesperrt.',
  'enable-application.done': '{application} ist entsperrt.',
  'admin-register.done': '{application} wurde registriert.',
  'admin-register.saved': 'Die Einstellungen von {application} wurden gespeichert.',
  'admin-register.sent-before': 'Dieses Formular wurde schon abgesendet',
  'admin-register.removed': 'Die damit registrierte Anwendung wurde inzwischen entfernt. Es wurde nichts geändert.',
  'admin-register.again': 'Öffnen Sie das Formular erneut, um eine weitere Anwendung zu registrieren.',
  'admin-refusals.title': 'Abgelehnte Anfragen',
  'admin-refusals.lede':
    'Warum Anfragen abgelehnt wurden. Aufbewahrt werden für jede Anwendung die neuesten {proven}, und die neuesten ' +
    '{named} mit ungeprüftem Absender.',
  'scopes.lede':
    'Der Zugriff, den Benutzer Anwendungen geben, in den Worten der Zustimmungsseite. Ressourcenserver legen eigene ' +
    'Scopes fest. Änderungen gelten sofort, auch für bestehende Token.',
  'scopes.add': 'Scope hinzufügen',
  'scopes.fixed':
    'Der Betreiber hat die Scopes {place, select, file {in der Konfigurationsdatei} other {in der Umgebung}} ' +
    'festgelegt. Nur dort lassen sie sich hinzufügen, beschreiben oder entfernen.',
  'scopes.icons': 'Symbole und Sensibilität lassen sich hier ändern.',
  'scopes.scope': 'Scope',
  'scopes.description': 'Beschreibung',
  'scopes.sensitivity': 'Sensibilität',
  'scopes.built-in': 'eingebaut',
  'scopes.sensitive': 'sensibel',
  'scopes.normal': 'normal',
  'scopes.origin': 'Herkunft',
  'scopes.own': 'hinzugefügt',
  'scopes.added': 'hier hinzugefügt',
  'scopes.default': 'Vorgabe der Einstellung',
  'scopes.file': 'Konfigurationsdatei',
  'scopes.environment': 'Umgebung',
  'scopes.requested-by': 'Wer ihn anfordern darf',
  'scopes.by-all': 'alle Anwendungen',
  'scopes.by-allowed': 'nur erlaubte Anwendungen',
  'scopes.by-allowed-count': 'nur erlaubte Anwendungen ({count})',
  'scopes.allowed-clients': 'Erlaubte Anwendungen',
  'scope.who-may': 'Anwendungen, die ihn anfordern dürfen',
  'scope.who-uses': 'Anwendungen, die ihn nutzen',
  'scope.restricted':
    'Der Scope ist eingeschränkt: Jede Anwendung braucht die Erlaubnis eines Administrators. Gezählt sind die ' +
    'Zugriffstoken mit dem Scope, die <time>{period}</time> ausgestellt wurden.',
  'scope.restricted-none':
    'Der Scope ist eingeschränkt: Jede Anwendung braucht die Erlaubnis eines Administrators. Keine hat sie, und ' +
    'keine hat <time>{period}</time> Zugriffstoken mit dem Scope erhalten.',
  'scope.unrestricted':
    'Alle Anwendungen dürfen ihn anfordern. {count, plural, =0 {Keine Anwendung hat} one {Diese hat} ' +
    'other {Diese haben}} <time>{period}</time> Zugriffstoken mit ihm erhalten.',
  'scope.not-allowed': 'darf ihn nicht mehr anfordern',
  'scope.further': '{count, plural, one {# weitere Anwendung} other {# weitere Anwendungen}}',
  'scope.title': 'Scope {scope}',
  'scope.icon': 'Symbol',
  'scope.remove-title': '{scope} entfernen?',
  'scope.lose': 'Betroffene Anwendungen',
  'scope.use':
    '<b>{count, plural, one {# Anwendung} other {# Anwendungen}}</b> {count, plural, one {hat} other {haben}} ' +
    '<time>{period}</time> Zugriffstoken mit ihm erhalten. Diese Token haben den Scope dann ' +
    'nicht mehr, und neue Anfragen danach werden abgelehnt. Fügen Sie den Scope wieder hinzu, haben die Token ihn ' +
    'wieder.',
  'scope.tokens': '{count, plural, one {# Token} other {# Token}}',
  'scope.remove-button': 'Scope entfernen',
  'scope.name-help': 'Etwa invoices:read. Unter diesem Namen fordern ihn Anwendungen an.',
  'scope.description-help': 'Ergänzt den Satz „… möchte“, etwa: Ihre Rechnungen lesen.',
  'scope.sensitivity-help': 'Die Zustimmungsseite kennzeichnet sensible Scopes.',
  'scope.add-button': 'Scope hinzufügen',
  'scope.added': '{scope} wurde hinzugefügt.',
  'scope.saved': '{scope} wurde gespeichert.',
  'scope.removed': '{scope} wurde entfernt.',
};

/** Messages on administrators’ pages for changing applications, and on the pages for scopes. */
export const adminScopes = { en, de };
