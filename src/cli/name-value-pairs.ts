import { CannotRunError } from './exit.ts';

/**
 * Parses the NAME=VALUE arguments of a repeatable `--set` option, and returns the values by name.
 * @param example a valid argument, for the error message
 * @throws CannotRunError if an argument is not NAME=VALUE, or if a name is repeated
 */
export function parseNameValuePairs(texts: readonly string[], example: string): Readonly<Record<string, string>> {
  const pairs = texts.map((text) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw new CannotRunError(`--set ${JSON.stringify(text)} must be NAME=VALUE, such as ${example}`);
    return [name, value] as const;
  });
  const duplicate = pairs.find(([name], index) => pairs.findIndex(([otherName]) => otherName === name) !== index);
  if (duplicate !== undefined) throw new CannotRunError(`--set ${duplicate[0]} is given twice; remove one`);
  return Object.fromEntries(pairs);
}
