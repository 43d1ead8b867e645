import { findNamedClients, replaceNameWithId } from '../oauth/issuers/client-lines.ts';
import { OperationRefused } from '../operations/control/operation-refused.ts';
import type { CliContext } from './context.ts';

interface ListedClient {
  readonly clientId: string;
  readonly name: string;
}

/**
 * Resolves a client id or the name of an application to a client id. Returns any other text unchanged, so that the
 * operation refuses it as an unknown id.
 * @throws OperationRefused if several applications have the name
 */
export async function resolveClientId(idOrName: string, context: CliContext): Promise<string> {
  const candidates = await listClients({ search: idOrName }, context);
  if (candidates.some(({ clientId }) => clientId === idOrName)) return idOrName;
  const matches = candidates.filter(({ name }) => name === idOrName);
  requireUnambiguous(matches);
  return matches[0]?.clientId ?? idOrName;
}

/**
 * Replaces application names with client ids in lines such as "NAME sub=VALUE". Leaves all other lines unchanged; the
 * operation refuses those that do not begin with a client id.
 * @throws OperationRefused if several applications have the name
 */
export async function withClientIds(lines: readonly string[], context: CliContext): Promise<readonly string[]> {
  if (lines.length === 0) return lines;
  const allClients = await listClients({}, context);
  const clients = { find: (id: string) => allClients.find(({ clientId }) => clientId === id), all: () => allClients };
  return lines.map((line) => {
    const resolvedLine = replaceNameWithId(line, clients);
    if (resolvedLine === undefined) requireUnambiguous(findNamedClients(line, clients));
    return resolvedLine ?? line;
  });
}

async function listClients(filter: object, { call }: CliContext): Promise<readonly ListedClient[]> {
  const clients: ListedClient[] = [];
  for await (const item of call('client list', filter)) {
    const { client_id: clientId, name } = item as { readonly client_id: string; readonly name: string };
    clients.push({ clientId, name });
  }
  return clients;
}

/**
 * Checks that a name is unambiguous.
 * @param matches the applications with the entered name
 * @throws OperationRefused if there are several such applications
 */
function requireUnambiguous(matches: readonly ListedClient[]): void {
  if (matches.length > 1)
    throw new OperationRefused(
      `${matches.length} applications are named ${JSON.stringify(matches[0]?.name)}; specify the client id of one: ` +
        matches.map(({ clientId }) => clientId).join(', '),
    );
}
