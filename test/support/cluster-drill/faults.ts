import { setTimeout } from 'node:timers/promises';
import type { Choice } from '../seeded-choice.ts';
import type { DrillCluster, DrillNode } from './nodes.ts';

interface Fault {
  readonly description: string;
  /** Resolves when the fault is over. Nodes may take a while to notice that. */
  inject(cluster: DrillCluster, choice: Choice): Promise<void>;
  /** The fault destroys the primary, so each round needs a new primary with a standby. */
  readonly needsStandby?: true;
}

export type FaultName = keyof typeof FAULTS;

/** Longer than a node may be out of touch before it refuses requests. */
const LONG_MS = 2_500;
const LOST_CONNECTIONS = 4;
/** Matches an append query: at first its text, later the name of the prepared statement. */
const APPEND = /grantlog\.append|\0append\0/;

const jitter = (choice: Choice, milliseconds: number): Promise<void> => setTimeout(choice.below(milliseconds));
const anyOf = ({ nodes }: DrillCluster, choice: Choice): DrillNode => choice.of(nodes) as DrillNode;

export const FAULTS = {
  none: { description: 'no fault', inject: (_cluster, choice) => jitter(choice, 500) },
  'node-killed': {
    description: 'a node is killed and restarted',
    async inject(cluster, choice) {
      const node = anyOf(cluster, choice);
      await node.kill();
      await jitter(choice, 500);
      await node.start();
    },
  },
  'database-killed': {
    description: 'PostgreSQL is killed and restarted',
    async inject(cluster, choice) {
      await cluster.primary().kill();
      await jitter(choice, LONG_MS);
      await cluster.primary().start();
    },
  },
  'fail-over': {
    description: 'the primary is killed and its synchronous standby is promoted',
    inject: async ({ replication }) => replication?.failOver(),
    needsStandby: true,
  },
  'lost-reply': {
    description: 'connections are cut between a commit and its reply',
    async inject(cluster, choice) {
      for (let index = 0; index < LOST_CONNECTIONS; index += 1) {
        await anyOf(cluster, choice).proxy.dropNextReply(APPEND);
        await jitter(choice, 100);
      }
    },
  },
  'cut-connections': {
    description: 'all connections of a node are reset at any moment, even before the commit',
    async inject(cluster, choice) {
      for (let index = 0; index < LOST_CONNECTIONS; index += 1) {
        anyOf(cluster, choice).proxy.cut();
        await jitter(choice, 100);
      }
    },
  },
  frozen: {
    description: 'the primary is suspended (SIGSTOP) and later resumed',
    async inject(cluster, choice) {
      cluster.primary().freeze();
      await jitter(choice, 2 * LONG_MS);
      cluster.primary().thaw();
    },
  },
  partition: {
    description: 'a node is partitioned from PostgreSQL',
    async inject(cluster, choice) {
      const { proxy } = anyOf(cluster, choice);
      proxy.partition();
      await jitter(choice, 2 * LONG_MS);
      await proxy.pass();
    },
  },
  clocks: {
    description: "the nodes' clocks jump ten seconds apart, and back",
    async inject({ nodes }, choice) {
      const first = choice.below(nodes.length);
      nodes.forEach((node, index) => node.setClock([-10, 0, 10][(first + index) % nodes.length] ?? 0));
      await setTimeout(LONG_MS);
      nodes.forEach((node) => node.setClock(0));
    },
  },
} as const satisfies Readonly<Record<string, Fault>>;

export const getFault = (name: FaultName): Fault => FAULTS[name];
