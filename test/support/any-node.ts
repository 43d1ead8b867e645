import { runningCluster, type Cluster, type ClusterNode, type ClusterOptions } from './cluster.ts';
import { requestsTo, type RunningService } from './running-service.ts';
import { seededChoice } from './seeded-choice.ts';

/**
 * Events that only grant something. A node that has not received them is too strict until it catches up. A node that
 * has not received other events is too lenient, and the models do not describe that.
 */
const GRANTING: ReadonlySet<string> = new Set([
  'ConsentGiven',
  'AuthorizationCodeIssued',
  'AccessTokenIssued',
  'RefreshTokenIssued',
  'ClientRegistered',
  'UserRegistered',
  'UserEnabled',
  'SessionStarted',
]);

/**
 * Starts several nodes that look like one service: each request goes to a random node. Whether that node has received
 * the other nodes' events is random, except that it has always received events that end something.
 */
export async function anyNode(
  size: number,
  seed: string | number,
  options: ClusterOptions = {},
): Promise<RunningService> {
  const cluster = await runningCluster(size, { ...options, seed });
  const choice = seededChoice(`${seed} nodes`);
  let userCount = 0;

  function pick(): ClusterNode {
    deliverSome(cluster, () => choice.below(30) === 0);
    return choice.of(cluster.nodes) as ClusterNode;
  }

  /** Returns a node that is up to date, for calls without HTTP, which do not catch up. */
  function pickCurrent(): ClusterNode {
    const node = pick();
    node.view.deliver();
    return node;
  }

  return {
    ...requestsTo(() => pick().origin()),
    clock: cluster.clock,
    get log() {
      return pickCurrent().log;
    },
    origin: () => pick().origin(),
    service: () => pickCurrent().service(),
    get unexpected() {
      return cluster.nodes.flatMap(({ unexpected }) => unexpected);
    },
    restart: (changedSettings) => pick().restart(changedSettings),
    close: cluster.close,
    addUser: (username = `user${(userCount += 1)}`) => pickCurrent().addUser(username),
    addClient: (registration) => pickCurrent().addClient(registration),
    events: () => pickCurrent().events(),
  };
}

function deliverSome({ nodes }: Cluster, byChance: () => boolean): void {
  for (const { view } of nodes) {
    if (byChance() || view.pending().some(({ type }) => !GRANTING.has(type))) view.deliver();
  }
}
