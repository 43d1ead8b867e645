/** The actor at the beginning of a sentence. Other users are not named. */
const ACTOR =
  '{actor, select, you {You} administrator {An administrator} operator {The operator} application {An application} ' +
  'other {The server}}';
const ACTOR_HAS_DE =
  '{actor, select, you {Sie haben} administrator {Ein Administrator hat} operator {Der Betreiber hat} ' +
  'application {Eine Anwendung hat} other {Der Server hat}}';

const en = {
  'activity.title': 'Your activity',
  'activity.lede': 'What has happened in your account, newest first. Only you can see this page.',
  'activity.unknown': 'See something unfamiliar?',
  'activity.unknown-advice':
    'Log out unknown browsers in <sessions>your sessions</sessions>, <password>change your password</password>, and ' +
    'revoke the access of <applications>applications</applications> that you do not recognize.',
  'activity.filter': 'Filter',
  'activity.everything': 'Everything',
  'activity.logins': 'Logins',
  'activity.applications': 'Applications',
  'activity.account': 'Account',
  'activity.nothing': 'Nothing here',
  'activity.nothing-text': 'There is no activity of this kind on this page.',
  'activity.event': 'Event {position} and its proof',
  'activity.see-access': 'See or revoke its access',
  'activity.receipt': 'Download receipt<hidden> of the authorization from {when}</hidden>',
  'activity.logged-in':
    'You logged in{place, select, application { to <bdi>{application}</bdi>} other {}}' +
    '{method, select, known { {how}} other {}}, {program, select, known {in {browser}} other {in an unknown browser}}',
  'activity.access-given': 'You gave <bdi>{application}</bdi> access to your account',
  'activity.access-given-on-device':
    'You gave <bdi>{application}</bdi> access to your account on a device that showed you a code',
  'activity.logged-in-to': 'You logged in to <bdi>{application}</bdi>',
  'activity.logged-in-to-trusted': 'You logged in to <bdi>{application}</bdi>, which the operator trusts',
  'activity.access-again': '<bdi>{application}</bdi> got access again, because you had already authorized it',
  'activity.access-trusted': '<bdi>{application}</bdi> got access without asking you, because the operator trusts it',
  'activity.access-with-password': '<bdi>{application}</bdi> got access with your user name and password',
  'activity.access-with-token':
    '<bdi>{application}</bdi> got access with a token about you from {issuer}, which this server trusts',
  'activity.app-registered': 'You registered the application <bdi>{application}</bdi>',
  'activity.app-first-authorized':
    'You were the first to authorize <bdi>{application}</bdi>, which had registered itself',
  'activity.app-changed': 'You changed the settings of the application <bdi>{application}</bdi>',
  'activity.app-secret-rotated': 'You rotated the secret of the application <bdi>{application}</bdi>',
  'activity.app-deleted': 'You deleted an application',
  'activity.app-disabled': 'You disabled the application <bdi>{application}</bdi>',
  'activity.app-enabled': 'You enabled the application <bdi>{application}</bdi> again',
  'activity.member-became':
    'You became {role, select, owner {an owner} other {a test user}} of the application <bdi>{application}</bdi>',
  'activity.member-made':
    'An administrator made you {role, select, owner {an owner} other {a test user}} of the application ' +
    '<bdi>{application}</bdi>',
  'activity.member-no-longer':
    'You are no longer {role, select, owner {an owner} other {a test user}} of the application ' +
    '<bdi>{application}</bdi>',
  'activity.account-created-self': 'You created your account',
  'activity.account-created': `${ACTOR} created your account`,
  'activity.profile-changed': `${ACTOR} changed your name, e-mail address or profile`,
  'activity.email-verified': 'You verified your e-mail address',
  'activity.password-changed': `${ACTOR} changed your password`,
  'activity.account-disabled': `${ACTOR} disabled your account`,
  'activity.account-enabled': `${ACTOR} enabled your account again`,
  'activity.roles-changed': `${ACTOR} changed your roles to: {roles}`,
  'activity.no-roles': 'none',
  'activity.roles': '{one}, {other}',
  'activity.logged-out-everywhere-self': 'You logged out everywhere',
  'activity.logged-out-everywhere': `${ACTOR} logged you out everywhere`,
  'activity.passkey-added': `${ACTOR} added a passkey`,
  'activity.passkey-named-added': `${ACTOR} added the passkey “{name}”`,
  'activity.passkey-removed': `${ACTOR} removed a passkey`,
  'activity.app-added': `${ACTOR} turned on two-step login with an authenticator app`,
  'activity.app-removed': `${ACTOR} removed the authenticator app`,
  'activity.recovery-codes': `${ACTOR} generated new recovery codes`,
  'activity.two-step-off': `${ACTOR} turned off two-step login`,
  'activity.group-added': `${ACTOR} added you to the group {group}`,
  'activity.group-removed': `${ACTOR} removed you from the group {group}`,
  'activity.linked': `${ACTOR} linked an account at {provider} that you can log in with`,
  'activity.linked-at-login': 'Your account at {provider} was linked when you logged in with it',
  'activity.unlinked': `${ACTOR} unlinked your account at {provider}`,
  'activity.other': '{type}',
  'activity.still-logged-in': 'Still logged in',
  'activity.session-ended': 'This session has ended',
  'activity.logged-out': 'You logged out <time>{when}</time>',
  'activity.logged-out-through-app': 'You logged out through an application <time>{when}</time>',
  'activity.session-ended-by-you': 'You ended this session from your list of sessions <time>{when}</time>',
  'activity.session-ended-by': `${ACTOR} ended this session <time>{when}</time>`,
  'activity.logged-in-again': 'You logged in again in the same browser <time>{when}</time>',
  'activity.another-login': 'Another user logged in with the same browser <time>{when}</time>',
  'activity.two-step-on':
    'You turned on two-step login <time>{when}</time>, which ended this session because it began with only your ' +
    'password',
  'activity.session-unlinked': 'The account that you had logged in with was unlinked <time>{when}</time>',
  'activity.permissions': 'Permissions: {permissions}',
  'activity.both': '{one}; {other}',
  'activity.may': 'It may: {text}',
  'activity.access-ended': 'Its access has ended',
  'activity.many-tokens': 'It got more than {count, number} access tokens, the last one <time>{when}</time>',
  'activity.tokens':
    '{count, plural, one {It got an access token} other {It got a new access token {count, number} times, most ' +
    'recently}} <time>{when}</time>',
  'activity.passed-on':
    '<bdi>{from}</bdi> passed access on to <bdi>{to}</bdi>, for {scope}. It ends <time>{when}</time>',
  'activity.code-replayed': 'Its access ended because an authorization code was used a second time <time>{when}</time>',
  'activity.device-code-replayed': 'Its access ended because a device code was used a second time <time>{when}</time>',
  'activity.refresh-token-reused': 'Its access ended because an old refresh token was used again <time>{when}</time>',
  'activity.given-up': 'It gave up its access <time>{when}</time>',
  'activity.revoked': 'You revoked its access <time>{when}</time>',
  'activity.revoked-by': `${ACTOR} revoked its access <time>{when}</time>`,
  'activity.updated': 'It updated its access <time>{when}</time>, with your consent',
} as const;

