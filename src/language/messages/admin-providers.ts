const en = {
  'providers.lede': 'OpenID providers that users log in through, such as your company’s.',
  'providers.add': 'Add a provider',
  'provider.settings': 'Settings',
  'provider.connection': 'Connection',
  'provider.mapping': 'Domains, roles, groups and second factor',
  'provider.more': 'Authentication, tenants and scopes',
  'provider.register': 'Register this redirect URI with the provider:',
  'provider.test-help':
    'The test reads the metadata and the keys, and tries to redeem a made-up code. It does not log anyone in.',
  'provider.test': 'Test the connection',
  'provider.id': 'Id',
  'provider.id-help':
    'Lowercase letters, digits and hyphens, such as corp. It is part of the redirect URI and cannot be changed later.',
  'provider.presets': 'Which provider?',
  'provider.preset.custom': 'Other provider',
  'provider.preset.google-advice':
    'In the Google Cloud console, open “Google Auth Platform”, “Clients”, and create a client of the type “Web ' +
    'application” with the redirect URI below.',
  'provider.preset.entra-advice':
    'In the Microsoft Entra admin center, open “App registrations”, and register an application with the redirect ' +
    'URI below for the platform “Web”. Create a client secret under “Certificates & secrets”.',
  'provider.preset.okta-advice':
    'In the Okta admin console, open “Applications”, and create an app integration of the type “OIDC”, “Web ' +
    'Application”, with the redirect URI below as the sign-in redirect URI.',
  'provider.preset.auth0-advice':
    'In the Auth0 dashboard, open “Applications”, and create a “Regular Web Application” with the redirect URI ' +
    'below as an allowed callback URL. The issuer ends with a slash.',
  'provider.preset.gitlab-advice':
    'In GitLab, open “Applications” in the settings of your user, your group or the instance, and add an application ' +
    'with the redirect URI below and the scopes openid, email and profile.',
  'provider.preset.keycloak-advice':
    'In the Keycloak admin console, choose the realm, and create an OpenID Connect client with the redirect URI ' +
    'below and “Client authentication” turned on. The issuer contains the name of the realm.',
  'provider.preset.custom-advice':
    'Register this server there as a client with the redirect URI below. The provider must publish its metadata at ' +
    '/.well-known/openid-configuration below its issuer.',
  'provider.redirect-uri': 'Redirect URI',
  'provider.redirect-uri-id': 'It contains the id that you enter below.',
  'provider.users': 'New users, linking and passwords',
  'provider.kind': 'Kind',
  'provider.kind-help': 'Determines the defaults of the fields that you leave empty.',
  'provider.name-help': 'Shown on the button on the login page: “Log in with …”.',
  'provider.issuer-help': 'Exactly as the provider states it, such as {example}.',
  'provider.tenants': 'Tenants (Microsoft Entra)',
  'provider.tenants-help':
    'The ids of the tenants whose users may log in, if the issuer represents several tenants. One per line.',
  'provider.client-id-help': 'The id that the provider assigned to this server.',
  'provider.authentication': 'Authentication of this server',
  'provider.authentication-help':
    'With private_key_jwt, give the provider the URL of this server’s key set, /.well-known/jwks.json.',
  'provider.secret': 'Client secret',
  'provider.secret-there': 'A secret is stored. Enter a new one to replace it.',
  'provider.secret-help': 'It is encrypted and never shown again.',
  'provider.scopes-help': 'One per line. openid is required; email and profile help to identify users.',
  'provider.linking': 'Linking',
  'provider.explicit': 'Users link their accounts',
  'provider.explicit-help': 'Users who are logged in here link their accounts at the provider.',
  'provider.by-address': 'Accounts with the same verified address are linked, too',
  'provider.by-address-help':
    'Choose this only if the provider never gives a user an address that belongs to somebody else. An address that ' +
    'is unverified, there or here, never links accounts.',
  'provider.options': 'New users and passwords',
  'provider.create': 'Create users',
  'provider.create-help': 'Anyone without an account here gets one when they first log in.',
  'provider.no-passwords': 'Turn passwords off',
  'provider.no-passwords-help':
    'Users log in only through required providers, or with a passkey. The command “grantlog provider set ID ' +
    '--no-required” turns passwords on again.',
  'provider.state': 'State',
  'provider.disable': 'Disabled',
  'provider.disable-help':
    'The provider is not on the login page, and nobody can log in through it. Links and sessions are kept. Test the ' +
    'connection before you enable the provider.',
  'provider.domains': 'Domains',
  'provider.domains-help':
    'Users are created and accounts are linked only with a verified address in one of these domains. Leave empty for ' +
    'any domain.',
  'provider.groups-claim': 'Claim with groups',
  'provider.groups-claim-help': 'For example, groups, or realm_access.roles for Keycloak.',
  'provider.roles-help':
    'One role and one group per line. Each login assigns or removes the roles that are listed here.',
  'provider.groups-help':
    'One group here and one group at the provider per line. Each login adds the user to the group here or removes ' +
    'the user from it.',
  'provider.second-factor': 'Second factor',
  'provider.second-factor-help': 'The values of amr or acr that count as a second factor here. Leave empty if none do.',
  'provider.add-button': 'Add the provider',
  'provider.link-first':
    'Before you turn passwords off, link your own account at this provider on the page “Ways to log in” of your ' +
    'account.',
  'provider.exists': 'A provider with this id already exists. To change it, open it from the list.',
  'provider.added':
    '{provider} was added{isDisabled, select, yes {, and is still disabled} other {}}. Register the redirect URI ' +
    'there, then test the connection{isDisabled, select, yes {, then enable the provider} other {}}.',
  'provider.enable-button': 'Enable',
  'provider.enable-failed': 'The connection failed last time. Enable {provider} anyway?',
  'provider.enable-untested': 'Enable {provider} without a test?',
  'provider.enable-untested-text':
    'This server has not tested the connection with these settings since it started. Go back to test it first.',
  'provider.enable-consequence':
    '{provider} would be on the login page. Users who choose it there might be unable to log in.',
  'provider.failed-step': 'Failed step: {step, select, metadata {Metadata} keys {Keys} other {Client}}',
  'provider.enable-anyway': 'Enable anyway',
  'provider.enabled': '{provider} is enabled and on the login page.',
  'provider.disable-button': 'Disable',
  'provider.disabled': '{provider} is disabled. Nobody can log in through it. Links and sessions are kept.',
  'provider.saved': 'The provider was saved. The settings apply to future logins.',
  'provider.remove-title': 'Remove {provider}?',
  'provider.remove-text':
    'Nobody will be able to log in through {provider}. {count, plural, one {One account there is} other {{count} ' +
    'accounts there are}} linked to users here.',
  'provider.remove-sessions':
    'Sessions that began through it do not end. If you add the provider again with the same id and issuer, the ' +
    'linked accounts work again.',
  'provider.remove-passwords':
    'Passwords will work again, because no other enabled provider is required. Users who have one can log in with it.',
  'provider.remove-last-way':
    'You cannot remove the provider on this page, because no administrator would be able to log in. First give an ' +
    'administrator another way to log in.',
  'provider.test-result': '{result, select, good {passed} bad {failed} other {inconclusive}}',
  'provider.remove-button': 'Remove the provider',
  'provider.removed': '{provider} was removed.',
  'provider.step':
    '{step, select, metadata {Metadata} keys {Keys} other {Client}}: {result, select, good {passed} bad {failed} ' +
    'other {inconclusive}}',
  'provider.tested-at': 'Last test: <time>{when}</time>',
  'provider.login-failed-at': 'The connection failed during a login: <time>{when}</time>',
  'provider.test-good': 'The connection works.',
  'provider.test-bad': 'The test failed. Its steps are below.',
  'provider.test-unknown': 'No step of the test failed, but one was inconclusive. The steps are below.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'providers.lede': 'OpenID-Anbieter, über die sich Benutzer hier anmelden, etwa der Ihrer Firma.',
  'providers.add': 'Anbieter hinzufügen',
  'provider.settings': 'Einstellungen',
  'provider.connection': 'Verbindung',
  'provider.mapping': 'Domains, Rollen, Gruppen und zweiter Faktor',
  'provider.more': 'Authentifizierung, Mandanten und Scopes',
  'provider.register': 'Registrieren Sie diese Redirect-URI beim Anbieter:',
  'provider.test-help':
    'Der Test liest die Metadaten und die Schlüssel und versucht, einen erfundenen Code einzulösen. Er meldet ' +
    'niemanden an.',
  'provider.test': 'Verbindung testen',
  'provider.id': 'Kennung',
  'provider.id-help':
    'Kleinbuchstaben, Ziffern und Bindestriche, etwa corp. Teil der Redirect-URI; später nicht mehr zu ändern.',
  'provider.presets': 'Welcher Anbieter?',
  'provider.preset.custom': 'Anderer Anbieter',
  'provider.preset.google-advice':
    'Öffnen Sie in der Google Cloud Console „Google Auth Platform“, „Clients“, und legen Sie einen Client vom Typ ' +
    '„Webanwendung“ mit der Redirect-URI unten an.',
  'provider.preset.entra-advice':
    'Öffnen Sie im Microsoft Entra Admin Center „App-Registrierungen“, und registrieren Sie eine Anwendung mit der ' +
    'Redirect-URI unten für die Plattform „Web“. Erzeugen Sie unter „Zertifikate & Geheimnisse“ ein Client-Secret.',
  'provider.preset.okta-advice':
    'Öffnen Sie in der Okta-Adminkonsole „Applications“, und legen Sie eine App-Integration vom Typ „OIDC“, „Web ' +
    'Application“ mit der Redirect-URI unten als „Sign-in redirect URI“ an.',
  'provider.preset.auth0-advice':
    'Öffnen Sie im Auth0-Dashboard „Applications“, und legen Sie eine „Regular Web Application“ mit der ' +
    'Redirect-URI ' +
    'unten als „Allowed Callback URL“ an. Der Aussteller endet mit einem Schrägstrich.',
  'provider.preset.gitlab-advice':
    'Öffnen Sie in GitLab „Anwendungen“ in den Einstellungen Ihres Benutzers, Ihrer Gruppe oder der Instanz, und ' +
    'fügen Sie eine mit der Redirect-URI unten und den Scopes openid, email und profile hinzu.',
  'provider.preset.keycloak-advice':
    'Wählen Sie in der Keycloak-Adminkonsole den Realm, und legen Sie einen OpenID-Connect-Client mit der ' +
    'Redirect-URI unten und eingeschalteter „Client authentication“ an. Der Aussteller enthält den Namen des Realms.',
  'provider.preset.custom-advice':
    'Registrieren Sie diesen Server dort als Client mit der Redirect-URI unten. Der Anbieter braucht Metadaten ' +
    'unter /.well-known/openid-configuration unterhalb seines Ausstellers.',
  'provider.redirect-uri': 'Redirect-URI',
  'provider.redirect-uri-id': 'Sie enthält die Kennung, die Sie unten eingeben.',
  'provider.users': 'Neue Benutzer, Verknüpfung und Passwörter',
  'provider.kind': 'Art',
  'provider.kind-help': 'Bestimmt die Vorgaben für die Felder, die Sie leer lassen.',
  'provider.name-help': 'Auf der Schaltfläche der Anmeldeseite: „Mit … anmelden“.',
  'provider.issuer-help': 'Genau so, wie der Anbieter ihn angibt, etwa {example}.',
  'provider.tenants': 'Mandanten (Microsoft Entra)',
  'provider.tenants-help':
    'Die Kennungen der Mandanten, deren Benutzer sich anmelden dürfen, wenn der Aussteller für mehrere steht. Eine ' +
    'pro Zeile.',
  'provider.client-id-help': 'Die ID dieses Servers beim Anbieter.',
  'provider.authentication': 'Authentifizierung dieses Servers',
  'provider.authentication-help':
    'Bei private_key_jwt geben Sie dem Anbieter die Adresse unserer Schlüssel, /.well-known/jwks.json.',
  'provider.secret': 'Client-Secret',
  'provider.secret-there': 'Es ist eines gespeichert. Geben Sie ein anderes ein, um es zu ersetzen.',
  'provider.secret-help': 'Es wird verschlüsselt und nie wieder angezeigt.',
  'provider.scopes-help': 'Einer pro Zeile. openid ist nötig; email und profile helfen, Benutzer zu erkennen.',
  'provider.linking': 'Verknüpfung',
  'provider.explicit': 'Benutzer verknüpfen ihre Konten',
  'provider.explicit-help': 'Ein hier angemeldeter Benutzer verknüpft selbst sein Konto beim Anbieter.',
  'provider.by-address': 'Auch dieselbe bestätigte Adresse verknüpft Konten',
  'provider.by-address-help':
    'Wählen Sie das nur, wenn der Anbieter niemandem die Adresse eines anderen gibt. Eine Adresse, die dort oder ' +
    'hier nicht bestätigt ist, verknüpft nie Konten.',
  'provider.options': 'Neue Benutzer und Passwörter',
  'provider.create': 'Benutzer anlegen',
  'provider.create-help': 'Wer hier kein Konto hat, erhält bei der ersten Anmeldung eines.',
  'provider.no-passwords': 'Passwörter abschalten',
  'provider.no-passwords-help':
    'Benutzer melden sich nur über vorgeschriebene Anbieter oder mit einem Passkey an. Der Befehl „grantlog ' +
    'provider set ID --no-required“ schaltet Passwörter wieder ein.',
  'provider.state': 'Zustand',
  'provider.disable': 'Ausgeschaltet',
  'provider.disable-help':
    'Der Anbieter steht nicht auf der Anmeldeseite, und niemand kann sich über ihn anmelden. Verknüpfungen und ' +
    'Sitzungen bleiben. Testen Sie die Verbindung, bevor Sie ihn einschalten.',
  'provider.domains': 'Domains',
  'provider.domains-help':
    'Nur mit einer bestätigten Adresse in einer dieser Domains werden Benutzer angelegt und Konten verknüpft. ' +
    'Leer: in jeder Domain.',
  'provider.groups-claim': 'Claim mit Gruppen',
  'provider.groups-claim-help': 'Etwa groups, oder realm_access.roles bei Keycloak.',
  'provider.roles-help':
    'Pro Zeile eine Rolle und eine Gruppe. Jede Anmeldung vergibt oder entzieht die Rollen, die hier stehen.',
  'provider.groups-help':
    'Pro Zeile eine Gruppe hier und eine Gruppe beim Anbieter. Jede Anmeldung nimmt den Benutzer in die Gruppe hier ' +
    'auf oder entfernt ihn daraus.',
  'provider.second-factor': 'Zweiter Faktor',
  'provider.second-factor-help': 'Die Werte von amr oder acr, die hier als zweiter Faktor zählen. Leer: keine.',
  'provider.add-button': 'Anbieter hinzufügen',
  'provider.link-first':
    'Bevor Sie Passwörter abschalten, verknüpfen Sie auf der Seite „Anmeldewege“ Ihres Kontos Ihr eigenes Konto ' +
    'bei diesem Anbieter.',
  'provider.exists': 'Es gibt schon einen Anbieter mit dieser Kennung. Ändern Sie ihn über die Liste.',
  'provider.added':
    '{provider} wurde hinzugefügt{isDisabled, select, yes {, ist aber noch ausgeschaltet} other {}}. Registrieren ' +
    'Sie dort die Redirect-URI, und testen Sie dann die Verbindung{isDisabled, select, yes {. Danach schalten ' +
    'Sie ihn ein} other {}}.',
  'provider.enable-button': 'Einschalten',
  'provider.enable-failed': 'Die Verbindung ist zuletzt fehlgeschlagen. {provider} trotzdem einschalten?',
  'provider.enable-untested': '{provider} ohne Test einschalten?',
  'provider.enable-untested-text':
    'Dieser Server hat die Verbindung mit diesen Einstellungen seit seinem Start nicht getestet. Gehen Sie zurück, ' +
    'um sie zuerst zu testen.',
  'provider.enable-consequence':
    '{provider} stünde auf der Anmeldeseite. Benutzer, die ihn dort wählen, könnten sich vielleicht nicht anmelden.',
  'provider.failed-step':
    'Fehlgeschlagener Schritt: {step, select, metadata {Metadaten} keys {Schlüssel} other {Client}}',
  'provider.enable-anyway': 'Trotzdem einschalten',
  'provider.enabled': '{provider} ist eingeschaltet und steht auf der Anmeldeseite.',
  'provider.disable-button': 'Ausschalten',
  'provider.disabled':
    '{provider} ist ausgeschaltet. Niemand kann sich darüber anmelden. Verknüpfungen und Sitzungen bleiben.',
  'provider.saved': 'Der Anbieter wurde gespeichert. Die Einstellungen gelten für künftige Anmeldungen.',
  'provider.remove-title': '{provider} entfernen?',
  'provider.remove-text':
    'Über {provider} kann sich dann niemand mehr anmelden. {count, plural, one {Ein Konto dort ist} other {{count} ' +
    'Konten dort sind}} mit Benutzern hier verknüpft.',
  'provider.remove-sessions':
    'Sitzungen, die über ihn begonnen haben, enden nicht. Wenn Sie den Anbieter mit derselben Kennung und demselben ' +
    'Aussteller wieder hinzufügen, funktionieren die verknüpften Konten wieder.',
  'provider.remove-passwords':
    'Passwörter gelten wieder, weil kein anderer eingeschalteter Anbieter vorgeschrieben ist. Wer eines hat, kann ' +
    'sich damit anmelden.',
  'provider.remove-last-way':
    'Sie können den Anbieter auf dieser Seite nicht entfernen, weil sich dann kein Administrator mehr anmelden ' +
    'könnte. Geben Sie zuerst einem Administrator eine andere Möglichkeit, sich anzumelden.',
  'provider.test-result': '{result, select, good {bestanden} bad {fehlgeschlagen} other {unklar}}',
  'provider.remove-button': 'Anbieter entfernen',
  'provider.removed': '{provider} wurde entfernt.',
  'provider.step':
    '{step, select, metadata {Metadaten} keys {Schlüssel} other {Client}}: {result, select, good {bestanden} bad ' +
    '{fehlgeschlagen} other {unklar}}',
  'provider.tested-at': 'Letzter Test: <time>{when}</time>',
  'provider.login-failed-at': 'Verbindung bei einer Anmeldung fehlgeschlagen: <time>{when}</time>',
  'provider.test-good': 'Die Verbindung funktioniert.',
  'provider.test-bad': 'Der Test ist fehlgeschlagen. Die Schritte stehen unten.',
  'provider.test-unknown':
    'Kein Schritt des Tests ist fehlgeschlagen, aber einer ist unklar. Die Schritte stehen unten.',
};

/** Messages on the pages for login providers. */
export const adminProviders = { en, de };
