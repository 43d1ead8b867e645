/** The words for a party that has no name to show. */
type PartyWords = Readonly<Record<'erased' | 'nobody' | 'unknown' | 'operator' | 'server', string>>;

/**
 * Returns a function that returns the part of an entry for a party, such as a user or an application. The argument
 * NAME of the entry is its name; the argument NAMEIs says whether it has one: see `partyValues`.
 */
const inWords =
  (words: PartyWords) =>
  (name: string): string => {
    const choices = Object.entries(words).map(([is, text]) => `${is} {${text}}`);
    return `{${name}Is, select, ${choices.join(' ')} other {{${name}}}}`;
  };

/** The party at the beginning of an English sentence. */
export const firstParty = inWords({
  erased: 'An erased user',
  nobody: 'Nobody',
  unknown: 'An application',
  operator: 'The operator',
  server: 'The server',
});

/** The party within an English sentence. */
export const party = inWords({
  erased: 'an erased user',
  nobody: 'nobody',
  unknown: 'an application',
  operator: 'the operator',
  server: 'the server',
});

/** The party as the subject that begins a German sentence. */
export const werAmAnfang = inWords({
  erased: 'Ein gelöschter Benutzer',
  nobody: 'Niemand',
  unknown: 'Eine Anwendung',
  operator: 'Der Betreiber',
  server: 'Der Server',
});

/** The party as the subject within a German sentence. */
export const wer = inWords({
  erased: 'ein gelöschter Benutzer',
  nobody: 'niemand',
  unknown: 'eine Anwendung',
  operator: 'der Betreiber',
  server: 'der Server',
});

/** The party in the dative within a German sentence. */
export const wem = inWords({
  erased: 'einem gelöschten Benutzer',
  nobody: 'niemandem',
  unknown: 'einer Anwendung',
  operator: 'dem Betreiber',
  server: 'dem Server',
});

/** The party in the accusative within a German sentence. */
export const wen = inWords({
  erased: 'einen gelöschten Benutzer',
  nobody: 'niemanden',
  unknown: 'eine Anwendung',
  operator: 'den Betreiber',
  server: 'den Server',
});

/** Returns a part of an entry that is shown only if its argument NAME has a value: see `optionalValues`. */
export function optional(name: string, part: string): string {
  return `{${name}Is, select, some {${part}} other {}}`;
}