const ROLE_DE = '{role, select, owner {Besitzer} other {Testbenutzer}}';

const de: Readonly<Record<keyof typeof en, string>> = {
  'activity.title': 'Ihre Aktivität',
  'activity.lede': 'Was in Ihrem Konto geschehen ist, das Neueste zuerst. Nur Sie können diese Seite sehen.',
  'activity.unknown': 'Kommt Ihnen etwas unbekannt vor?',
  'activity.unknown-advice':
    'Melden Sie unbekannte Browser in <sessions>Ihren Sitzungen</sessions> ab, <password>ändern Sie Ihr ' +
    'Passwort</password>, und widerrufen Sie den Zugriff von <applications>Anwendungen</applications>, die Sie nicht ' +
    'kennen.',
  'activity.filter': 'Filter',
  'activity.everything': 'Alles',
  'activity.logins': 'Anmeldungen',
  'activity.applications': 'Anwendungen',
  'activity.account': 'Konto',
  'activity.nothing': 'Hier ist nichts',
  'activity.nothing-text': 'Auf dieser Seite gibt es keine Aktivität dieser Art.',
  'activity.event': 'Ereignis {position} mit Nachweis',
  'activity.see-access': 'Zugriff ansehen oder widerrufen',
  'activity.receipt': 'Beleg herunterladen<hidden> zur Zustimmung, {when}</hidden>',
  'activity.logged-in':
    'Sie haben sich{place, select, application { bei <bdi>{application}</bdi>} other {}}' +
    '{method, select, known { {how}} other {}} angemeldet, {program, select, known {in {browser}} other {in einem ' +
    'unbekannten Browser}}',
  'activity.access-given': 'Sie haben <bdi>{application}</bdi> Zugriff auf Ihr Konto gegeben',
  'activity.access-given-on-device':
    'Sie haben <bdi>{application}</bdi> Zugriff auf Ihr Konto gegeben, auf einem Gerät, das Ihnen einen Code ' +
    'angezeigt hat',
  'activity.logged-in-to': 'Sie haben sich bei <bdi>{application}</bdi> angemeldet',
  'activity.logged-in-to-trusted':
    'Sie haben sich bei <bdi>{application}</bdi> angemeldet. Der Betreiber vertraut dieser Anwendung',
  'activity.access-again':
    '<bdi>{application}</bdi> hat wieder Zugriff erhalten, weil Sie die Anwendung schon zugelassen hatten',
  'activity.access-trusted':
    '<bdi>{application}</bdi> hat Zugriff erhalten, ohne Sie zu fragen, weil der Betreiber der Anwendung vertraut',
  'activity.access-with-password': '<bdi>{application}</bdi> hat mit Ihrem Benutzernamen und Passwort Zugriff erhalten',
  'activity.access-with-token':
    '<bdi>{application}</bdi> hat mit einem Token über Sie von {issuer} Zugriff erhalten. Dieser Server vertraut ' +
    'diesem Aussteller',
  'activity.app-registered': 'Sie haben die Anwendung <bdi>{application}</bdi> registriert',
  'activity.app-first-authorized':
    'Sie haben als Erster <bdi>{application}</bdi> zugelassen. Die Anwendung hatte sich selbst registriert',
  'activity.app-changed': 'Sie haben die Einstellungen der Anwendung <bdi>{application}</bdi> geändert',
  'activity.app-secret-rotated': 'Sie haben das Client-Secret der Anwendung <bdi>{application}</bdi> erneuert',
  'activity.app-deleted': 'Sie haben eine Anwendung gelöscht',
  'activity.app-disabled': 'Sie haben die Anwendung <bdi>{application}</bdi> gesperrt',
  'activity.app-enabled': 'Sie haben die Anwendung <bdi>{application}</bdi> entsperrt',
  'activity.member-became': `Sie sind ${ROLE_DE} der Anwendung <bdi>{application}</bdi> geworden`,
  'activity.member-made': `Ein Administrator hat Sie zum ${ROLE_DE} der Anwendung <bdi>{application}</bdi> gemacht`,
  'activity.member-no-longer': `Sie sind nicht mehr ${ROLE_DE} der Anwendung <bdi>{application}</bdi>`,
  'activity.account-created-self': 'Sie haben Ihr Konto angelegt',
  'activity.account-created': `${ACTOR_HAS_DE} Ihr Konto angelegt`,
  'activity.profile-changed': `${ACTOR_HAS_DE} Ihren Namen, Ihre E-Mail-Adresse oder Ihr Profil geändert`,
  'activity.email-verified': 'Sie haben Ihre E-Mail-Adresse bestätigt',
  'activity.password-changed': `${ACTOR_HAS_DE} Ihr Passwort geändert`,
  'activity.account-disabled': `${ACTOR_HAS_DE} Ihr Konto gesperrt`,
  'activity.account-enabled': `${ACTOR_HAS_DE} Ihr Konto entsperrt`,
  'activity.roles-changed': `${ACTOR_HAS_DE} Ihre Rollen geändert. Jetzt: {roles}`,
  'activity.no-roles': 'keine',
  'activity.roles': '{one}, {other}',
  'activity.logged-out-everywhere-self': 'Sie haben sich überall abgemeldet',
  'activity.logged-out-everywhere': `${ACTOR_HAS_DE} Sie überall abgemeldet`,
  'activity.passkey-added': `${ACTOR_HAS_DE} einen Passkey hinzugefügt`,
  'activity.passkey-named-added': `${ACTOR_HAS_DE} den Passkey „{name}“ hinzugefügt`,
  'activity.passkey-removed': `${ACTOR_HAS_DE} einen Passkey entfernt`,
  'activity.app-added':
    ACTOR_HAS_DE + ' die Anmeldung in zwei Schritten mit einer Authentifizierungs-App eingeschaltet',
  'activity.app-removed': `${ACTOR_HAS_DE} die Authentifizierungs-App entfernt`,
  'activity.recovery-codes': `${ACTOR_HAS_DE} neue Wiederherstellungscodes erzeugt`,
  'activity.two-step-off': `${ACTOR_HAS_DE} die Anmeldung in zwei Schritten ausgeschaltet`,
  'activity.group-added': `${ACTOR_HAS_DE} Sie in die Gruppe {group} aufgenommen`,
  'activity.group-removed': `${ACTOR_HAS_DE} Sie aus der Gruppe {group} entfernt`,
  'activity.linked': `${ACTOR_HAS_DE} ein Konto bei {provider} verknüpft, mit dem Sie sich anmelden können`,
  'activity.linked-at-login': 'Ihr Konto bei {provider} wurde verknüpft, als Sie sich damit angemeldet haben',
  'activity.unlinked': `${ACTOR_HAS_DE} die Verknüpfung mit Ihrem Konto bei {provider} aufgehoben`,
  'activity.other': '{type}',
  'activity.still-logged-in': 'Noch angemeldet',
  'activity.session-ended': 'Diese Sitzung ist beendet',
  'activity.logged-out': 'Sie haben sich <time>{when}</time> abgemeldet',
  'activity.logged-out-through-app': 'Sie haben sich <time>{when}</time> über eine Anwendung abgemeldet',
  'activity.session-ended-by-you': 'Sie haben diese Sitzung <time>{when}</time> in der Liste Ihrer Sitzungen beendet',
  'activity.session-ended-by': `${ACTOR_HAS_DE} diese Sitzung <time>{when}</time> beendet`,
  'activity.logged-in-again': 'Sie haben sich <time>{when}</time> im selben Browser neu angemeldet',
  'activity.another-login': 'Ein anderer Benutzer hat sich <time>{when}</time> im selben Browser angemeldet',
  'activity.two-step-on':
    'Sie haben <time>{when}</time> die Anmeldung in zwei Schritten eingeschaltet. Deshalb endete diese Sitzung, die ' +
    'nur mit dem Passwort begonnen hatte',
  'activity.session-unlinked':
    'Die Verknüpfung mit dem Konto, mit dem Sie sich angemeldet hatten, wurde <time>{when}</time> aufgehoben',
  'activity.permissions': 'Berechtigungen: {permissions}',
  'activity.both': '{one}; {other}',
  'activity.may': 'Die Anwendung darf: {text}',
  'activity.access-ended': 'Der Zugriff ist beendet',
  'activity.many-tokens':
    'Die Anwendung hat mehr als {count, number} Zugriffstoken erhalten, das letzte <time>{when}</time>',
  'activity.tokens':
    '{count, plural, one {Die Anwendung hat ein Zugriffstoken erhalten,} other {Die Anwendung hat {count, ' +
    'number}-mal ein neues Zugriffstoken erhalten, zuletzt}} <time>{when}</time>',
  'activity.passed-on':
    '<bdi>{from}</bdi> hat Zugriff an <bdi>{to}</bdi> weitergegeben, für {scope}. Er endet <time>{when}</time>',
  'activity.code-replayed':
    'Der Zugriff endete <time>{when}</time>, weil ein Autorisierungscode ein zweites Mal verwendet wurde',
  'activity.device-code-replayed':
    'Der Zugriff endete <time>{when}</time>, weil ein Gerätecode ein zweites Mal verwendet wurde',
  'activity.refresh-token-reused':
    'Der Zugriff endete <time>{when}</time>, weil ein altes Refresh-Token noch einmal verwendet wurde',
  'activity.given-up': 'Die Anwendung hat ihren Zugriff <time>{when}</time> aufgegeben',
  'activity.revoked': 'Sie haben den Zugriff <time>{when}</time> widerrufen',
  'activity.revoked-by': `${ACTOR_HAS_DE} den Zugriff <time>{when}</time> widerrufen`,
  'activity.updated': 'Die Anwendung hat ihren Zugriff <time>{when}</time> geändert, mit Ihrer Zustimmung',
};

/** Messages on the page with the history of a user’s account. */
export const activity = { en, de };
