import { parseClientLine } from './issuer-texts.ts';

interface NamedClient {
  readonly clientId: string;
  readonly name: string;
}

/** The applications that lines can refer to. */
interface NamedClients<Client extends NamedClient> {
  find(clientId: string): Client | undefined;
  all(): readonly Client[];
}

/**
 * Returns the line with the client id instead of the name, or undefined if it begins with neither a client id nor
 * the name of exactly one application. A claim may follow, and names may contain spaces.
 */
export function replaceNameWithId(line: string, clients: NamedClients<NamedClient>): string | undefined {
  if (clients.find(parseClientLine(line).id) !== undefined) return line;
  const [match, ...others] = findNamedClients(line, clients);
  return match === undefined || others.length > 0 ? undefined : match.clientId + line.slice(match.name.length);
}

/** Returns the applications whose names the line begins with. If several names match, only the longest one counts. */
export function findNamedClients<Client extends NamedClient>(
  line: string,
  clients: Pick<NamedClients<Client>, 'all'>,
): readonly Client[] {
  const isAtStart = ({ name }: Client): boolean => line.startsWith(name) && /^(?:\s|$)/.test(line.slice(name.length));
  const matches = clients.all().filter(isAtStart);
  const maxLength = Math.max(...matches.map(({ name }) => name.length));
  return matches.filter(({ name }) => name.length === maxLength);
}
