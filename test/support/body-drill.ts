import { setTimeout as pause } from 'node:timers/promises';
import { MAX_SMALL_CHUNKS } from '../../src/http/pipeline/read-body.ts';
import { openRawConnection, type RawConnection } from './raw-connection.ts';
import { startServer } from './server-process.ts';

export interface BodyDrillOptions {
  readonly dataDir: string;
  /** Concurrent connections in each part. */
  readonly connections: number;
  readonly progress: (line: string) => void;
}

/** The effect of one kind of body on the server. Sizes in bytes, times in milliseconds. */
export interface BodyDrillPart {
  readonly name: string;
  readonly sent: number;
  /** The resident memory before the drill, and its peak during this part. */
  readonly before: number;
  readonly peak: number;
  /** The limit for `peak`. */
  readonly expected: number;
  /** The processor time that the server used. */
  readonly cpu: number;
  /** The duration of the slowest response to another client. */
  readonly slowestResponse: number;
  /** The problem; undefined if the server behaved as expected. */
  readonly finding: string | undefined;
}

const BODY_LIMIT = 65_536;
/** Twice the largest body, and the state of a connection and its request. */
const BYTES_PER_CONNECTION = 2 * BODY_LIMIT + 64 * 1024;
/** For garbage that has not been collected yet. Tiny chunks produce much of it. */
const HEADROOM_BYTES = 128 * 1024 * 1024;
/** Twice the sum of `requestTimeout` and `connectionsCheckingInterval`, for a busy machine. */
const CUT_OFF_MILLISECONDS = 70_000;
const SAMPLE_INTERVAL_MILLISECONDS = 100;
const OBSERVATION_MILLISECONDS = 3_000;

const HEAD = 'Host: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n';
const ENDPOINTS = ['/o/token/', '/o/revoke_token/', '/o/introspect/', '/accounts/login/', '/nowhere/'];

