const en = {
  'app-form.no-redirects': 'not needed for this kind of application',
  'app-form.administration': 'Consent page and restricted scopes',
  'app-form.consent-shown': 'users are asked',
  'app-form.consent-skipped': 'users are not asked',
  'app-form.settings-of': 'Settings of {application}',
  'app-form.settings-of-heading': 'Settings of <bdi>{application}</bdi>',
  'app-form.lede': 'All settings, in protocol terms. If you are not sure, choose a <a>kind of application</a> instead.',
  'app-form.name': 'Name',
  'app-form.name-help': 'Shown to users on the consent page. Use the name they know.',
  'app-form.redirect-uris': 'Redirect URIs',
  'app-form.redirect-uris-help':
    'Where users return with the code. Enter one full URL per line, which requests must match exactly: https, or ' +
    'http on this computer, such as http://localhost:3000/callback.',
  'app-form.callback': 'Built-in callback page',
  'app-form.callback-choice': 'Let me try the whole flow in my browser',
  'app-form.callback-choice-owners': 'Let its owners try the whole flow in their browsers',
  'app-form.callback-help':
    'Users can also be sent back to a page of this server, which only owners of the application can use: it ' +
    'exchanges the code, and shows and explains the tokens.',
  'app-form.how-tokens': 'How it gets tokens',
  'app-form.client-type': 'Client type',
  'app-form.client-type-help': 'Can the application keep a secret?',
  'app-form.grants': 'Authorization grant types',
  'app-form.grants-help':
    'How the application obtains tokens. Choose one or more; all except client credentials include refresh tokens.',
  'app-form.origins': 'Allowed origins',
  'app-form.origins-help':
    'Only needed if JavaScript in a browser requests the tokens (CORS). Scheme, host and port without a path, one ' +
    'per line.',
  'app-form.access-tokens': 'Access tokens',
  'app-form.format': 'Access token format',
  'app-form.format-help': 'Format of the access tokens issued to this application.',
  'app-form.opaque': 'Opaque',
  'app-form.opaque-help':
    'A random string. APIs check each token with this server (introspection), so revocation is immediate. The usual ' +
    'choice.',
  'app-form.jwt': 'Signed (JWT)',
  'app-form.jwt-help': 'APIs can verify tokens themselves, but notice a revocation only if they also ask this server.',
  'app-form.token-algorithm': 'Signature of access tokens',
  'app-form.token-algorithm-help': 'Choose a different one only if your API needs it: all software can verify RS256.',
  'app-form.rs256': 'RS256 (works everywhere)',
  'app-form.second-factor': 'Second factor',
  'app-form.factor-optional': 'Up to each user',
  'app-form.factor-optional-help': 'Users who have turned on two-step login are asked for their second factor.',
  'app-form.factor-optional-summary': 'second factor up to each user',
  'app-form.factor-required': 'Required',
  'app-form.factor-required-help':
    'Every user confirms the login with a second factor or a passkey before authorizing the application.',
  'app-form.factor-required-summary': 'second factor required',
  'app-form.details': 'Authorization details',
  'app-form.details-help':
    'An authorization detail requests access to one thing, such as one payment. APIs declare their types.',
  'app-form.details-all': 'Every type',
  'app-form.details-all-help': 'It may request details of each type that an API declares.',
  'app-form.details-listed': 'Only these types',
  'app-form.details-listed-help': 'If you list none, it may not request any details.',
  'app-form.detail-types': 'Types of authorization details',
  'app-form.detail-types-help': 'Only for “Only these types”. One per line.',
  'app-form.authentication': 'Authentication',
  'app-form.authentication-summary': 'methods, public keys',
  'app-form.authentication-help':
    'For confidential applications. They get a client secret unless you choose otherwise.',
  'app-form.save': 'Save changes',
  'app-form.manage': 'Manage',
  'app-form.keys': 'Public keys and authentication',
  'app-form.rotate': 'Rotate the client secret…',
  'app-form.create-secret': 'Create a client secret…',
  'app-form.delete': 'Delete this application…',
  'app-form.owner': 'Owner',
  'app-form.owner-help': 'The user name of the user who manages it. Leave empty if only administrators manage it.',
  'app-form.consent': 'Consent page',
  'app-form.consent-skip': 'Skip it for this application',
  'app-form.consent-skip-help':
    'Users are not asked before it gets access to their accounts. Only for trusted applications of your own ' +
    'organization.',
  'app-form.restricted-scopes': 'Restricted scopes',
  'app-form.restricted-scopes-help': 'Applications cannot request these scopes unless you allow it.',
  'presentation.title': 'What users see',
  'presentation.summary': 'description, links',
  'presentation.help': 'Shown on the consent page, so that users know whom they trust.',
  'presentation.logo-later': 'You can add a logo later, in the settings.',
  'presentation.description': 'Description',
  'presentation.description-help': 'One sentence about what the application does.',
  'presentation.homepage': 'Homepage',
  'presentation.homepage-help': 'For example, https://app.example.com',
  'presentation.policy': 'Privacy policy',
  'presentation.terms': 'Terms of service',
  'presentation.link-help': 'A web address that starts with https://',
  'logo.title': 'Logo',
  'logo.lede': 'Users see it when they are asked to authorize the application.',
  'logo.alt': 'The logo of {application}',
  'logo.file': 'Image file',
  'logo.other-file': 'New image file',
  'logo.help': 'PNG, JPEG or WebP, at most 24 KiB and 1024 × 1024 pixels. A square looks best.',
  'logo.upload': 'Upload',
  'logo.remove': 'Remove the logo',
  'logo.changed': 'The logo was changed.',
  'logo.removed': 'The logo was removed.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'app-form.no-redirects': 'für diese Art von Anwendung nicht nötig',
  'app-form.administration': 'Zustimmungsseite und eingeschränkte Scopes',
  'app-form.consent-shown': 'Benutzer werden gefragt',
  'app-form.consent-skipped': 'Benutzer werden nicht gefragt',
  'app-form.settings-of': 'Einstellungen von {application}',
  'app-form.settings-of-heading': 'Einstellungen von <bdi>{application}</bdi>',
  'app-form.lede':
    'Alle Einstellungen in den Begriffen des Protokolls. Wenn Sie unsicher sind, wählen Sie stattdessen eine <a>Art ' +
    'von Anwendung</a>.',
  'app-form.name': 'Name',
  'app-form.name-help': 'Wird Benutzern auf der Zustimmungsseite angezeigt. Verwenden Sie den Namen, den sie kennen.',
  'app-form.redirect-uris': 'Redirect-URIs',
  'app-form.redirect-uris-help':
    'Wohin Benutzer mit dem Code zurückkehren. Eine vollständige URL pro Zeile, die genau übereinstimmen muss: ' +
    'https, oder http auf diesem Computer, zum Beispiel http://localhost:3000/callback.',
  'app-form.callback': 'Eingebaute Callback-Seite',
  'app-form.callback-choice': 'Den ganzen Ablauf im Browser ausprobieren',
  'app-form.callback-choice-owners': 'Die Besitzer den ganzen Ablauf im Browser ausprobieren lassen',
  'app-form.callback-help':
    'Benutzer können auch zu einer Seite dieses Servers zurückkehren, die nur Besitzer der Anwendung verwenden ' +
    'können: Sie tauscht den Code ein und zeigt und erklärt die Token.',
  'app-form.how-tokens': 'Wie sie Token bekommt',
  'app-form.client-type': 'Client-Typ',
  'app-form.client-type-help': 'Kann die Anwendung ein Geheimnis bewahren?',
  'app-form.grants': 'Grant-Typen',
  'app-form.grants-help':
    'Wie die Anwendung Token bekommt. Wählen Sie mindestens einen. Zu allen außer Client Credentials gehören ' +
    'Refresh-Token.',
  'app-form.origins': 'Erlaubte Origins',
  'app-form.origins-help':
    'Nur nötig, wenn JavaScript in einem Browser die Token anfordert (CORS). Schema, Host und Port ohne Pfad, einer ' +
    'pro Zeile.',
  'app-form.access-tokens': 'Zugriffstoken',
  'app-form.format': 'Format der Zugriffstoken',
  'app-form.format-help': 'Format der Zugriffstoken, die diese Anwendung bekommt.',
  'app-form.opaque': 'Opak (Zufallswert)',
  'app-form.opaque-help':
    'Eine zufällige Zeichenfolge. APIs lassen jedes Token von diesem Server prüfen (Introspection), deshalb wirkt ' +
    'ein Widerruf sofort. Die übliche Wahl.',
  'app-form.jwt': 'Signiert (JWT)',
  'app-form.jwt-help':
    'APIs können Token selbst prüfen, bemerken einen Widerruf aber nur, wenn sie auch diesen Server fragen.',
  'app-form.token-algorithm': 'Signatur der Zugriffstoken',
  'app-form.token-algorithm-help':
    'Wählen Sie eine andere nur, wenn Ihre API sie braucht: Jede Software kann RS256 prüfen.',
  'app-form.rs256': 'RS256 (funktioniert überall)',
  'app-form.second-factor': 'Zweiter Faktor',
  'app-form.factor-optional': 'Nach Wahl jedes Benutzers',
  'app-form.factor-optional-help':
    'Benutzer, die die Anmeldung in zwei Schritten eingeschaltet haben, werden nach ihrem zweiten Faktor gefragt.',
  'app-form.factor-optional-summary': 'zweiter Faktor nach Wahl jedes Benutzers',
  'app-form.factor-required': 'Erforderlich',
  'app-form.factor-required-help':
    'Jeder Benutzer bestätigt die Anmeldung mit einem zweiten Faktor oder einem Passkey, bevor er die Anwendung ' +
    'zulässt.',
  'app-form.factor-required-summary': 'zweiter Faktor erforderlich',
  'app-form.details': 'Autorisierungsdetails',
  'app-form.details-help':
    'Ein Autorisierungsdetail fordert Zugriff auf eine einzelne Sache an, zum Beispiel eine Zahlung. APIs legen ihre ' +
    'Typen fest.',
  'app-form.details-all': 'Jeder Typ',
  'app-form.details-all-help': 'Sie darf Details jedes Typs anfordern, den eine API festlegt.',
  'app-form.details-listed': 'Nur diese Typen',
  'app-form.details-listed-help': 'Ohne Angabe darf sie keine Details anfordern.',
  'app-form.detail-types': 'Typen von Autorisierungsdetails',
  'app-form.detail-types-help': 'Nur für „Nur diese Typen“. Einer pro Zeile.',
  'app-form.authentication': 'Authentifizierung',
  'app-form.authentication-summary': 'Verfahren, öffentliche Schlüssel',
  'app-form.authentication-help':
    'Für vertrauliche Anwendungen. Sie bekommen ein Client-Secret, wenn Sie nichts anderes wählen.',
  'app-form.save': 'Änderungen speichern',
  'app-form.manage': 'Verwalten',
  'app-form.keys': 'Öffentliche Schlüssel und Authentifizierung',
  'app-form.rotate': 'Client-Secret erneuern …',
  'app-form.create-secret': 'Client-Secret erzeugen …',
  'app-form.delete': 'Diese Anwendung löschen …',
  'app-form.owner': 'Besitzer',
  'app-form.owner-help': 'Der Benutzername des Benutzers, der sie verwaltet. Leer: Nur Administratoren verwalten sie.',
  'app-form.consent': 'Zustimmungsseite',
  'app-form.consent-skip': 'Bei dieser Anwendung überspringen',
  'app-form.consent-skip-help':
    'Benutzer werden nicht gefragt, bevor sie Zugriff auf ihr Konto bekommt. Nur für vertrauenswürdige Anwendungen ' +
    'Ihrer eigenen Organisation.',
  'app-form.restricted-scopes': 'Eingeschränkte Scopes',
  'app-form.restricted-scopes-help': 'Anwendungen können diese Scopes nur anfordern, wenn Sie es erlauben.',
  'presentation.title': 'Was Benutzer sehen',
  'presentation.summary': 'Beschreibung, Links',
  'presentation.help': 'Wird auf der Zustimmungsseite angezeigt, damit Benutzer wissen, wem sie vertrauen.',
  'presentation.logo-later': 'Ein Logo können Sie später in den Einstellungen hinzufügen.',
  'presentation.description': 'Beschreibung',
  'presentation.description-help': 'Ein Satz darüber, was die Anwendung tut.',
  'presentation.homepage': 'Startseite',
  'presentation.homepage-help': 'Zum Beispiel https://app.example.com',
  'presentation.policy': 'Datenschutzerklärung',
  'presentation.terms': 'Nutzungsbedingungen',
  'presentation.link-help': 'Eine Webadresse, die mit https:// beginnt',
  'logo.title': 'Logo',
  'logo.lede': 'Benutzer sehen es, wenn sie gefragt werden, ob sie die Anwendung zulassen.',
  'logo.alt': 'Das Logo von {application}',
  'logo.file': 'Bilddatei',
  'logo.other-file': 'Andere Bilddatei',
  'logo.help': 'PNG, JPEG oder WebP, höchstens 24 KiB und 1024 × 1024 Pixel. Am besten quadratisch.',
  'logo.upload': 'Hochladen',
  'logo.remove': 'Logo entfernen',
  'logo.changed': 'Das Logo wurde geändert.',
  'logo.removed': 'Das Logo wurde entfernt.',
};

/** Messages on the form with all of an application’s settings, except for its sections about the protocol. */
export const applicationForm = { en, de };
