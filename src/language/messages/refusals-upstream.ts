const en = {
  'refusal.upstream-unavailable.rule':
    'A login through a provider requires the metadata, keys and tokens of the provider.',
  'refusal.upstream-unavailable.expected': '{what} from the provider {provider}',
  'refusal.upstream-unavailable.seen': 'the URL {problem}',
  'refusal.upstream-unavailable.advice': 'Test the connection: grantlog provider test {provider}',
  'refusal.upstream-login-unknown.rule':
    'A response from a provider must belong to a login that began in the same browser a few minutes earlier.',
  'refusal.upstream-login-unknown.expected': 'the state of that login (OpenID Connect Core §3.1.2.1)',
  'refusal.upstream-login-unknown.advice':
    'Start the login again. If this happens often, somebody may be trying to log users in with an account that is ' +
    'not theirs.',
  'refusal.upstream-provider-changed.rule': 'The settings of a provider must not change during a login.',
  'refusal.upstream-provider-changed.expected': 'unchanged settings of the provider {provider}',
  'refusal.upstream-provider-changed.seen': 'the provider no longer exists',
  'refusal.upstream-provider-changed.seen-2': 'different settings',
  'refusal.upstream-provider-changed.advice': 'Start the login again.',
  'refusal.upstream-issuer-differs.rule':
    'A response must come from the provider that the login began with (RFC 9207 §2.4).',
  'refusal.upstream-issuer-differs.expected': 'iss {expected}, from the provider {provider}',
  'refusal.upstream-issuer-differs.seen': 'no iss, although the provider states that it sends one',
  'refusal.upstream-issuer-differs.seen-2': 'iss {seen}',
  'refusal.upstream-issuer-differs.advice': 'Do not ignore this: it may be an attack that mixes up two providers.',
  'refusal.upstream-denied.rule': 'The provider must authenticate the user.',
  'refusal.upstream-denied.expected': 'an authorization code from the provider {provider}',
  'refusal.upstream-denied.seen': 'the error {error}',
  'refusal.upstream-denied.advice':
    "Look for the reason in the provider's log. If the user cancels, the error is access_denied.",
  'refusal.upstream-code-refused.rule': 'The provider must exchange the authorization code for an ID token.',
  'refusal.upstream-code-refused.expected': 'an ID token from the provider {provider}',
  'refusal.upstream-code-refused.advice':
    'If the error is invalid_client, correct the client id and the secret. If it is invalid_grant, start again: a ' +
    'code works only once.',
  'refusal.upstream-token-invalid.rule':
    'An ID token must pass every check of OpenID Connect Core §3.1.3.7. This one failed the {check} check.',
  'refusal.upstream-token-invalid.expected': '{expected}, from the provider {provider}',
  'refusal.upstream-token-invalid.advice':
    'Compare the issuer, the client id and the clock with those of the provider. Do not weaken the check.',
  'refusal.upstream-login-too-old.rule':
    'When a login must be fresh, the provider must authenticate the user again (max_age, auth_time).',
  'refusal.upstream-login-too-old.expected': 'the auth_time of this login, from the provider {provider}',
  'refusal.upstream-login-too-old.seen': 'an authentication {duration} ago',
  'refusal.upstream-login-too-old.advice':
    'Log out at the provider first. A provider that ignores max_age cannot be used where a fresh login is required.',
  'refusal.upstream-user-unknown.rule':
    'A login through a provider requires an account there that is linked to a user here.',
  'refusal.upstream-user-unknown.expected': 'an account at {provider} that is, or can be, linked to a user',
  'refusal.upstream-user-inactive.rule': 'Only active users can log in.',
  'refusal.upstream-user-inactive.expected': 'an active user, linked to the account at {provider}',
  'refusal.upstream-user-inactive.seen': 'a disabled user',
  'refusal.upstream-user-inactive.advice':
    'Enable the account if its user should have access again: grantlog user enable NAME',
  'refusal.upstream-linked-elsewhere.rule': 'An account at a provider can be linked to only one user.',
  'refusal.upstream-linked-elsewhere.expected': 'an account at {provider} that is not linked to another user',
  'refusal.upstream-linked-elsewhere.seen': 'an account that another user logs in with',
  'refusal.upstream-linked-elsewhere.advice':
    'Have that user unlink it first, or use a different account at the provider.',
  'refusal.upstream.no-user.not-linked.seen':
    'an account that is not linked to a user here, at a provider whose logins do not create users',
  'refusal.upstream.no-user.not-linked.advice':
    'Have the user log in here and link the account, or let logins through the provider create users.',
  'refusal.upstream.no-user.address-unverified.seen':
    'an e-mail address that the provider does not report as verified (email_verified is not true)',
  'refusal.upstream.no-user.address-unverified.advice':
    'Verify the address at the provider, have the user link the account here, or allow any domain.',
  'refusal.upstream.no-user.domain-not-allowed.seen': 'an e-mail address in a domain that is not allowed',
  'refusal.upstream.no-user.domain-not-allowed.advice':
    'Add the domain to the domains of the provider if its users should have accounts here.',
  'refusal.upstream.no-user.address-taken.seen': 'a verified e-mail address that a user here has also verified',
  'refusal.upstream.no-user.address-taken.advice':
    'Have that user log in and link the account, or have accounts linked by verified e-mail address.',
  'refusal.upstream.no-user.name-unusable.seen': 'no claim from which an available user name could be derived',
  'refusal.upstream.no-user.name-unusable.advice':
    'Create an account here, and have its user link the account at the provider.',
  'refusal.upstream.not-known.not-of-browser': 'a response without the cookie of a login that began in this browser',
  'refusal.upstream.not-known.expired':
    'a response to a login that began too long ago, or that has already received a response',
  'refusal.upstream.not-known.other-state': 'a different state',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'refusal.upstream-unavailable.rule':
    'Eine Anmeldung über einen Anbieter liest dessen Metadaten, Schlüssel und Token.',
  'refusal.upstream-unavailable.expected':
    '{what, select, metadata {die Metadaten} keys {die Schlüssel} tokens {die Token} other {Userinfo}} des ' +
    'Anbieters {provider}',
  'refusal.upstream-unavailable.seen': 'ein Fehler der Adresse: {problem}',
  'refusal.upstream-unavailable.advice': 'Testen Sie die Verbindung: grantlog provider test {provider}',
  'refusal.upstream-login-unknown.rule':
    'Eine Antwort eines Anbieters muss zu einer Anmeldung gehören, die wenige Minuten zuvor im selben Browser begann.',
  'refusal.upstream-login-unknown.expected': 'der state dieser Anmeldung (OpenID Connect Core §3.1.2.1)',
  'refusal.upstream-login-unknown.advice':
    'Beginnen Sie die Anmeldung von vorn. Geschieht das oft, versucht vielleicht jemand, Benutzer mit einem fremden ' +
    'Konto anzumelden.',
  'refusal.upstream-provider-changed.rule':
    'Die Einstellungen eines Anbieters dürfen sich während einer Anmeldung nicht ändern.',
  'refusal.upstream-provider-changed.expected': 'unveränderte Einstellungen des Anbieters {provider}',
  'refusal.upstream-provider-changed.seen': 'der Anbieter besteht nicht mehr',
  'refusal.upstream-provider-changed.seen-2': 'andere Einstellungen',
  'refusal.upstream-provider-changed.advice': 'Beginnen Sie die Anmeldung von vorn.',
  'refusal.upstream-issuer-differs.rule':
    'Eine Antwort kommt von dem Anbieter, mit dem die Anmeldung begann (RFC 9207 §2.4).',
  'refusal.upstream-issuer-differs.expected': 'iss {expected}, vom Anbieter {provider}',
  'refusal.upstream-issuer-differs.seen': 'kein iss, obwohl der Anbieter angibt, dass er eines sendet',
  'refusal.upstream-issuer-differs.seen-2': 'iss {seen}',
  'refusal.upstream-issuer-differs.advice':
    'Übergehen Sie das nicht: Es könnte ein Angriff sein, der zwei Anbieter vertauscht.',
  'refusal.upstream-denied.rule': 'Der Anbieter muss den Benutzer authentifizieren.',
  'refusal.upstream-denied.expected': 'ein Autorisierungscode des Anbieters {provider}',
  'refusal.upstream-denied.seen': 'der Fehler {error}',
  'refusal.upstream-denied.advice':
    'Suchen Sie den Grund im Protokoll des Anbieters. Wenn der Benutzer abbricht, lautet der Fehler access_denied.',
  'refusal.upstream-code-refused.rule': 'Der Anbieter muss den Autorisierungscode gegen ein ID-Token tauschen.',
  'refusal.upstream-code-refused.expected': 'ein ID-Token des Anbieters {provider}',
  'refusal.upstream-code-refused.advice':
    'Bei invalid_client berichtigen Sie die Client-ID und das Client-Secret. Bei invalid_grant beginnen Sie von ' +
    'vorn: Ein Code funktioniert nur einmal.',
  'refusal.upstream-token-invalid.rule':
    'Ein ID-Token muss jede Prüfung von OpenID Connect Core §3.1.3.7 bestehen. Dieses scheiterte an: {check}.',
  'refusal.upstream-token-invalid.expected': '{expected}, vom Anbieter {provider}',
  'refusal.upstream-token-invalid.advice':
    'Vergleichen Sie den Aussteller, die Client-ID und die Uhr mit denen des Anbieters. Schwächen Sie die Prüfung ' +
    'nicht ab.',
  'refusal.upstream-login-too-old.rule':
    'Muss eine Anmeldung neu sein, muss der Anbieter den Benutzer neu authentifizieren (max_age, auth_time).',
  'refusal.upstream-login-too-old.expected': 'auth_time dieser Anmeldung, vom Anbieter {provider}',
  'refusal.upstream-login-too-old.seen': 'eine Authentifizierung vor {duration}',
  'refusal.upstream-login-too-old.advice':
    'Melden Sie sich zuerst beim Anbieter ab. Ein Anbieter, der max_age nicht beachtet, ist dort nicht verwendbar, ' +
    'wo eine neue Anmeldung nötig ist.',
  'refusal.upstream-user-unknown.rule':
    'Eine Anmeldung über einen Anbieter setzt dort ein Konto voraus, das hier mit einem Benutzer verknüpft ist.',
  'refusal.upstream-user-unknown.expected':
    'ein Konto bei {provider}, das mit einem Benutzer verknüpft ist oder werden darf',
  'refusal.upstream-user-inactive.rule': 'Nur aktive Benutzer melden sich an.',
  'refusal.upstream-user-inactive.expected': 'ein aktiver Benutzer, verknüpft mit dem Konto bei {provider}',
  'refusal.upstream-user-inactive.seen': 'ein gesperrter Benutzer',
  'refusal.upstream-user-inactive.advice':
    'Entsperren Sie das Konto, wenn sein Benutzer wieder Zugriff haben soll: grantlog user enable NAME',
  'refusal.upstream-linked-elsewhere.rule': 'Ein Konto bei einem Anbieter kann nur mit einem Benutzer verknüpft sein.',
  'refusal.upstream-linked-elsewhere.expected':
    'ein Konto bei {provider}, das mit keinem anderen Benutzer verknüpft ist',
  'refusal.upstream-linked-elsewhere.seen': 'ein Konto, mit dem sich ein anderer Benutzer anmeldet',
  'refusal.upstream-linked-elsewhere.advice':
    'Lassen Sie jenen Benutzer zuerst die Verknüpfung aufheben, oder verwenden Sie ein anderes Konto beim Anbieter.',
  'refusal.upstream.no-user.not-linked.seen':
    'ein Konto, das hier mit keinem Benutzer verknüpft ist, bei einem Anbieter, dessen Anmeldungen keine Benutzer ' +
    'anlegen',
  'refusal.upstream.no-user.not-linked.advice':
    'Lassen Sie den Benutzer sich hier anmelden und das Konto verknüpfen, oder lassen Sie Anmeldungen über den ' +
    'Anbieter Benutzer anlegen.',
  'refusal.upstream.no-user.address-unverified.seen':
    'eine E-Mail-Adresse, die der Anbieter nicht als bestätigt angibt (email_verified ist nicht true)',
  'refusal.upstream.no-user.address-unverified.advice':
    'Bestätigen Sie die Adresse beim Anbieter, lassen Sie den Benutzer das Konto hier verknüpfen, oder erlauben Sie ' +
    'jede Domain.',
  'refusal.upstream.no-user.domain-not-allowed.seen': 'eine E-Mail-Adresse in einer Domain, die nicht erlaubt ist',
  'refusal.upstream.no-user.domain-not-allowed.advice':
    'Fügen Sie die Domain denen des Anbieters hinzu, wenn ihre Benutzer hier Konten haben sollen.',
  'refusal.upstream.no-user.address-taken.seen':
    'eine bestätigte E-Mail-Adresse, die auch hier ein Benutzer bestätigt hat',
  'refusal.upstream.no-user.address-taken.advice':
    'Lassen Sie jenen Benutzer sich anmelden und das Konto verknüpfen, oder lassen Sie Konten anhand bestätigter ' +
    'E-Mail-Adressen verknüpfen.',
  'refusal.upstream.no-user.name-unusable.seen':
    'kein Claim, aus dem sich ein hier noch freier Benutzername bilden ließe',
  'refusal.upstream.no-user.name-unusable.advice':
    'Legen Sie hier ein Konto an, und lassen Sie dessen Benutzer das Konto beim Anbieter verknüpfen.',
  'refusal.upstream.not-known.not-of-browser':
    'eine Antwort ohne das Cookie einer Anmeldung, die in diesem Browser begann',
  'refusal.upstream.not-known.expired':
    'eine Antwort zu einer Anmeldung, die zu lange zurückliegt oder schon beantwortet wurde',
  'refusal.upstream.not-known.other-state': 'ein anderer state',
};

/** Explanations of refusals: logins through providers. */
export const refusalUpstream = { en, de };
