import { partyAtStart, optional, party, dative, accusative, nominativeAtStart } from './sentence-parties.ts';

// ACTOR, CLIENT and USER begin a sentence. ACTOR_HAT and CLIENT_HAT begin a German one; “hat” is German for “has”.
const [ACTOR, CLIENT, USER] = [partyAtStart('actor'), partyAtStart('client'), partyAtStart('user')];
const [actor, client, user] = [party('actor'), party('client'), party('user')];
const ACTOR_HAT = `${nominativeAtStart('actor')} hat`;
const CLIENT_HAT = `${nominativeAtStart('client')} hat`;

const RESOURCES = optional('resources', ', restricted to {resources}');
const RESOURCES_DE = optional('resources', ', beschränkt auf {resources}');
const PROFILE = '{profile, select, fapi {, which has the FAPI 2.0 profile} other {}}';
const PROFILE_DE = '{profile, select, fapi {, mit dem Profil FAPI 2.0} other {}}';
const MEMBER = '{role, select, owner {an owner} other {a test user}}';
const MEMBER_DE = '{role, select, owner {Besitzer} other {Testbenutzer}}';

const en = {
  'sentence.client-registered':
    ACTOR + ` registered the application ${client}{isForOther, select, yes { for ${user}} other {}}${PROFILE}`,
  'sentence.client-registered-itself':
    'The application ' + client + ` registered itself; ${actor} was the first to authorize it`,
  'sentence.client-updated': `${ACTOR} changed the settings of ${client}${PROFILE}`,
  'sentence.logo-changed':
    ACTOR + ` {change, select, removed {removed the logo of ${client}} other {changed the logo of ${client}}}`,
  'sentence.secret-rotated':
    `${ACTOR} rotated the secret of ${client}; the old one {old, select, expired {expired immediately} other ` +
    '{stayed valid for a while}}',
  'sentence.secret-rehashed': `${ACTOR} upgraded the hash of the secret of ${client}; the secret is still the same`,
  'sentence.client-removed': `${ACTOR} removed the application ${client}`,
  'sentence.client-disabled': `${ACTOR} disabled the application ${client}`,
  'sentence.client-enabled': `${ACTOR} enabled the application ${client} again`,
  'sentence.document-accepted': `${ACTOR} accepted the document that describes ${client}, at {clientId}`,
  'sentence.domain-listed':
    ACTOR + ' {rule, select, allowed {allowed} blocked {blocked} other {{rule}}} applications from the domain {domain}',
  'sentence.domain-unlisted': ACTOR + ' removed the domain {domain} from the list of allowed and blocked domains',
  'sentence.client-assertion': `${ACTOR} authenticated with a signed assertion ({algorithm}, key {keyId})`,
  'sentence.member-added': `${ACTOR} made ${user} ${MEMBER} of ${client}`,
  'sentence.member-joined': `${USER} became ${MEMBER} of ${client}, invited by ${actor}`,
  'sentence.member-left': `${ACTOR} stepped down as ${MEMBER} of ${client}`,
  'sentence.member-removed': `${ACTOR} removed ${user} as ${MEMBER} of ${client}`,
  'sentence.invitations-withdrawn': `${ACTOR} withdrew all pending invitations to become ${MEMBER} of ${client}`,
  'sentence.resource-registered': `${ACTOR} registered the resource server {uri}`,
  'sentence.resource-updated': `${ACTOR} changed the settings of the resource server {uri}`,
  'sentence.resource-removed': `${ACTOR} removed the resource server {uri}; tokens for it are no longer valid`,
  'sentence.exchange-allowed':
    `${ACTOR} allowed ${client} to exchange tokens of ${party('subject')}, by {modes, select, impersonation ` +
    '{impersonation} delegation {delegation} other {impersonation or ' +
    `delegation}}${optional('scope', ', for {scope}')}${RESOURCES}`,
  'sentence.exchange-policy-removed':
    ACTOR + ` removed the policy that allowed ${client} to exchange tokens of ${party('subject')}`,
  'sentence.issuer-trusted':
    ACTOR + ` configured the trusted issuer {issuer}: {uses} by {clients}, for {scope}${RESOURCES}`,
  'sentence.issuer-removed':
    ACTOR + ' removed the trusted issuer {issuer} and ended the grants that began with its tokens',
  'sentence.provider-set':
    ACTOR +
    ' {act, select, new {set up} enabled {enabled} disabled {disabled} other {changed}} the provider {provider}, ' +
    'with the issuer {issuer}{isLinking, select, yes {; it links accounts by verified e-mail address} other ' +
    '{}}{createsUsers, select, yes {; it creates users} other {}}' +
    '{isRequired, select, yes {; passwords are off} other {}}{isDisabled, select, yes {; it is disabled} other {}}',
  'sentence.provider-removed': `${ACTOR} removed the provider {provider}; users can no longer log in through it`,
  'sentence.logout-delivered': `${CLIENT} was told that a session of ${user} had ended`,
  'sentence.logout-failed': `${CLIENT} could not be told that a session of ${user} had ended: {why}`,
  'sentence.logout-failed-with-status':
    CLIENT + ` could not be told that a session of ${user} had ended: {why} (status {status})`,
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'sentence.client-registered':
    `${ACTOR_HAT} die Anwendung ${accusative('client')}{isForOther, select, yes { für ${accusative('user')}} ` +
    `other {}} registriert${PROFILE_DE}`,
  'sentence.client-registered-itself':
    'Die Anwendung ' + accusative('client') + ` hat sich selbst registriert; zuerst zugelassen von: ${dative('actor')}`,
  'sentence.client-updated': `${ACTOR_HAT} die Einstellungen von ${dative('client')} geändert${PROFILE_DE}`,
  'sentence.logo-changed':
    ACTOR_HAT + ` das Logo von ${dative('client')} {change, select, removed {entfernt} other {geändert}}`,
  'sentence.secret-rotated':
    `${ACTOR_HAT} das Client-Secret von ${dative('client')} erneuert; das alte {old, select, expired {war sofort ` +
    'ungültig} other {blieb noch eine Weile gültig}}',
  'sentence.secret-rehashed':
    `${ACTOR_HAT} den Hash des Client-Secrets von ${dative('client')} auf ein stärkeres Verfahren umgestellt; das ` +
    'Client-Secret ist dasselbe',
  'sentence.client-removed': `${ACTOR_HAT} die Anwendung ${accusative('client')} entfernt`,
  'sentence.client-disabled': `${ACTOR_HAT} die Anwendung ${accusative('client')} gesperrt`,
  'sentence.client-enabled': `${ACTOR_HAT} die Anwendung ${accusative('client')} entsperrt`,
  'sentence.document-accepted':
    ACTOR_HAT + ` das Dokument angenommen, das ${accusative('client')} beschreibt: {clientId}`,
  'sentence.domain-listed':
    `${ACTOR_HAT} Anwendungen der Domain {domain} {rule, select, allowed {zugelassen} blocked {blockiert} other ` +
    '{({rule})}}',
  'sentence.domain-unlisted':
    ACTOR_HAT + ' die Domain {domain} aus der Liste der erlaubten und blockierten Domains entfernt',
  'sentence.client-assertion':
    ACTOR_HAT + ' sich mit einer signierten Assertion authentifiziert ({algorithm}, Schlüssel {keyId})',
  'sentence.member-added': `${ACTOR_HAT} ${accusative('user')} zum ${MEMBER_DE} von ${dative('client')} gemacht`,
  'sentence.member-joined':
    nominativeAtStart('user') + ` ist ${MEMBER_DE} von ${dative('client')} geworden, eingeladen von ${dative('actor')}`,
  'sentence.member-left':
    nominativeAtStart('actor') + ` ist nicht mehr ${MEMBER_DE} von ${dative('client')}, auf eigenen Wunsch`,
  'sentence.member-removed': `${ACTOR_HAT} ${accusative('user')} als ${MEMBER_DE} von ${dative('client')} entfernt`,
  'sentence.invitations-withdrawn':
    ACTOR_HAT + ` alle offenen Einladungen zurückgezogen, ${MEMBER_DE} von ${dative('client')} zu werden`,
  'sentence.resource-registered': `${ACTOR_HAT} den Ressourcenserver {uri} registriert`,
  'sentence.resource-updated': `${ACTOR_HAT} die Einstellungen des Ressourcenservers {uri} geändert`,
  'sentence.resource-removed': `${ACTOR_HAT} den Ressourcenserver {uri} entfernt; Token für ihn sind nicht mehr gültig`,
  'sentence.exchange-allowed':
    `${ACTOR_HAT} ${dative('client')} erlaubt, Token von ${dative('subject')} zu tauschen, als {modes, select, ` +
    'impersonation {Impersonation} delegation {Delegation} other {Impersonation oder ' +
    `Delegation}}${optional('scope', ', für {scope}')}${RESOURCES_DE}`,
  'sentence.exchange-policy-removed':
    ACTOR_HAT +
    ` die Tauschregel entfernt, mit der ${accusative('client')} Token von ${dative('subject')} tauschen konnte`,
  'sentence.issuer-trusted':
    `${ACTOR_HAT} das Vertrauen in den Aussteller {issuer} festgelegt: {uses} durch {clients}, für {scope}` +
    RESOURCES_DE,
  'sentence.issuer-removed':
    ACTOR_HAT + ' dem Aussteller {issuer} das Vertrauen entzogen und die Grants beendet, die mit seinen Token begannen',
  'sentence.provider-set':
    ACTOR_HAT +
    ' den Anbieter {provider} {act, select, new {eingerichtet} enabled {eingeschaltet} disabled {ausgeschaltet} ' +
    'other {geändert}}, mit dem Aussteller {issuer}{isLinking, select, yes {; ' +
    'Konten werden anhand bestätigter E-Mail-Adressen verknüpft} other {}}{createsUsers, select, yes {; neue ' +
    'Benutzer werden angelegt} other {}}{isRequired, select, yes {; Passwörter sind ausgeschaltet} other ' +
    '{}}{isDisabled, select, yes {; er ist ausgeschaltet} other {}}',
  'sentence.provider-removed':
    ACTOR_HAT + ' den Anbieter {provider} entfernt; niemand kann sich mehr über ihn anmelden',
  'sentence.logout-delivered': `${CLIENT_HAT} erfahren, dass eine Sitzung von ${dative('user')} beendet ist`,
  'sentence.logout-failed':
    nominativeAtStart('client') + ` konnte nicht erfahren, dass eine Sitzung von ${dative('user')} beendet ist: {why}`,
  'sentence.logout-failed-with-status':
    `${nominativeAtStart('client')} konnte nicht erfahren, dass eine Sitzung von ${dative('user')} beendet ist: ` +
    '{why} (Status {status})',
};

/** Sentences about events of applications, resource servers, issuers and providers. */
export const sentencesClients = { en, de };
