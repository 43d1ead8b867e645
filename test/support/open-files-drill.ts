import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { grantlogStatus, registerDrillClient, SERVE_BUILT, type DrillClient } from './drill-client.ts';
import { startServer, type ServerProcess } from './server-process.ts';

const OPEN_FILES = 256;
/** More than the server may open. */
const SOCKETS = 400;
const EVENTS_OF_TWO_TILES = 600;

export interface OpenFilesDrill {
  readonly dataDir: string;
  readonly progress: (line: string) => void;
}

/**
 * Opens more connections than the server may open files, while one client issues tokens on connections of its own.
 * @throws Error the first expectation that did not hold
 */
export async function openFilesDrill({ dataDir, progress }: OpenFilesDrill): Promise<void> {
  const limited = ['sh', '-c', `ulimit -n ${OPEN_FILES} && exec "$@"`, 'sh', ...SERVE_BUILT] as const;
  const server = await startServer(dataDir, { command: limited });
  try {
    const client = await registerDrillClient(dataDir);
    await mustIssue(server, client, 10);

    const sockets = holdConnections(server.origin);
    await passed(1_000);
    const answered = await issueAmong(server, client);
    progress(`${SOCKETS} connections at once: ${answered} of ${EVENTS_OF_TWO_TILES} tokens were issued meanwhile`);

    for (const socket of sockets) socket.destroy();
    await mustIssue(server, client, EVENTS_OF_TWO_TILES);
    server.kill('SIGTERM');
    const status = await server.ended;
    if (status !== 0)
      throw new Error(`the server ended with ${status} and not with 0: ${server.output().slice(-2000)}`);
    for (const tile of ['000', '001']) {
      if (!existsSync(join(dataDir, 'tile', '0', tile))) throw new Error(`tile 0/${tile} of the log is missing`);
    }
    for (const command of ['verify', 'replay']) {
      if ((await grantlogStatus(dataDir, ['log', command])) !== 0) throw new Error(`log ${command} has findings`);
    }
    progress('afterwards every token is issued, the tiles are complete, and the server stops cleanly');
  } finally {
    await server.destroy();
  }
}

/** Connections of an unauthenticated caller: open, silent, and opened again when the server closes them. */
function holdConnections(origin: string): ReadonlySet<Socket> {
  const { port, hostname } = new URL(origin);
  const sockets = new Set<Socket>();
  for (let count = 0; count < SOCKETS; count += 1) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    sockets.add(socket);
  }
  return sockets;
}

/** The number of requests that get a token while connections are scarce: some are closed before they are answered. */
async function issueAmong(server: ServerProcess, client: DrillClient): Promise<number> {
  let answered = 0;
  for (let count = 0; count < EVENTS_OF_TWO_TILES; count += 1) {
    const { status } = await client.issue(server.origin);
    if (status === 200) answered += 1;
    else if (status !== 0) throw new Error(`a token request was answered with ${status}`);
  }
  return answered;
}

async function mustIssue(server: ServerProcess, client: DrillClient, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) {
    const { status } = await client.issue(server.origin);
    if (status !== 200) throw new Error(`a token request was answered with ${status}: ${server.output().slice(-2000)}`);
  }
}
