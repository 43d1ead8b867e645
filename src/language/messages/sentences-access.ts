import {
  partyAtStart,
  optional,
  party,
  dative,
  accusative,
  nominative,
  nominativeAtStart,
} from './sentence-parties.ts';

// CLIENT and USER begin a sentence. CLIENT_HAT and USER_HAT begin a German one; “hat” is German for “has”.
const [CLIENT, USER] = [partyAtStart('client'), partyAtStart('user')];
const [client, user, actor] = [party('client'), party('user'), party('actor')];
const [CLIENT_HAT, USER_HAT] = [`${nominativeAtStart('client')} hat`, `${nominativeAtStart('user')} hat`];

const DETAILS = optional('details', ', with authorization details ({details})');
const DETAILS_DE = optional('details', ', mit Autorisierungsdetails ({details})');
const RESOURCES = optional('resources', ', restricted to {resources}');
const RESOURCES_DE = optional('resources', ', beschränkt auf {resources}');
const ACTING = `{userIs, select, nobody {, acting on its own behalf} other {, acting for ${user}}}`;
const ACTING_DE = `{userIs, select, nobody {, im eigenen Namen} other {, im Namen von ${dative('user')}}}`;

const LOST_ACCESS = `${CLIENT} lost access{userIs, select, nobody {} other { to the account of ${user}}}`;
const LOST_ACCESS_DE =
  CLIENT_HAT + ` den Zugriff{userIs, select, nobody {} other { auf das Konto von ${dative('user')}}} verloren`;

const boundToken = (article: string, noun: string): string =>
  `{binding, select, key {${article} ${noun} bound to a key} certificate {${article} ${noun} bound to a certificate} ` +
  `other {${article} ${noun}}}`;
const boundTokenDe = (noun: string): string =>
  `{binding, select, key {ein an einen Schlüssel gebundenes ${noun}} certificate {ein an ein Zertifikat gebundenes ` +
  `${noun}} other {ein ${noun}}}`;

