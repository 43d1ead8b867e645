const en = {
  'setting-problem.of': '{setting}: {problem}',
  'setting-problem.must-be': 'must be {expects}',
  'setting-problem.must-be-not': 'must be {expects}, not {value}',
  'setting-problem.must-be-not-at': 'must be {expects}, not {value} ({where}: {issue})',
  'setting-problem.too-deep': 'must not contain more than {most} levels of lists and objects',
  'setting-problem.reserved-member': 'no member may be named __proto__ ({where})',
  'setting-problem.unknown': 'unknown setting',
  'setting-problem.start': 'it is read at startup; change it in the environment or the file, and restart the server',
  'setting-problem.file': 'the operator set it in the configuration file; it can be changed only there',
  'setting-problem.environment': 'the operator set it in the environment; it can be changed only there',
  'setting-problem.color':
    '{color} has a contrast of only {ratio}:1 with the {scheme, select, light {light} other {dark}} pages, and text ' +
    'needs {minimum}:1 (WCAG AA); choose a {scheme, select, light {darker} other {lighter}} one, such as {instead}',
  'setting-problem.logo-metadata':
    'the image contains metadata, or its type differs from that in its URL; grantlog brand logo FILE removes metadata',
  'setting-problem.open-directory':
    'GRANTLOG_SIGNUP and GRANTLOG_SAMPLE_API: with sign-up open and the sample API on, anyone can sign up, register ' +
    'an application and read the user name, names and e-mail address of everyone; set GRANTLOG_SAMPLE_API to false, ' +
    'or to true if this is what you want',
  'setting-problem.unknown-scope': '{scope} is not one of the scopes ({choices})',
  'setting-problem.fixed-claims':
    'the claims of the built-in scope {scope} cannot be changed; map a scope of your own instead',
  'setting-problem.restricted-default': '{grant} contains {scopes}, which clients must request by name',
  'setting-problem.unknown-default': '{grant} must contain only scopes that are defined ({choices}), not {scopes}',
  'own-text.unknown': 'there is no such text',
  'own-text.recorded': 'the log records this text with consents, so it cannot be replaced',
  'own-text.malformed': 'it is not an ICU message ({problem})',
  'own-text.lacks': 'it lacks {names}',
  'own-text.excess': 'it contains {names}, but the standard text does not',
  'own-text.characters': 'it contains control characters or marks that change the text direction',
  'own-text.format': 'it formats {name} differently from the standard text',
  'own-text.of': '{entry}: {problem}',
  'own-text.of-unknown': '{entry}: {problem}; did you mean {suggestion}?',
  'own-text.more': 'and {count} more',
  'ignored-change.unknown': 'this release does not recognize it as a setting that can change at run time',
  'ignored-change.value': 'this release does not accept the value: it must be {expects}',
  'ignored-change.file': 'the operator set it in the configuration file',
  'ignored-change.environment': 'the operator set it in the environment',
} as const;

const de: Readonly<Record<keyof typeof en, string>> = {
  'setting-problem.of': '{setting}: {problem}',
  'setting-problem.must-be': 'Erwartet wird {expects}.',
  'setting-problem.must-be-not': 'Erwartet wird {expects}. {value} passt nicht.',
  'setting-problem.must-be-not-at': 'Erwartet wird {expects}. {value} passt nicht ({where}: {issue}).',
  'setting-problem.too-deep': 'Der Wert darf höchstens {most} Ebenen von Listen und Objekten enthalten.',
  'setting-problem.reserved-member': 'Kein Eintrag darf __proto__ heißen ({where}).',
  'setting-problem.unknown': 'Diese Einstellung gibt es nicht.',
  'setting-problem.start':
    'Sie wird beim Start gelesen. Ändern Sie sie in der Umgebung oder in der Datei, und starten Sie den Server neu.',
  'setting-problem.file': 'Der Betreiber hat sie in der Konfigurationsdatei festgelegt und kann sie nur dort ändern.',
  'setting-problem.environment': 'Der Betreiber hat sie in der Umgebung festgelegt und kann sie nur dort ändern.',
  'setting-problem.color':
    '{color} hat zu den {scheme, select, light {hellen} other {dunklen}} Seiten nur einen Kontrast von {ratio}:1, ' +
    'Texte brauchen {minimum}:1 (WCAG AA). Wählen Sie eine {scheme, select, light {dunklere} other {hellere}} Farbe, ' +
    'zum Beispiel {instead}.',
  'setting-problem.logo-metadata':
    'Das Bild enthält Metadaten oder hat nicht den Typ, den seine Adresse nennt. grantlog brand logo DATEI entfernt ' +
    'Metadaten.',
  'setting-problem.open-directory':
    'GRANTLOG_SIGNUP und GRANTLOG_SAMPLE_API: Bei offener Registrierung und eingeschalteter Beispiel-API kann sich ' +
    'jeder registrieren, eine Anwendung anlegen und Benutzernamen, Namen und E-Mail-Adressen aller lesen. Setzen Sie ' +
    'GRANTLOG_SAMPLE_API auf false, oder auf true, wenn Sie das wollen.',
  'setting-problem.unknown-scope': '{scope} ist keiner der Scopes ({choices}).',
  'setting-problem.fixed-claims':
    'Die Claims des eingebauten Scopes {scope} lassen sich nicht ändern. Verwenden Sie stattdessen einen eigenen ' +
    'Scope.',
  'setting-problem.restricted-default': '{grant} nennt {scopes}; Clients müssen das ausdrücklich anfordern.',
  'setting-problem.unknown-default': '{grant} darf nur definierte Scopes enthalten ({choices}), nicht {scopes}.',
  'own-text.unknown': 'Diesen Text gibt es nicht',
  'own-text.recorded': 'Das Protokoll hält diesen Text mit Zustimmungen fest, darum lässt er sich nicht ersetzen',
  'own-text.malformed': 'Das ist keine ICU-Nachricht ({problem})',
  'own-text.lacks': 'Es fehlt {names}',
  'own-text.excess': 'Den Bestandteil {names} hat der Standardtext nicht',
  'own-text.characters': 'Der Text hat Steuerzeichen oder Zeichen, die die Schreibrichtung ändern',
  'own-text.format': '{name} ist anders formatiert als im Standardtext',
  'own-text.of': '{entry}: {problem}',
  'own-text.of-unknown': '{entry}: {problem}; meinten Sie {suggestion}?',
  'own-text.more': 'und {count} weitere',
  'ignored-change.unknown':
    'Diese Version kennt sie nicht als Einstellung, die sich im laufenden Betrieb ändern lässt.',
  'ignored-change.value': 'Diese Version akzeptiert den Wert nicht. Erwartet wird {expects}.',
  'ignored-change.file': 'Der Betreiber hat sie in der Konfigurationsdatei festgelegt.',
  'ignored-change.environment': 'Der Betreiber hat sie in der Umgebung festgelegt.',
};

/** Why a setting does not accept a value, and why a change in the log has no effect. */
export const settingProblems = { en, de };
