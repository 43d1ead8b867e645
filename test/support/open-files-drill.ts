import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { grantlogStatus, registerDrillClient, SERVE_COMMAND, type DrillClient } from './drill-client.ts';
import { startServer, type ServerProcess } from './server-process.ts';

const MAX_OPEN_FILES = 256;
/** More connections than the server may open files. */
const SOCKET_COUNT = 400;
const EVENTS_IN_TWO_TILES = 600;

export interface OpenFilesDrill {
  readonly dataDir: string;
  readonly progress: (line: string) => void;
}

/**
 * Opens more connections than the server may open files while a client requests tokens on separate connections.
 * @throws Error if an expectation is not met
 */
export async function runOpenFilesDrill({ dataDir, progress }: OpenFilesDrill): Promise<void> {
  const command = ['sh', '-c', `ulimit -n ${MAX_OPEN_FILES} && exec "$@"`, 'sh', ...SERVE_COMMAND] as const;
  const server = await startServer(dataDir, { command });
  try {
    const client = await registerDrillClient(dataDir);
    await issueTokens(server, client, 10);

    const sockets = holdConnections(server.origin);
    await sleep(1_000);
    const issuedCount = await issueWhileScarce(server, client);
    progress(
      `${SOCKET_COUNT} connections at once: ${issuedCount} of ${EVENTS_IN_TWO_TILES} tokens were issued meanwhile`,
    );

    for (const socket of sockets) socket.destroy();
    await issueTokens(server, client, EVENTS_IN_TWO_TILES);
    server.kill('SIGTERM');
    const status = await server.exitStatus;
    if (status !== 0)
      throw new Error(`expected exit status 0 from the server, got ${status}: ${server.output().slice(-2000)}`);
    for (const tile of ['000', '001']) {
      if (!existsSync(join(dataDir, 'tile', '0', tile))) throw new Error(`tile 0/${tile} of the log is missing`);
    }
    for (const check of ['verify', 'replay']) {
      if ((await grantlogStatus(dataDir, ['log', check])) !== 0) throw new Error(`log ${check} has findings`);
    }
    progress('afterwards every token is issued, the tiles are complete, and the server stops cleanly');
  } finally {
    await server.destroy();
  }
}

/** Opens connections that send nothing. */
function holdConnections(origin: string): ReadonlySet<Socket> {
  const { port, hostname } = new URL(origin);
  const sockets = new Set<Socket>();
  for (let count = 0; count < SOCKET_COUNT; count += 1) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    sockets.add(socket);
  }
  return sockets;
}

/**
 * Requests tokens while file descriptors are scarce, and returns the number of requests that succeed. Some connections
 * are closed before a response.
 */
async function issueWhileScarce(server: ServerProcess, client: DrillClient): Promise<number> {
  let issuedCount = 0;
  for (let count = 0; count < EVENTS_IN_TWO_TILES; count += 1) {
    const { status } = await client.requestToken(server.origin);
    if (status === 200) issuedCount += 1;
    else if (status !== 0) throw new Error(`a token request got status ${status}`);
  }
  return issuedCount;
}

async function issueTokens(server: ServerProcess, client: DrillClient, count: number): Promise<void> {
  for (let remaining = count; remaining > 0; remaining -= 1) {
    const { status } = await client.requestToken(server.origin);
    if (status !== 200) throw new Error(`a token request got status ${status}: ${server.output().slice(-2000)}`);
  }
}