const post = (path: string, framing: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\n${HEAD}${framing}\r\n\r\n${body}`;
const oneByteChunks = (count: number): string => '1\r\na\r\n'.repeat(count);
const ONE_BYTE_CHUNKS = oneByteChunks(BODY_LIMIT - 1);

/** Bodies that never end, or end incorrectly. Each is sent in one write. */
const UNFINISHED_BODIES: readonly {
  readonly name: string;
  readonly bytes: (path: string) => string;
  readonly hangsUp: boolean;
}[] = [
  {
    name: 'chunks of one byte',
    bytes: (path) => post(path, 'Transfer-Encoding: chunked', ONE_BYTE_CHUNKS),
    hangsUp: false,
  },
  {
    name: 'as many chunks of one byte as the server reads',
    bytes: (path) => post(path, 'Transfer-Encoding: chunked', oneByteChunks(MAX_SMALL_CHUNKS)),
    hangsUp: false,
  },
  {
    name: 'all but the last byte',
    bytes: (path) => post(path, `Content-Length: ${BODY_LIMIT}`, 'x'.repeat(BODY_LIMIT - 1)),
    hangsUp: false,
  },
  {
    name: 'a length and nothing else',
    bytes: (path) => post(path, `Content-Length: ${BODY_LIMIT}`, ''),
    hangsUp: false,
  },
  {
    name: 'half a body, then a disconnect',
    bytes: (path) => post(path, `Content-Length: ${BODY_LIMIT}`, 'x'.repeat(BODY_LIMIT / 2)),
    hangsUp: true,
  },
  {
    name: 'chunks of one byte, then a disconnect',
    bytes: (path) => post(path, 'Transfer-Encoding: chunked', ONE_BYTE_CHUNKS),
    hangsUp: true,
  },
  {
    name: 'a length that is too small',
    bytes: (path) => post(path, 'Content-Length: 10', 'x'.repeat(BODY_LIMIT)),
    hangsUp: false,
  },
];

/** Sends unfinished and malformed bodies to a server in its own process, and measures it while they are open. */
export async function runBodyDrill({
  dataDir,
  connections,
  progress,
}: BodyDrillOptions): Promise<readonly BodyDrillPart[]> {
  const server = await startServer(dataDir);
  const port = Number(new URL(server.origin).port);
  const expectedGrowth = (openConnections: number): number => openConnections * BYTES_PER_CONNECTION + HEADROOM_BYTES;
  try {
    const { resident: residentBefore } = await readMetrics(server.origin);
    const slowConnections = await Promise.all(
      Array.from({ length: connections }, (_, index) => sendSlowly(port, index)),
    );
    const parts: BodyDrillPart[] = [];
    for (const { name, bytes, hangsUp } of UNFINISHED_BODIES) {
      progress(name);
      const { cpu } = await readMetrics(server.origin);
      const openConnections = await Promise.all(
        Array.from({ length: connections }, (_, index) =>
          openAndSend(port, bytes(ENDPOINTS[index % ENDPOINTS.length] ?? '')),
        ),
      );
      if (hangsUp) for (const connection of openConnections) connection.destroy();
      const observation = await observe(server.origin, cpu, OBSERVATION_MILLISECONDS);
      for (const connection of openConnections) connection.destroy();
      parts.push(
        withFinding({
          name,
          sent: connections * bytes('/o/token/').length,
          before: residentBefore,
          expected: residentBefore + expectedGrowth(2 * connections),
          ...observation,
        }),
      );
    }
    progress('one byte a second, until the server disconnects');
    const { cpu } = await readMetrics(server.origin);
    const observation = await observe(
      server.origin,
      cpu,
      CUT_OFF_MILLISECONDS,
      Promise.all(slowConnections.map(({ closed }) => closed)),
    );
    const part = withFinding({
      name: 'one byte a second',
      sent: (connections * CUT_OFF_MILLISECONDS) / 1000,
      before: residentBefore,
      expected: residentBefore + expectedGrowth(connections),
      ...observation,
    });
    return [
      ...parts,
      observation.isFinished ? part : { ...part, finding: `not disconnected after ${CUT_OFF_MILLISECONDS} ms` },
    ];
  } finally {
    await server.destroy();
  }
}

function withFinding(part: Omit<BodyDrillPart, 'finding'>): BodyDrillPart {
  const { peak, expected, slowestResponse } = part;
  const finding =
    peak > expected
      ? 'the server used too much memory'
      : Number.isFinite(slowestResponse)
        ? undefined
        : 'other clients got no response';
  return { ...part, finding };
}

async function openAndSend(port: number, bytes: string): Promise<RawConnection> {
  const connection = await openRawConnection(port);
  connection.send(bytes);
  return connection;
}

async function sendSlowly(port: number, index: number): Promise<RawConnection> {
  const connection = await openAndSend(
    port,
    post(ENDPOINTS[index % ENDPOINTS.length] ?? '', `Content-Length: ${BODY_LIMIT}`, ''),
  );
  const timer = setInterval(() => connection.send('x'), 1_000);
  void connection.closed.then(() => clearInterval(timer));
  return connection;
}

const RESPONSE_TIMEOUT_MILLISECONDS = 20_000;

interface Observation {
  readonly peak: number;
  readonly cpu: number;
  /** Infinity when a request got no response. */
  readonly slowestResponse: number;
  readonly isFinished: boolean;
}

/**
 * Observes the server until `completion` resolves or the time has passed.
 * @param cpuAtStart the processor time that the server had used when the part began
 */
async function observe(
  origin: string,
  cpuAtStart: number,
  milliseconds: number,
  completion: Promise<unknown> = new Promise(() => {}),
): Promise<Observation> {
  const startedAt = performance.now();
  const observation = { peak: 0, cpu: 0, slowestResponse: 0, isFinished: false };
  const recordFinish = async (): Promise<void> => {
    await completion;
    observation.isFinished = true;
  };
  const finishRecorded = recordFinish();
  while (!observation.isFinished && performance.now() - startedAt < milliseconds) {
    const requestedAt = performance.now();
    try {
      const { resident, cpu } = await readMetrics(origin);
      observation.peak = Math.max(observation.peak, resident);
      observation.cpu = cpu - cpuAtStart;
      observation.slowestResponse = Math.max(observation.slowestResponse, performance.now() - requestedAt);
    } catch {
      observation.slowestResponse = Infinity;
    }
    await Promise.race([finishRecorded, pause(SAMPLE_INTERVAL_MILLISECONDS)]);
  }
  return observation;
}

/**
 * Reads the bytes of memory and the milliseconds of processor time that the server reports.
 * @throws Error if the server does not respond
 */
async function readMetrics(origin: string): Promise<{ readonly resident: number; readonly cpu: number }> {
  const response = await fetch(`${origin}/metrics`, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MILLISECONDS) });
  const text = await response.text();
  const metric = (name: string): number => {
    const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
    if (value === undefined) throw new Error(`the server does not report ${name}`);
    return Number(value);
  };
  return { resident: metric('process_resident_memory_bytes'), cpu: metric('process_cpu_seconds_total') * 1000 };
}
