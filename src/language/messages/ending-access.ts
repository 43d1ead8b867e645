const en = {
  'ending-access.none': 'No application loses access.',
  'ending-access.some':
    '{others, plural, =0 {This also ends the access of {applications}.} ' +
    'other {This also ends the access of {applications} and {others, number} more.}}',
  'ending-access.names':
    '{others, plural, =0 {{applications}} one {{applications} and one more application} ' +
    'other {{applications} and {others, number} more applications}}',
  'ending-access.ends': 'Access that ends',
  'ending-access.remains': 'Access that remains',
  'ending-access.rule':
    'An application that the user logged in to (scope openid) loses its access from this login when the session ' +
    'ends, unless the access includes offline_access. It keeps any other access.',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'ending-access.none': 'Keine Anwendung verliert Zugriff.',
  'ending-access.some':
    '{others, plural, =0 {Damit endet auch der Zugriff von {applications}.} one {Damit endet auch der Zugriff von ' +
    '{applications} und einer weiteren Anwendung.} other {Damit endet auch der Zugriff von {applications} und ' +
    '{others, number} weiteren Anwendungen.}}',
  'ending-access.names':
    '{others, plural, =0 {{applications}} one {{applications} und eine weitere Anwendung} ' +
    'other {{applications} und {others, number} weitere Anwendungen}}',
  'ending-access.ends': 'Zugriff, der endet',
  'ending-access.remains': 'Zugriff, der bleibt',
  'ending-access.rule':
    'Der Zugriff von Anwendungen, bei denen sich der Benutzer angemeldet hat (Scope openid), endet mit der Sitzung, ' +
    'außer wenn er offline_access enthält. Ihr übriger Zugriff bleibt.',
};

/** Messages about the access that applications lose when a session ends. */
export const endingAccess = { en, de };
