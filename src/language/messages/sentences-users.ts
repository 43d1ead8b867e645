import { partyAtStart, optional, party, dative, accusative, nominativeAtStart } from './sentence-parties.ts';

// ACTOR and USER begin a sentence. ACTOR_HAT and USER_HAT begin a German one; “hat” is German for “has”.
const [ACTOR, USER] = [partyAtStart('actor'), partyAtStart('user')];
const user = party('user');
const [ACTOR_HAT, USER_HAT] = [`${nominativeAtStart('actor')} hat`, `${nominativeAtStart('user')} hat`];

/** Returns a part of an entry, such as “their own password” or “the password of Ada”. */
const their = (noun: string): string => `{whose, select, own {their own ${noun}} other {the ${noun} of ${user}}}`;

/** Returns a part of a German entry, such as „das eigene Passwort“ or „das Passwort von Ada“. */
const theirDe = (own: string, ofUser: string): string =>
  `{whose, select, own {${own}} other {${ofUser} von ${dative('user')}}}`;

const BEFORE = '{beforeIs, select, none {none} default {its default} other {{before}}}';
const BEFORE_DE = '{beforeIs, select, none {von keinem Wert} default {vom Standardwert} other {von {before}}}';

const en = {
  'party.operator': 'The operator',
  'party.server': 'The server',
  'party.erased-user': 'erased user',
  'sentence.signed-up': `${USER} signed up${optional('roles', ', roles: {roles}')}`,
  'sentence.user-created': `${ACTOR} created the account of ${user}${optional('roles', ', roles: {roles}')}`,
  'sentence.profile-changed': `${ACTOR} changed ${their('profile')}`,
  'sentence.email-verified': `${ACTOR} verified ${their('e-mail address')}`,
  'sentence.password-changed': `${ACTOR} changed ${their('password')}`,
  'sentence.password-rehashed': `${ACTOR} upgraded the hash of ${their('password')}; the password is still the same`,
  'sentence.user-disabled': `${ACTOR} disabled ${their('account')}`,
  'sentence.user-enabled': `${ACTOR} enabled ${their('account')}`,
  'sentence.user-erased': `${ACTOR} erased ${their('account')}`,
  'sentence.roles-changed': `${ACTOR} changed ${their('roles')} to: {roles}`,
  'sentence.sessions-ended': `${ACTOR} ended all sessions of ${their('account')}`,
  'sentence.passkey-added': `${ACTOR} added a passkey to ${their('account')}`,
  'sentence.passkey-removed': `${ACTOR} removed a passkey from ${their('account')}`,
  'sentence.totp-added': `${ACTOR} added an authenticator app to ${their('account')}`,
  'sentence.totp-removed': `${ACTOR} removed the authenticator app from ${their('account')}`,
  'sentence.recovery-codes': `${ACTOR} generated new recovery codes for ${their('account')}`,
  'sentence.recovery-code-used': `${ACTOR} used a recovery code of ${their('account')}`,
  'sentence.second-factors-lost': `${ACTOR} removed all second factors of ${their('account')}, because they were lost`,
  'sentence.two-step-off': `${ACTOR} turned off two-step login for ${their('account')}`,
  'sentence.logged-in': `${USER} logged in${optional('how', ' {how}')}`,
  'sentence.session-used': `${USER} used an existing session for the first time that day`,
  'sentence.logged-out': `${USER} logged out`,
  'sentence.logged-out-through-client': `${USER} logged out through an application`,
  'sentence.session-ended-by-user': `${USER} ended one of their sessions`,
  'sentence.session-ended-by': `${ACTOR} ended a session of ${user}`,
  'sentence.logged-in-again': `The session of ${user} was replaced with a new one, because they logged in again`,
  'sentence.another-login': `The session of ${user} ended, because another user logged in with the same browser`,
  'sentence.two-step-on':
    'A session of ' + user + ' that began with the password alone ended, because they turned on two-step login',
  'sentence.session-unlinked':
    'A session of ' + user + ' ended, because the provider account that it began with was unlinked',
  'sentence.invitation-sent': `${ACTOR} invited somebody to create an account${optional('roles', ', roles: {roles}')}`,
  'sentence.invitation-withdrawn': `${ACTOR} withdrew an invitation to create an account`,
  'sentence.account-invitation':
    '{userIs, select, nobody {An invitation from the operator to create an account was used} ' +
    'other {An invitation from ' +
    `${user} to create an account was used}}`,
  'sentence.group-created': `${ACTOR} created the group {group}`,
  'sentence.group-title':
    `${ACTOR} {titleIs, select, some {gave the group {group} the title “{title}”} other {removed the title of the ` +
    'group {group}}}',
  'sentence.group-removed': `${ACTOR} removed the group {group}; it no longer has any members`,
  'sentence.group-member-added': `${ACTOR} added ${user} to the group {group}`,
  'sentence.group-member-removed': `${ACTOR} removed ${user} from the group {group}`,
  'sentence.linked':
    `${ACTOR} linked an account at {provider} to ${user}{basis, select, email {, because both have the same ` +
    'verified e-mail address} created {; the first login with it created the user’s account} other {}}',
  'sentence.unlinked': `${ACTOR} unlinked an account at {provider} from ${user}`,
  'sentence.setting-changed':
    ACTOR + ` changed “{setting}” from ${BEFORE} to {valueIs, select, none {none} other {{value}}}`,
  'sentence.setting-entries': `${ACTOR} changed “{setting}”: {changes}`,
  'sentence.setting-reset': `${ACTOR} reset “{setting}” from ${BEFORE} to its default`,
  'sentence.entries-added': 'added {entries}',
  'sentence.entries-removed': 'removed {entries}',
  'sentence.entries-changed': 'changed {entries}',
  'sentence.image': 'an image',
  'sentence.key-introduced':
    `${ACTOR} introduced the signing key {key} for {algorithm}{reason, select, scheduled {, as scheduled} requested ` +
    '{, on request} lost {; the private half of the previous key is missing or damaged} other {}}',
  'sentence.key-retired':
    `${ACTOR} retired the signing key {key}; {reason, select, expired {every token that it signed has expired} ` +
    'other {tokens that it signed are no longer valid}}',
  'sentence.clock-set-back':
    ACTOR + ' confirmed that the clock had been ahead; everything issued during that time is invalid',
} as const;

