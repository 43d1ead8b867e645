import type { Config } from '../config/config.ts';
import { ControlError, callControl } from '../operations/control/client.ts';
import { OperationRefused } from '../operations/control/operation-refused.ts';
import { finding, ok, type CheckResult } from './doctor-checks.ts';
import type { RegisteredClient } from './doctor-redirect-uris.ts';
import { controlSocketPath } from './operation-target.ts';
import { pluralize } from './print.ts';

/** Each check makes the running server send a request to another server, and the server limits such requests. */
const MAX_CHECKED_CLIENTS = 20;

/**
 * Asks the running server to read the key sets that applications publish, and reports each key set that the server
 * cannot read.
 * @param clients null if no server responded
 */
export async function checkClientKeys(
  { dataDir }: Pick<Config, 'dataDir'>,
  clients: readonly RegisteredClient[] | null,
): Promise<readonly CheckResult[]> {
  const publishers = clients?.filter(({ jwks_uri }) => typeof jwks_uri === 'string') ?? [];
  if (publishers.length === 0) return [];
  const checkedClients = publishers.slice(0, MAX_CHECKED_CLIENTS);
  const results = await Promise.all(
    checkedClients.map((client) => checkPublishedKeys(client, controlSocketPath(dataDir))),
  );
  const findings = results.filter((result) => result !== undefined);
  if (findings.length > 0) return findings;
  const total = checkedClients.length < publishers.length ? `${checkedClients.length} of ` : '';
  return [
    ok('client-keys', `the keys published by ${total}${pluralize(publishers.length, 'application')} can be read`),
  ];
}

async function checkPublishedKeys(
  { client_id: clientId, name }: RegisteredClient,
  path: string,
): Promise<CheckResult | undefined> {
  try {
    const keys = callControl(path, 'client keys', { clientId });
    while (!(await keys.next()).done);
    return undefined;
  } catch (error) {
    if (!(error instanceof OperationRefused) && !(error instanceof ControlError)) throw error;
    return finding(
      'client-keys',
      `${clientId} (${name}): ${error.message}`,
      `correct the published key set, or register a different URL: grantlog client update ${clientId} --jwks-uri URL`,
    );
  }
}
