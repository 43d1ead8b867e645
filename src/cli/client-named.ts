import { OperationRefused } from '../operations/control/operation-refused.ts';
import type { CliContext } from './context.ts';

interface ListedClient {
  readonly client_id: string;
  readonly name: string;
}

/**
 * Returns the client id for a client id or the name of an application. Returns any other text unchanged, so that the
 * operation refuses it as an unknown id.
 * @throws OperationRefused if several applications have the name
 */
export async function clientIdOf(idOrName: string, { call }: CliContext): Promise<string> {
  const ids: string[] = [];
  for await (const item of call('client list', { search: idOrName })) {
    const { client_id: id, name } = item as ListedClient;
    if (id === idOrName) return id;
    if (name === idOrName) ids.push(id);
  }
  if (ids.length > 1)
    throw new OperationRefused(
      `${ids.length} applications are named ${JSON.stringify(idOrName)}; give the client id of one: ${ids.join(', ')}`,
    );
  return ids[0] ?? idOrName;
}

/** Replaces the name of the application in lines such as "NAME sub=VALUE" with its client id. */
export async function withClientIds(lines: readonly string[], context: CliContext): Promise<readonly string[]> {
  const resolved: string[] = [];
  for (const line of lines) {
    const [, client = line, claim = ''] = /^(.*?)( [^ =]+=.*)?$/s.exec(line) ?? [];
    resolved.push((await clientIdOf(client, context)) + claim);
  }
  return resolved;
}
