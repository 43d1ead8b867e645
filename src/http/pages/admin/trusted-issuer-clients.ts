import { parseClientLine } from '../../../oauth/issuers/issuer-texts.ts';
import type { Client, Clients } from '../../../projections/clients.ts';

/**
 * Returns the line with the client id instead of the name, or undefined if it begins neither with a client id nor with
 * the name of exactly one application. A claim can follow, and names can contain spaces.
 */
export function lineWithId(line: string, clients: Pick<Clients, 'find' | 'all'>): string | undefined {
  if (clients.find(parseClientLine(line).id) !== undefined) return line;
  const [found, ...others] = clientsNamedIn(line, clients);
  return found === undefined || others.length > 0 ? undefined : found.clientId + line.slice(found.name.length);
}

/** Returns the applications with the longest name with which the line begins. */
export function clientsNamedIn(line: string, clients: Pick<Clients, 'all'>): readonly Client[] {
  const begins = ({ name }: Client): boolean => line.startsWith(name) && /^(?:\s|$)/.test(line.slice(name.length));
  const named = clients.all().filter(begins);
  const longest = Math.max(...named.map(({ name }) => name.length));
  return named.filter(({ name }) => name.length === longest);
}