const en = {
  'sentence.no-scope': 'no scope',
  'sentence.consent':
    `{basis, select, remembered {${CLIENT} was granted {scope} for ${user} again, based on an earlier authorization} ` +
    `skipped {${CLIENT} was granted {scope} for ${user}; this application needs no consent} ` +
    `password {${CLIENT} was granted {scope} with the password of ${user}} ` +
    `device {${USER} authorized ${client} on a device for {scope}} ` +
    `other {${USER} authorized ${client} for {scope}}}${DETAILS}` +
    '{login, select, none {} password {, in a session started with the password} second {, in a session started with ' +
    'the password and a second factor} passkey {, in a session started with a passkey} provider {, in a session ' +
    'started through a provider} other {, in a session whose login is not recorded}}' +
    `{isSigned, select, yes {, through a signed request} other {}}` +
    optional('withheld', '; requested but not granted: {withheld}'),
  'sentence.code-issued':
    `${CLIENT} was issued {binding, select, key {an authorization code bound to a key} other {an authorization ` +
    `code}} for {scope}, authorized by ${user}{isPushed, select, yes {, through a pushed request} other {}}`,
  'sentence.code-redeemed': `${CLIENT} redeemed the authorization code from ${user}`,
  'sentence.device-authorized': `A device of ${client} was authorized for {scope} by ${user}`,
  'sentence.device-denied': `${USER} denied the request of a device of ${client}`,
  'sentence.device-code-redeemed': `${CLIENT} redeemed the device code that ${user} had approved`,
  'sentence.exchange':
    `${CLIENT} exchanged a token {from, select, issuer {from the issuer {issuer}} own {of its own} other {of ` +
    `${party('parent')}}} for one with {scope}${DETAILS}, acting for ${party('subject')}` +
    `{isDelegated, select, yes {, with ${actor} as the actor} other {}}` +
    optional('actorIssuer', ', identified by a token from the issuer {actorIssuer}'),
  'sentence.assertion-redeemed':
    `${CLIENT} redeemed {use, select, assertion {an assertion} other {an identity assertion}} from {issuer}, for ` +
    `{userIs, select, nobody {itself} other {${user}}}, and was granted {scope}${RESOURCES}`,
  'sentence.access-token': `${CLIENT} was issued ${boundToken('an', 'access token')} for {scope}${ACTING}`,
  'sentence.refresh-token': `${CLIENT} was issued ${boundToken('a', 'refresh token')} for {scope}${ACTING}`,
  'sentence.id-token': `${CLIENT} was issued an ID token${optional('claims', ' with {claims}')}${ACTING}`,
  'sentence.refreshed': `${CLIENT} refreshed its tokens for {scope}, acting for ${user}`,
  'sentence.summarized': `The authorization of ${client} by ${user} was summarized; nothing changed`,
  'sentence.code-replayed': `${LOST_ACCESS}: its authorization code was used a second time`,
  'sentence.device-code-replayed': `${LOST_ACCESS}: its device code was used a second time`,
  'sentence.refresh-token-reused': `${LOST_ACCESS}: an old refresh token was used again`,
  'sentence.given-up': `${CLIENT} gave up its access{userIs, select, nobody {} other { to the account of ${user}}}`,
  'sentence.revoked-by-user':
    '{userIs, select, nobody {' + CLIENT + ` lost access} other {${USER} revoked the access of ${client}}}`,
  'sentence.revoked-by-operator': `${LOST_ACCESS}: ${actor} revoked it`,
  'sentence.updated': `${LOST_ACCESS}: an update replaced the grant`,
  'sentence.expired': 'It expired',
  'sentence.account-erased': 'The account was erased',
  'sentence.ended-with-above': `The grant of ${client} above it ended: {why}`,
  'sentence.ended-with-actor': `The grant of ${client} as the actor ended: {why}`,
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'sentence.no-scope': 'keine Berechtigung',
  'sentence.consent':
    `{basis, select, remembered {${CLIENT_HAT} für ${accusative('user')} erneut {scope} erhalten, wie früher ` +
    'zugelassen} ' +
    `skipped {${CLIENT_HAT} für ${accusative('user')} {scope} erhalten; diese Anwendung braucht keine Zustimmung} ` +
    `password {${CLIENT_HAT} mit dem Passwort von ${dative('user')} {scope} erhalten} ` +
    `device {${USER_HAT} ${accusative('client')} auf einem Gerät für {scope} zugelassen} ` +
    `other {${USER_HAT} ${accusative('client')} für {scope} zugelassen}}${DETAILS_DE}` +
    '{login, select, none {} password {, in einer Sitzung, die mit dem Passwort begann} second {, in einer Sitzung, ' +
    'die mit dem Passwort und einem zweiten Faktor begann} passkey {, in einer Sitzung, die mit einem Passkey ' +
    'begann} ' +
    'provider {, in einer Sitzung, die über einen Anbieter begann} other {, in einer Sitzung, deren Anmeldung nicht ' +
    'aufgezeichnet ist}}{isSigned, select, yes {, mit einer signierten Anfrage} other {}}' +
    optional('withheld', '; angefordert, aber nicht zugelassen: {withheld}'),
  'sentence.code-issued':
    `${CLIENT_HAT} {binding, select, key {einen an einen Schlüssel gebundenen Autorisierungscode} other {einen ` +
    `Autorisierungscode}} für {scope} erhalten, zugelassen von ${dative('user')}{isPushed, select, yes {, mit einer ` +
    'vorab eingereichten Anfrage} other {}}',
  'sentence.code-redeemed': `${CLIENT_HAT} den Autorisierungscode von ${dative('user')} eingelöst`,
  'sentence.device-authorized':
    'Ein Gerät von ' + dative('client') + ` wurde von ${dative('user')} für {scope} zugelassen`,
  'sentence.device-denied': `${USER_HAT} die Anfrage eines Geräts von ${dative('client')} abgelehnt`,
  'sentence.device-code-redeemed': `${CLIENT_HAT} den Gerätecode eingelöst, den ${nominative('user')} bestätigt hatte`,
  'sentence.exchange':
    `${CLIENT_HAT} ein {from, select, issuer {Token des Ausstellers {issuer}} own {eigenes Token} other {Token ` +
    `von ${dative('parent')}}} gegen eines für {scope} getauscht${DETAILS_DE}, im Namen von ${dative('subject')}` +
    `{isDelegated, select, yes {, mit ${dative('actor')} als handelnder Partei} other {}}` +
    optional('actorIssuer', ', mit einem Token des Ausstellers {actorIssuer}'),
  'sentence.assertion-redeemed':
    `${CLIENT_HAT} {use, select, assertion {eine Assertion} other {eine Identitäts-Assertion}} von {issuer} ` +
    `eingelöst, für {userIs, select, nobody {sich selbst} other {${accusative('user')}}}, und {scope} ` +
    `erhalten${RESOURCES_DE}`,
  'sentence.access-token': `${CLIENT_HAT} ${boundTokenDe('Zugriffstoken')} für {scope} erhalten${ACTING_DE}`,
  'sentence.refresh-token': `${CLIENT_HAT} ${boundTokenDe('Refresh-Token')} für {scope} erhalten${ACTING_DE}`,
  'sentence.id-token': `${CLIENT_HAT} ein ID-Token${optional('claims', ' mit {claims}')} erhalten${ACTING_DE}`,
  'sentence.refreshed':
    CLIENT_HAT + ` mit einem Refresh-Token neue Token für {scope} erhalten, im Namen von ${dative('user')}`,
  'sentence.summarized':
    'Die Zustimmung von ' +
    dative('user') +
    ` für ${accusative('client')} wurde zusammengefasst; geändert hat sich nichts`,
  'sentence.code-replayed': `${LOST_ACCESS_DE}: Ein Autorisierungscode wurde ein zweites Mal verwendet`,
  'sentence.device-code-replayed': `${LOST_ACCESS_DE}: Ein Gerätecode wurde ein zweites Mal verwendet`,
  'sentence.refresh-token-reused': `${LOST_ACCESS_DE}: Ein altes Refresh-Token wurde noch einmal verwendet`,
  'sentence.given-up':
    CLIENT_HAT + ` den Zugriff{userIs, select, nobody {} other { auf das Konto von ${dative('user')}}} aufgegeben`,
  'sentence.revoked-by-user':
    `{userIs, select, nobody {${CLIENT_HAT} den Zugriff verloren} other {${USER_HAT} den Zugriff von ` +
    `${dative('client')} widerrufen}}`,
  'sentence.revoked-by-operator': `${LOST_ACCESS_DE}: ${nominativeAtStart('actor')} hat ihn widerrufen`,
  'sentence.updated': `${LOST_ACCESS_DE}: Eine Änderung hat den Grant ersetzt`,
  'sentence.expired': 'Die Zeit war abgelaufen',
  'sentence.account-erased': 'Das Konto wurde gelöscht',
  'sentence.ended-with-above': `Der übergeordnete Grant von ${dative('client')} endete: {why}`,
  'sentence.ended-with-actor': `Der Grant von ${dative('client')} als handelnder Partei endete: {why}`,
};

/** Sentences about grant events, for auditors and `grantlog log tail`. */
export const sentencesAccess = { en, de };