const KONTO = theirDe('das eigene Konto', 'das Konto');
const DEM_KONTO = theirDe('dem eigenen Konto', 'dem Konto');

const de: Readonly<Record<keyof typeof en, string>> = {
  'party.operator': 'Der Betreiber',
  'party.server': 'Der Server',
  'party.erased-user': 'gelöschter Benutzer',
  'sentence.signed-up': `${USER_HAT} sich registriert${optional('roles', ', Rollen: {roles}')}`,
  'sentence.user-created':
    ACTOR_HAT + ` das Konto von ${dative('user')} angelegt${optional('roles', ', Rollen: {roles}')}`,
  'sentence.profile-changed': `${ACTOR_HAT} ${theirDe('das eigene Profil', 'das Profil')} geändert`,
  'sentence.email-verified': `${ACTOR_HAT} ${theirDe('die eigene E-Mail-Adresse', 'die E-Mail-Adresse')} bestätigt`,
  'sentence.password-changed': `${ACTOR_HAT} ${theirDe('das eigene Passwort', 'das Passwort')} geändert`,
  'sentence.password-rehashed':
    `${ACTOR_HAT} den Hash für ${theirDe('das eigene Passwort', 'das Passwort')} auf ein stärkeres Verfahren ` +
    'umgestellt; das Passwort ist dasselbe',
  'sentence.user-disabled': `${ACTOR_HAT} ${KONTO} gesperrt`,
  'sentence.user-enabled': `${ACTOR_HAT} ${KONTO} entsperrt`,
  'sentence.user-erased': `${ACTOR_HAT} ${KONTO} gelöscht`,
  'sentence.roles-changed': `${ACTOR_HAT} ${theirDe('die eigenen Rollen', 'die Rollen')} geändert; jetzt: {roles}`,
  'sentence.sessions-ended': `${ACTOR_HAT} alle Sitzungen mit ${DEM_KONTO} beendet`,
  'sentence.passkey-added': `${ACTOR_HAT} ${DEM_KONTO} einen Passkey hinzugefügt`,
  'sentence.passkey-removed': `${ACTOR_HAT} einen Passkey aus ${DEM_KONTO} entfernt`,
  'sentence.totp-added': `${ACTOR_HAT} ${DEM_KONTO} eine Authentifizierungs-App hinzugefügt`,
  'sentence.totp-removed': `${ACTOR_HAT} die Authentifizierungs-App aus ${DEM_KONTO} entfernt`,
  'sentence.recovery-codes': `${ACTOR_HAT} neue Wiederherstellungscodes für ${KONTO} erzeugt`,
  'sentence.recovery-code-used': `${ACTOR_HAT} einen Wiederherstellungscode für ${KONTO} verwendet`,
  'sentence.second-factors-lost':
    ACTOR_HAT + ` alle zweiten Faktoren aus ${DEM_KONTO} entfernt, weil sie verloren waren`,
  'sentence.two-step-off': `${ACTOR_HAT} die Anmeldung in zwei Schritten für ${KONTO} ausgeschaltet`,
  'sentence.logged-in': `${USER_HAT} sich${optional('how', ' {how}')} angemeldet`,
  'sentence.session-used': `${USER_HAT} eine Sitzung wieder verwendet, zum ersten Mal an diesem Tag`,
  'sentence.logged-out': `${USER_HAT} sich abgemeldet`,
  'sentence.logged-out-through-client': `${USER_HAT} sich über eine Anwendung abgemeldet`,
  'sentence.session-ended-by-user': `${USER_HAT} eine der eigenen Sitzungen beendet`,
  'sentence.session-ended-by': `${ACTOR_HAT} eine Sitzung von ${dative('user')} beendet`,
  'sentence.logged-in-again':
    'Die Sitzung von ' + dative('user') + ' wurde nach einer neuen Anmeldung in einer neuen fortgesetzt',
  'sentence.another-login':
    'Die Sitzung von ' + dative('user') + ' endete, weil sich im selben Browser ein anderer Benutzer angemeldet hat',
  'sentence.two-step-on':
    `Eine Sitzung von ${dative('user')}, die allein mit dem Passwort begonnen hatte, endete, weil die Anmeldung in ` +
    'zwei Schritten eingeschaltet wurde',
  'sentence.session-unlinked':
    `Eine Sitzung von ${dative('user')} endete, weil die Verknüpfung mit dem Konto bei einem Anbieter aufgehoben ` +
    'wurde, mit dem sie begonnen hatte',
  'sentence.invitation-sent':
    `${ACTOR_HAT} jemanden eingeladen, ein Konto anzulegen` + optional('roles', ', Rollen: {roles}'),
  'sentence.invitation-withdrawn': `${ACTOR_HAT} eine Einladung, ein Konto anzulegen, zurückgezogen`,
  'sentence.account-invitation':
    '{userIs, select, nobody {Eine Einladung des Betreibers, ein Konto anzulegen, wurde verwendet} other {Eine ' +
    `Einladung von ${dative('user')}, ein Konto anzulegen, wurde verwendet}}`,
  'sentence.group-created': `${ACTOR_HAT} die Gruppe {group} angelegt`,
  'sentence.group-title':
    `${ACTOR_HAT} {titleIs, select, some {der Gruppe {group} den Titel „{title}“ gegeben} other {den Titel der ` +
    'Gruppe {group} entfernt}}',
  'sentence.group-removed': `${ACTOR_HAT} die Gruppe {group} entfernt; niemand ist mehr Mitglied`,
  'sentence.group-member-added': `${ACTOR_HAT} ${accusative('user')} in die Gruppe {group} aufgenommen`,
  'sentence.group-member-removed': `${ACTOR_HAT} ${accusative('user')} aus der Gruppe {group} entfernt`,
  'sentence.linked':
    `${ACTOR_HAT} ein Konto bei {provider} mit ${dative('user')} verknüpft{basis, select, email {, weil beide ` +
    'dieselbe bestätigte E-Mail-Adresse haben} created {; die erste Anmeldung damit hat den Benutzer ' +
    'angelegt} other {}}',
  'sentence.unlinked': `${ACTOR_HAT} die Verknüpfung von ${dative('user')} mit einem Konto bei {provider} aufgehoben`,
  'sentence.setting-changed':
    ACTOR_HAT + ` „{setting}“ ${BEFORE_DE} auf {valueIs, select, none {keinen Wert} other {{value}}} geändert`,
  'sentence.setting-entries': `${ACTOR_HAT} „{setting}“ geändert: {changes}`,
  'sentence.setting-reset': `${ACTOR_HAT} „{setting}“ ${BEFORE_DE} auf den Standardwert zurückgesetzt`,
  'sentence.entries-added': '{entries} hinzugefügt',
  'sentence.entries-removed': '{entries} entfernt',
  'sentence.entries-changed': '{entries} geändert',
  'sentence.image': 'ein Bild',
  'sentence.key-introduced':
    `${ACTOR_HAT} den Signaturschlüssel {key} für {algorithm} eingeführt{reason, select, scheduled {, wie geplant} ` +
    'requested {, auf Anforderung} lost {; die private Hälfte des vorigen Schlüssels fehlt oder ist beschädigt} ' +
    'other {}}',
  'sentence.key-retired':
    `${ACTOR_HAT} den Signaturschlüssel {key} außer Dienst gestellt; {reason, select, expired {alle von ihm ` +
    'signierten Token sind abgelaufen} other {kein von ihm signiertes Token ist mehr gültig}}',
  'sentence.clock-set-back':
    ACTOR_HAT + ' bestätigt, dass die Uhr vorging; alles, was in dieser Zeit ausgestellt wurde, ist ungültig',
};

/** Sentences about events of users, sessions, groups, settings and signing keys. */
export const sentencesUsers = { en, de };
