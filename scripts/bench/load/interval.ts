import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { quantile } from '../statistics.ts';
import { openConnection, type Connection } from './connection.ts';
import type { LoadJob, LoadReport } from './protocol.ts';

// Some servers put a space before the value.
const ACCESS_TOKEN = /"access_token": ?"([^"]+)"/;
const REFRESH_TOKEN = /"refresh_token": ?"([^"]+)"/;

/** An incorrect response, or a failed connection. */
export class InvalidResponseError extends Error {
  override readonly name = 'InvalidResponseError';
}

/**
 * Sends requests on each connection, one at a time, until the time is up or all values have been sent. Then waits for
 * the last responses.
 * @throws InvalidResponseError if a response was incorrect, or a connection failed
 */
export async function runInterval({
  port,
  connections,
  seconds,
  rate,
  request,
  receipts,
}: LoadJob): Promise<LoadReport> {
  const { prefix, suffix, values, expects, returnsToken } = request;
  const list = values.use === 'none' ? [] : values.list;
  const chains = values.use === 'chain' ? list.slice(0, connections) : [];
  const valuelessRequest = prefix + suffix;
  const sentAt = new Float64Array(connections);
  const latencies: number[] = [];
  const tokens: string[] = [];
  const openConnections: Connection[] = [];
  let nextIndex = 0;
  let responses = 0;
  let responsesInTime = 0;
  let inFlight = 0;
  const idle: number[] = [];
  let dueAt = 0;
  let deadline = Number.POSITIVE_INFINITY;
  let lastResponseAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let finish: () => void;
  let fail: (error: Error) => void;
  const completion = new Promise<void>((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });

  function nextRequest(index: number): string | undefined {
    if (values.use === 'none') return valuelessRequest;
    if (values.use === 'chain') return prefix + chains[index] + suffix;
    const value = list[nextIndex];
    nextIndex += 1;
    return value === undefined ? undefined : prefix + value + suffix;
  }

  function send(index: number, now: number): void {
    if (rate !== undefined && now < deadline && dueAt > now) return void idle.push(index);
    const text = now < deadline ? nextRequest(index) : undefined;
    if (text === undefined) {
      if (inFlight === 0) finish();
      return;
    }
    sentAt[index] = rate === undefined ? now : dueAt;
    dueAt += 1000 / (rate ?? Number.POSITIVE_INFINITY);
    inFlight += 1;
    openConnections[index]?.send(text);
  }

  /** Sends a request on each idle connection that has one due. */
  function sendDue(): void {
    const now = performance.now();
    // `send` queues the connection again if no request is due
    for (let count = idle.length; count > 0; count -= 1) send(idle.shift() ?? 0, now);
  }

  function onResponse(index: number, status: number, body: string): void {
    const now = performance.now();
    inFlight -= 1;
    if (status !== 200 || !body.includes(expects)) throw new InvalidResponseError(`${status} ${body}`);
    responses += 1;
    if (now <= deadline) {
      responsesInTime += 1;
      lastResponseAt = now;
      latencies.push(now - (sentAt[index] ?? now));
    }
    if (returnsToken) tokens.push(extract(ACCESS_TOKEN, body));
    if (values.use === 'chain') chains[index] = extract(REFRESH_TOKEN, body);
    send(index, now);
  }

  try {
    for (let index = 0; index < connections; index += 1) {
      openConnections.push(
        await openConnection(port, {
          onResponse(status, body) {
            try {
              onResponse(index, status, body);
            } catch (error) {
              fail(error as Error);
            }
          },
          onFailure: (reason) => fail(new InvalidResponseError(reason)),
        }),
      );
    }
    const cpuBefore = process.cpuUsage();
    const startedAt = performance.now();
    deadline = startedAt + seconds * 1000;
    dueAt = startedAt;
    timer = rate === undefined ? undefined : setInterval(sendDue, 1);
    for (let index = 0; index < connections; index += 1) send(index, startedAt);
    await completion;
    const elapsedMs = performance.now() - startedAt;
    const { user, system } = process.cpuUsage(cpuBefore);
    requireDistinct(tokens);
    if (receipts !== undefined)
      appendFileSync(receipts, Buffer.concat(tokens.map((token) => createHash('sha256').update(token).digest())));
    const sorted = Float64Array.from(latencies).toSorted();
    return {
      rate:
        responsesInTime /
        ((values.use === 'each' && nextIndex > list.length ? lastResponseAt - startedAt : seconds * 1000) / 1000),
      responses,
      tokens: tokens.length,
      cpuShare: (user + system) / 1000 / elapsedMs,
      chains,
      p50: quantile(sorted, 0.5),
      p99: quantile(sorted, 0.99),
      longest: sorted.at(-1) ?? Number.NaN,
    };
  } finally {
    clearInterval(timer);
    for (const connection of openConnections) connection.close();
  }
}

function extract(member: RegExp, body: string): string {
  const value = member.exec(body)?.[1];
  if (value === undefined) throw new InvalidResponseError(`no ${member.source} in ${body}`);
  return value;
}

function requireDistinct(tokens: readonly string[]): void {
  if (new Set(tokens).size !== tokens.length)
    throw new InvalidResponseError(
      `${tokens.length - new Set(tokens).size} of ${tokens.length} responses repeated a token`,
    );
}
