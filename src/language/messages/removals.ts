/** The text before a number that may be a lower bound. */
const AT_LEAST = {
  en: '{exact, select, no {at least } other {}}',
  de: '{exact, select, no {mindestens } other {}}',
} as const;

const en = {
  'removal.users':
    '{count, plural, =0 {no user has authorized it} one {# user has authorized it} other {# users have authorized it}}',
  'removal.many-users': 'at least {count, number} users have authorized it',
  'removal.owners': 'Owners',
  'removal.owners-count': '{count, plural, =0 {none} other {{names}}}',
  'removal.policies': 'Exchange policies',
  'removal.issuers': 'Trusted issuers',
  'removal.issuers-count': '{count, plural, =0 {none} one {# refers to it} other {# refer to it}}',
  'removal.policies-count':
    '{count, plural, =0 {none} one {# refers to it and is removed with it} ' +
    'other {# refer to it and are removed with it}}',
  'removal.sessions': 'Sessions',
  'removal.sessions-count': '{count, plural, =0 {none} other {#}}',
  'removal.owned': 'Owned applications',
  'removal.owned-count': '{count, plural, =0 {none} other {#}}',
  'removal.authorized': 'Authorized applications',
  'removal.authorized-count': '{count, plural, =0 {none} one {# application} other {# applications}}',
  'removal.groups': 'Groups',
  'removal.groups-count': '{count, plural, =0 {none} other {{names}}}',
  'removal.administrators': 'Other administrators',
  'removal.administrators-named': '{others, plural, =0 {{names}} other {{names} and {others, number} more}}',
  'removal.number': '{count, plural, =0 {none} other {#}}',
  'removal.about': '{exact, select, no {at least {count, number}} other {{count, plural, =0 {none} other {#}}}}',
  'removal.scopes': 'Its scopes',
  'removal.resource-applications':
    '{count, plural, =0 {none has access that is restricted to it} ' +
    `one {${AT_LEAST.en}# has access that is restricted to it} ` +
    `other {${AT_LEAST.en}# have access that is restricted to it}}`,
  'removal.resource-grants':
    `{count, plural, =0 {none is restricted to it} one {${AT_LEAST.en}# is restricted to it} ` +
    `other {${AT_LEAST.en}# are restricted to it}}`,
  'removal.resource-tokens':
    `{count, plural, =0 {none is restricted to it} one {${AT_LEAST.en}# valid token is restricted to it} ` +
    `other {${AT_LEAST.en}# valid tokens are restricted to it}}` +
    '{ending, plural, =0 {} one {; # is for no other resource server and becomes invalid} ' +
    'other {; # are for no other resource server and become invalid}}',
  'removal.names-resource': '{count, plural, =0 {none} one {# refers to it} other {# refer to it}}',
  'removal.accounts': 'Linked accounts',
  'removal.locked-out': 'Locked out',
  'removal.locked-out-count':
    '{count, plural, =0 {every user has another way to log in} one {# user has no other way to log in} other {# ' +
    'users have no other way to log in}}',
  'removal.providers': 'Login providers',
  'removal.providers-count':
    '{count, plural, =0 {none adds users to it} one {# adds users to it: {names}} other {# add users to it: {names}}}',
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
    '{count, plural, =0 {keine} one {# nennt sie und wird mit ihr entfernt} ' +
    'other {# nennen sie und werden mit ihr entfernt}}',
  'removal.sessions': 'Sitzungen',
  'removal.sessions-count': '{count, plural, =0 {keine} other {#}}',
  'removal.owned': 'Eigene Anwendungen',
  'removal.owned-count': '{count, plural, =0 {keine} other {#}}',
  'removal.authorized': 'Zugelassene Anwendungen',
  'removal.authorized-count': '{count, plural, =0 {keine} one {# Anwendung} other {# Anwendungen}}',
  'removal.groups': 'Gruppen',
  'removal.groups-count': '{count, plural, =0 {keine} other {{names}}}',
  'removal.administrators': 'Andere Administratoren',
  'removal.administrators-named': '{others, plural, =0 {{names}} other {{names} und {others, number} weitere}}',
  'removal.number': '{count, plural, =0 {keine} other {#}}',
  'removal.about': '{exact, select, no {mindestens {count, number}} other {{count, plural, =0 {keine} other {#}}}}',
  'removal.scopes': 'Seine Scopes',
  'removal.resource-applications':
    `{count, plural, =0 {keine hat Zugriff, der auf ihn beschränkt ist} one {${AT_LEAST.de}# hat Zugriff, der auf ` +
    `ihn beschränkt ist} other {${AT_LEAST.de}# haben Zugriff, der auf ihn beschränkt ist}}`,
  'removal.resource-grants':
    `{count, plural, =0 {keine ist auf ihn beschränkt} one {${AT_LEAST.de}# ist auf ihn beschränkt} ` +
    `other {${AT_LEAST.de}# sind auf ihn beschränkt}}`,
  'removal.resource-tokens':
    `{count, plural, =0 {keines ist auf ihn beschränkt} one {${AT_LEAST.de}# gültiges Token ist auf ihn beschränkt} ` +
    `other {${AT_LEAST.de}# gültige Token sind auf ihn beschränkt}}` +
    '{ending, plural, =0 {} one {; # ist für keinen anderen Ressourcenserver und wird ungültig} ' +
    'other {; # sind für keinen anderen Ressourcenserver und werden ungültig}}',
  'removal.names-resource': '{count, plural, =0 {keine} one {# nennt ihn} other {# nennen ihn}}',
  'removal.accounts': 'Verknüpfte Konten',
  'removal.locked-out': 'Ausgesperrt',
  'removal.locked-out-count':
    '{count, plural, =0 {jeder Benutzer hat einen anderen Anmeldeweg} one {# Benutzer hat keinen anderen ' +
    'Anmeldeweg} other {# Benutzer haben keinen anderen Anmeldeweg}}',
  'removal.providers': 'Anmeldeanbieter',
  'removal.providers-count':
    '{count, plural, =0 {keiner fügt ihr Benutzer hinzu} one {# fügt ihr Benutzer hinzu: {names}} ' +
    'other {# fügen ihr Benutzer hinzu: {names}}}',
};

/** Messages about the effects of a removal by an administrator. */
export const removals = { en, de };
