const en = {
  'removal.users':
    '{count, plural, =0 {no user gives it access} one {# user gives it access} other {# users give it access}}',
  'removal.many-users': 'at least {count, number} users give it access',
  'removal.owners': 'Owners',
  'removal.owners-count': '{count, plural, =0 {none} other {{names}}}',
  'removal.policies': 'Exchange policies',
  'removal.issuers': 'Trusted issuers',
  'removal.issuers-count': '{count, plural, =0 {none} one {# names it} other {# name it}}',
  'removal.policies-count':
    '{count, plural, =0 {none} one {# names it, and ends with it} other {# name it, and end with it}}',
  'removal.sessions': 'Sessions',
  'removal.sessions-count': '{count, plural, =0 {none} other {#}}',
  'removal.owned': 'Own applications',
  'removal.owned-count': '{count, plural, =0 {none} other {#}}',
  'removal.authorized': 'Authorized applications',
  'removal.authorized-count': '{count, plural, =0 {none} one {# application} other {# applications}}',
  'removal.groups': 'Groups',
  'removal.groups-count': '{count, plural, =0 {none} other {{names}}}',
  'removal.providers': 'Login providers',
  'removal.providers-count':
    '{count, plural, =0 {none puts users into it} one {# puts users into it: {names}} other {# put users into it: ' +
    '{names}}}',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'removal.users':
    '{count, plural, =0 {kein Benutzer gewährt ihr Zugriff} one {# Benutzer gewährt ihr Zugriff} ' +
    'other {# Benutzer gewähren ihr Zugriff}}',
  'removal.many-users': 'mindestens {count, number} Benutzer gewähren ihr Zugriff',
  'removal.owners': 'Besitzer',
  'removal.owners-count': '{count, plural, =0 {keine} other {{names}}}',
  'removal.policies': 'Tauschregeln',
  'removal.issuers': 'Vertrauenswürdige Aussteller',
  'removal.issuers-count': '{count, plural, =0 {keiner} one {# nennt sie} other {# nennen sie}}',
  'removal.policies-count':
    '{count, plural, =0 {keine} one {# nennt sie und endet mit ihr} other {# nennen sie und enden mit ihr}}',
  'removal.sessions': 'Sitzungen',
  'removal.sessions-count': '{count, plural, =0 {keine} other {#}}',
  'removal.owned': 'Eigene Anwendungen',
  'removal.owned-count': '{count, plural, =0 {keine} other {#}}',
  'removal.authorized': 'Zugelassene Anwendungen',
  'removal.authorized-count': '{count, plural, =0 {keine} one {# Anwendung} other {# Anwendungen}}',
  'removal.groups': 'Gruppen',
  'removal.groups-count': '{count, plural, =0 {keine} other {{names}}}',
  'removal.providers': 'Anmeldeanbieter',
  'removal.providers-count':
    '{count, plural, =0 {keiner fügt ihr Benutzer hinzu} one {# fügt ihr Benutzer hinzu: {names}} other {# fügen ' +
    'ihr ' +
    'Benutzer hinzu: {names}}}',
};

/** What ends with something that an administrator removes. */
export const removals = { en, de };
