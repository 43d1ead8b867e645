import { OperationRefused } from '../operations/control/operation-refused.ts';
import type { CliContext } from './context.ts';

interface ListedClient {
  readonly client_id: string;
  readonly name: string;
}

/**
 * The client id for an id or the name of one application. Another text is returned as it is, so that the operation
 * refuses it as an unknown id.
 * @throws OperationRefused if several applications have the name
 */
export async function clientIdOf(entered: string, { call }: CliContext): Promise<string> {
  const named: string[] = [];
  for await (const item of call('client list', { search: entered })) {
    const { client_id: id, name } = item as ListedClient;
    if (id === entered) return id;
    if (name === entered) named.push(id);
  }
  if (named.length > 1)
    throw new OperationRefused(
      `${named.length} applications are named ${JSON.stringify(entered)}; give the client id of one: ` +
        named.join(', '),
    );
  return named[0] ?? entered;
}

/** Lines such as "ID sub=VALUE", with the client id in place of a name. The claim is kept. */
export async function withClientIds(lines: readonly string[], context: CliContext): Promise<readonly string[]> {
  const resolved: string[] = [];
  for (const line of lines) {
    const [, client = line, claim = ''] = /^(.*?)( [^ =]+=.*)?$/s.exec(line) ?? [];
    resolved.push((await clientIdOf(client, context)) + claim);
  }
  return resolved;
}
