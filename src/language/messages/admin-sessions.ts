const en = {
  'all-sessions.title': 'Sessions',
  'all-sessions.lede': 'The open sessions of all users. Users whose sessions you end must log in again.',
  'all-sessions.search': 'Search for a user, a browser or a provider',
  'all-sessions.none': 'Nobody is logged in.',
  'all-sessions.provider': 'Provider',
  'all-sessions.password': 'With a password',
  'all-sessions.passkey': 'With a passkey',
  'all-sessions.upstream': 'Through a provider',
  'all-sessions.end-column': 'Select',
  'all-sessions.choose': 'Select a session of {username}',
  'all-sessions.choose-own': 'Select your current session, as {username}',
  'all-sessions.own': 'this browser',
  'all-sessions.end': 'End the selected sessions…',
  'all-sessions.none-chosen': 'No session was selected, so none was ended.',
  'all-sessions.ended':
    '{count, plural, =0 {The selected sessions had already ended.} one {One session was ended.} other {{count} ' +
    'sessions were ended.}}',
  'end-sessions.link': 'Log out…',
  'end-sessions.title-one': 'End the session of {username}?',
  'end-sessions.title': 'End {count, number} sessions?',
  'end-sessions.count':
    '{count, plural, one {One session} other {{count, number} sessions}} of ' +
    '{users, plural, one {one user} other {{users, number} users}}',
  'end-sessions.own':
    '{others, plural, =0 {This is your own session, in this browser: you will be logged out.} ' +
    'other {Your own session, in this browser, is among them: you will be logged out.}}',
  'end-sessions.text':
    '{count, plural, one {The user will be logged out of this session, but can log in again.} ' +
    'other {The users will be logged out of these sessions, but can log in again.}}',
  'end-sessions.rule':
    'An application that a user logged in to (scope openid) loses its access from that login when the session ends, ' +
    'unless the access includes offline_access. It keeps any other access.',
  'end-sessions.button': '{count, plural, one {End the session} other {End {count, number} sessions}}',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'all-sessions.title': 'Sitzungen',
  'all-sessions.lede': 'Die offenen Sitzungen aller Benutzer. Benutzer, deren Sitzung endet, müssen sich neu anmelden.',
  'all-sessions.search': 'Benutzer, Browser oder Anbieter suchen',
  'all-sessions.none': 'Niemand ist angemeldet.',
  'all-sessions.provider': 'Anbieter',
  'all-sessions.password': 'Mit Passwort',
  'all-sessions.passkey': 'Mit Passkey',
  'all-sessions.upstream': 'Über einen Anbieter',
  'all-sessions.end-column': 'Auswählen',
  'all-sessions.choose': 'Eine Sitzung von {username} auswählen',
  'all-sessions.choose-own': 'Ihre aktuelle Sitzung als {username} auswählen',
  'all-sessions.own': 'dieser Browser',
  'all-sessions.end': 'Ausgewählte Sitzungen beenden …',
  'all-sessions.none-chosen': 'Es wurde keine Sitzung ausgewählt und keine beendet.',
  'all-sessions.ended':
    '{count, plural, =0 {Die ausgewählten Sitzungen waren schon beendet.} one {Eine Sitzung wurde beendet.} other ' +
    '{{count} Sitzungen wurden beendet.}}',
  'end-sessions.link': 'Abmelden …',
  'end-sessions.title-one': 'Die Sitzung von {username} beenden?',
  'end-sessions.title': '{count, number} Sitzungen beenden?',
  'end-sessions.count':
    '{count, plural, one {Eine Sitzung} other {{count, number} Sitzungen}} von ' +
    '{users, plural, one {einem Benutzer} other {{users, number} Benutzern}}',
  'end-sessions.own':
    '{others, plural, =0 {Das ist Ihre eigene Sitzung in diesem Browser: Sie werden abgemeldet.} ' +
    'other {Ihre eigene Sitzung in diesem Browser gehört dazu: Sie werden abgemeldet.}}',
  'end-sessions.text':
    '{count, plural, one {Der Benutzer wird von dieser Sitzung abgemeldet und kann sich wieder anmelden.} ' +
    'other {Die Benutzer werden von diesen Sitzungen abgemeldet und können sich wieder anmelden.}}',
  'end-sessions.rule':
    'Der Zugriff von Anwendungen, bei denen sich ein Benutzer angemeldet hat (Scope openid), endet mit der Sitzung, ' +
    'außer wenn er offline_access enthält. Anderer Zugriff bleibt.',
  'end-sessions.button': '{count, plural, one {Sitzung beenden} other {{count, number} Sitzungen beenden}}',
};

/** Messages on the page with all sessions, and on the page that asks for confirmation before sessions are ended. */
export const adminSessions = { en, de };
