/** The texts for each kind of party that has no name to show. */
type PartyTexts = Readonly<Record<'erased' | 'nobody' | 'unknown' | 'operator' | 'server', string>>;

/**
 * Returns a function that builds the ICU select for a party, such as a user or an application. The argument NAME is the
 * party's name; NAMEIs selects the text for a party without a name: see `partyValues`.
 */
const partySelect =
  (texts: PartyTexts) =>
  (name: string): string => {
    const choices = Object.entries(texts).map(([kind, text]) => `${kind} {${text}}`);
    return `{${name}Is, select, ${choices.join(' ')} other {{${name}}}}`;
  };

/** The party at the beginning of an English sentence. */
export const partyAtStart = partySelect({
  erased: 'An erased user',
  nobody: 'Nobody',
  unknown: 'An application',
  operator: 'The operator',
  server: 'The server',
});

/** The party within an English sentence. */
export const party = partySelect({
  erased: 'an erased user',
  nobody: 'nobody',
  unknown: 'an application',
  operator: 'the operator',
  server: 'the server',
});

/** The party as the subject that begins a German sentence. */
export const nominativeAtStart = partySelect({
  erased: 'Ein gelöschter Benutzer',
  nobody: 'Niemand',
  unknown: 'Eine Anwendung',
  operator: 'Der Betreiber',
  server: 'Der Server',
});

/** The party as the subject within a German sentence. */
export const nominative = partySelect({
  erased: 'ein gelöschter Benutzer',
  nobody: 'niemand',
  unknown: 'eine Anwendung',
  operator: 'der Betreiber',
  server: 'der Server',
});

/** The party in the dative within a German sentence. */
export const dative = partySelect({
  erased: 'einem gelöschten Benutzer',
  nobody: 'niemandem',
  unknown: 'einer Anwendung',
  operator: 'dem Betreiber',
  server: 'dem Server',
});

/** The party in the accusative within a German sentence. */
export const accusative = partySelect({
  erased: 'einen gelöschten Benutzer',
  nobody: 'niemanden',
  unknown: 'eine Anwendung',
  operator: 'den Betreiber',
  server: 'den Server',
});

/** Returns part of a catalog entry, shown only if the argument `name` has a value: see `optionalValues`. */
export function optional(name: string, part: string): string {
  return `{${name}Is, select, some {${part}} other {}}`;
}
