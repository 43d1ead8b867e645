import { setTimeout as pause } from 'node:timers/promises';
import { MAX_SMALL_CHUNKS } from '../../src/http/pipeline/read-body.ts';
import { rawConnection, type RawConnection } from './raw-connection.ts';
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
  /** Resident memory before and at its peak. */
  readonly before: number;
  readonly peak: number;
  readonly expected: number;
  /** Processor time of the server. */
  readonly cpu: number;
  /** The slowest answer to another client. */
  readonly slowestAnswer: number;
  /** Undefined when the server did as expected. */
  readonly finding: string | undefined;
}

const BODY_LIMIT = 65_536;
/** Twice the largest body, and the state of a connection and its request. */
const BYTES_A_CONNECTION = 2 * BODY_LIMIT + 64 * 1024;
/** Garbage that has not been collected yet. Tiny chunks make a lot of it. */
const HEADROOM_BYTES = 128 * 1024 * 1024;
/** Twice the sum of `requestTimeout` and `connectionsCheckingInterval`, for a busy machine. */
const CUT_OFF_MILLISECONDS = 70_000;
const LOOK_EVERY_MILLISECONDS = 100;
const LOOK_FOR_MILLISECONDS = 3_000;

const HEAD = 'Host: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n';
const ENDPOINTS = ['/o/token/', '/o/revoke_token/', '/o/introspect/', '/accounts/login/', '/nowhere/'];

const post = (path: string, framing: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\n${HEAD}${framing}\r\n\r\n${body}`;
const piecesOfOneByte = (count: number): string => '1\r\na\r\n'.repeat(count);
const PIECES = piecesOfOneByte(BODY_LIMIT - 1);

/** Bodies that are sent at once and never end, or end wrongly. */
const AT_ONCE: readonly {
  readonly name: string;
  readonly bytes: (path: string) => string;
  readonly hangsUp: boolean;
}[] = [
  { name: 'chunks of one byte', bytes: (path) => post(path, 'Transfer-Encoding: chunked', PIECES), hangsUp: false },
  {
    name: 'as many of them as are read',
    bytes: (path) => post(path, 'Transfer-Encoding: chunked', piecesOfOneByte(MAX_SMALL_CHUNKS)),
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
    name: 'half a body, then hung up',
    bytes: (path) => post(path, `Content-Length: ${BODY_LIMIT}`, 'x'.repeat(BODY_LIMIT / 2)),
    hangsUp: true,
  },
  {
    name: 'chunks of one byte, then hung up',
    bytes: (path) => post(path, 'Transfer-Encoding: chunked', PIECES),
    hangsUp: true,
  },
  {
    name: 'a length that is too small',
    bytes: (path) => post(path, 'Content-Length: 10', 'x'.repeat(BODY_LIMIT)),
    hangsUp: false,
  },
];

/** Sends unfinished and malformed bodies to a server in its own process, and measures it while they are open. */
export async function bodyDrill({
  dataDir,
  connections,
  progress,
}: BodyDrillOptions): Promise<readonly BodyDrillPart[]> {
  const server = await startServer(dataDir);
  const port = Number(new URL(server.origin).port);
  const expectedBeside = (open: number): number => open * BYTES_A_CONNECTION + HEADROOM_BYTES;
  try {
    const { resident: before } = await figures(server.origin);
    const slow = await Promise.all(Array.from({ length: connections }, (_, index) => dripping(port, index)));
    const parts: BodyDrillPart[] = [];
    for (const { name, bytes, hangsUp } of AT_ONCE) {
      progress(name);
      const { cpu } = await figures(server.origin);
      const open = await Promise.all(
        Array.from({ length: connections }, (_, index) =>
          sending(port, bytes(ENDPOINTS[index % ENDPOINTS.length] ?? '')),
        ),
      );
      if (hangsUp) for (const connection of open) connection.destroy();
      const seen = await look(server.origin, cpu, LOOK_FOR_MILLISECONDS);
      for (const connection of open) connection.destroy();
      parts.push(
        judged({
          name,
          sent: connections * bytes('/o/token/').length,
          before,
          expected: before + expectedBeside(2 * connections),
          ...seen,
        }),
      );
    }
    progress('one byte a second, until it is cut off');
    const { cpu } = await figures(server.origin);
    const seen = await look(server.origin, cpu, CUT_OFF_MILLISECONDS, Promise.all(slow.map(({ closed }) => closed)));
    const part = judged({
      name: 'one byte a second',
      sent: (connections * CUT_OFF_MILLISECONDS) / 1000,
      before,
      expected: before + expectedBeside(connections),
      ...seen,
    });
    return [...parts, seen.isOver ? part : { ...part, finding: `not cut off after ${CUT_OFF_MILLISECONDS} ms` }];
  } finally {
    await server.destroy();
  }
}

function judged(part: Omit<BodyDrillPart, 'finding'>): BodyDrillPart {
  const { peak, expected, slowestAnswer } = part;
  const finding =
    peak > expected ? 'too much memory' : Number.isFinite(slowestAnswer) ? undefined : 'others got no answer';
  return { ...part, finding };
}

async function sending(port: number, bytes: string): Promise<RawConnection> {
  const connection = await rawConnection(port);
  connection.send(bytes);
  return connection;
}

async function dripping(port: number, index: number): Promise<RawConnection> {
  const connection = await sending(
    port,
    post(ENDPOINTS[index % ENDPOINTS.length] ?? '', `Content-Length: ${BODY_LIMIT}`, ''),
  );
  const drip = setInterval(() => connection.send('x'), 1_000);
  void connection.closed.then(() => clearInterval(drip));
  return connection;
}

const ANSWER_MILLISECONDS = 20_000;

interface Seen {
  readonly peak: number;
  readonly cpu: number;
  /** Infinity when a request got no answer. */
  readonly slowestAnswer: number;
  readonly isOver: boolean;
}

/**
 * Observes the server until `over` resolves or the time has passed.
 * @param cpuBefore what the server had used when the part began
 */
async function look(
  origin: string,
  cpuBefore: number,
  milliseconds: number,
  over: Promise<unknown> = new Promise(() => {}),
): Promise<Seen> {
  const began = performance.now();
  const seen = { peak: 0, cpu: 0, slowestAnswer: 0, isOver: false };
  const note = async (): Promise<void> => {
    await over;
    seen.isOver = true;
  };
  const noted = note();
  while (!seen.isOver && performance.now() - began < milliseconds) {
    const asked = performance.now();
    try {
      const { resident, cpu } = await figures(origin);
      seen.peak = Math.max(seen.peak, resident);
      seen.cpu = cpu - cpuBefore;
      seen.slowestAnswer = Math.max(seen.slowestAnswer, performance.now() - asked);
    } catch {
      seen.slowestAnswer = Infinity;
    }
    await Promise.race([noted, pause(LOOK_EVERY_MILLISECONDS)]);
  }
  return seen;
}

/** Bytes of memory and milliseconds of CPU, as the server reports them. @throws Error the server does not answer */
async function figures(origin: string): Promise<{ readonly resident: number; readonly cpu: number }> {
  const answer = await fetch(`${origin}/metrics`, { signal: AbortSignal.timeout(ANSWER_MILLISECONDS) });
  const text = await answer.text();
  const figure = (name: string): number => {
    const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
    if (found === undefined) throw new Error(`the server does not report ${name}`);
    return Number(found);
  };
  return { resident: figure('process_resident_memory_bytes'), cpu: figure('process_cpu_seconds_total') * 1000 };
}
