import type { Config } from '../config/config.ts';
import type { KeyLocationSettings } from '../platform/keys/key-place.ts';
import type { NodeStatus, SharedLogStatus, SharedStorage } from '../event-store/shared-storage.ts';
import { checkWitnesses, finding, ok, type CheckResult } from './doctor-checks.ts';
import { checkKeys } from './doctor-directory.ts';
import { pluralize } from './print.ts';

/** A node that is more events behind than this delays or refuses requests. */
const MAX_LAG_EVENTS = 10_000;

/**
 * Checks the database that contains the log. Returns no results if the log is in the data directory.
 * @param examine reads the state of the database at a URL
 */
export async function checkDatabase(
  { log, ...keySettings }: Pick<Config, 'log' | 'keys' | 'dataDir'>,
  examine: (url: string) => Promise<SharedStorage>,
): Promise<readonly CheckResult[]> {
  if (log === null) return [];
  try {
    return describeDatabase(await examine(log), keySettings);
  } catch (error) {
    const todo = 'start the database, and check the address and the password in GRANTLOG_LOG';
    const description = error instanceof Error ? error.message : String(error);
    return [finding('database', description, todo), checkKeys(keySettings, false)];
  }
}

function describeDatabase(storage: SharedStorage, keySettings: KeyLocationSettings): readonly CheckResult[] {
  const { version, hosts, log, schemaProblem } = storage;
  return [
    ok('database', `PostgreSQL ${version}, the primary of ${hosts}`),
    checkEncryption(storage),
    checkDurability(storage),
    checkReplication(storage),
    ...(log === undefined
      ? [finding('schema', schemaProblem ?? 'unknown', 'run grantlog migrate with the newest release that is in use')]
      : [
          ok('log', `${log.head} events in the database`),
          ...checkWitnesses(log.newestCheckpoint, log.newestSnapshot),
          checkNodes(log),
          checkSharedKeys(log, keySettings.keys),
          checkKeys(keySettings, log.head > 0),
        ]),
  ];
}

function checkEncryption({ isLocal, tls }: SharedStorage): CheckResult {
  if (isLocal) return ok('database-tls', 'not needed: the database is on this machine');
  const todo = 'set sslmode=verify-full in GRANTLOG_LOG, and sslrootcert if you use your own certificate authority';
  if (tls === 'disable')
    return finding('database-tls', 'connections are not encrypted, although they carry the password', todo);
  return tls === 'require'
    ? finding('database-tls', 'connections are encrypted, but another machine could pose as the database', todo)
    : ok('database-tls', 'connections are encrypted, and the certificate is verified');
}

function checkDurability({ durability }: SharedStorage): CheckResult {
  const unsafeSettings = (['fsync', 'full_page_writes'] as const).filter((name) => durability[name] === 'off');
  if (unsafeSettings.length > 0)
    return finding(
      'database-durability',
      `off in the database: ${unsafeSettings.join(', ')}. ` +
        'If the database machine crashes, acknowledged events can be lost or damaged',
      'switch these settings on in the PostgreSQL configuration',
    );
  const isRelaxed = ['off', 'local'].includes(durability.synchronous_commit);
  const description = isRelaxed
    ? `synchronous_commit is ${durability.synchronous_commit} in the database, but on in Grantlog's sessions`
    : 'a commit is on disk before it is acknowledged';
  return ok('database-durability', description);
}

function checkReplication({ synchronousStandbys }: SharedStorage): CheckResult {
  return synchronousStandbys === ''
    ? ok('database-standby', "none is synchronous: if the primary's disk fails, the newest events are lost")
    : ok('database-standby', `commits wait for ${synchronousStandbys}`);
}

function checkNodes({ nodes }: SharedLogStatus): CheckResult {
  const runningNodes = nodes.filter((node) => node.running);
  const silentCount = nodes.length - runningNodes.length;
  const releases = [...new Set(runningNodes.map(({ release }) => release))];
  const description = [
    `${pluralize(runningNodes.length, 'node')} running`,
    ...(runningNodes.length > 0 ? [`release ${releases.join(' and ')}`, describeLag(maxLag(runningNodes))] : []),
    ...(silentCount > 0 ? [`${pluralize(silentCount, 'node')} stopped responding in the last day`] : []),
  ].join(', ');
  if (maxLag(runningNodes) > MAX_LAG_EVENTS)
    return finding('nodes', description, 'see grantlog nodes, and the log of the node that is behind');
  return releases.length > 1
    ? finding('nodes', description, 'upgrade all nodes to the same release')
    : ok('nodes', description);
}

const maxLag = (nodes: readonly NodeStatus[]): number => Math.max(0, ...nodes.map(({ lag }) => lag));

const describeLag = (lag: number): string => (lag === 0 ? 'none behind' : `up to ${pluralize(lag, 'event')} behind`);

function checkSharedKeys({ nodes }: SharedLogStatus, keys: string | null): CheckResult {
  const runningCount = nodes.filter((node) => node.running).length;
  if (keys !== null) return ok('shared-keys', 'GRANTLOG_KEYS is a location that the nodes can share');
  const description = 'the keys are in DATA_DIR, which only one node can use';
  return runningCount > 1
    ? finding(
        'shared-keys',
        `${description}, but ${runningCount} nodes are running`,
        'set GRANTLOG_KEYS to a location that the nodes share',
      )
    : ok('shared-keys', `${description}: set GRANTLOG_KEYS before you start a second node`);
}
