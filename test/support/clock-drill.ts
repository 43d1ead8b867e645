import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callControl } from '../../src/operations/control/client.ts';
import { controlSocketPath } from '../../src/cli/operation-target.ts';
import { grantlogStatus, registerDrillClient, SERVE_COMMAND, type DrillClient } from './drill-client.ts';
import { startServer, type ServerProcess } from './server-process.ts';

const DAY = 86_400;
const YEAR = 365 * DAY;

export interface ClockDrill {
  /** An empty directory. */
  readonly directory: string;
  readonly progress: (line: string) => void;
}

/**
 * Sets the wall clock of a running server back by a day, ahead by a year, and back again. Issues tokens at each time,
 * and checks which of them are active.
 * @throws Error that describes the first expectation that was not met
 */
export async function runClockDrill({ directory, progress }: ClockDrill): Promise<void> {
  const dataDir = join(directory, 'data');
  const setClock = createClockSetter(join(directory, 'offset'));
  setClock(0);
  let server = await start(directory, dataDir);
  try {
    const client = await registerDrillClient(dataDir);
    const earlierToken = await issue(server, client);

    setClock(-DAY);
    const tokenBehind = await issue(server, client);
    await expectActive(server, client, 'a token issued a day behind, at that time', tokenBehind, true);
    setClock(0);
    await expectActive(server, client, 'a token issued a day behind, when the clock is right', tokenBehind, false);
    await expectActive(server, client, 'a token issued before', earlierToken, true);
    progress('a day behind: a token issued then expires by the clock of that time');

    setClock(YEAR);
    await expectActive(server, client, 'a token issued before, a year later', earlierToken, false);
    const tokenAhead = await issue(server, client);
    await expectActive(server, client, 'a token issued a year ahead, at that time', tokenAhead, true);
    setClock(0);
    await expectActive(server, client, 'a token issued a year ahead, when the clock is right', tokenAhead, false);
    await expectActive(server, client, 'a token that expired while the clock was ahead', earlierToken, false);
    const laterToken = await issue(server, client);
    await expectActive(server, client, 'a token issued afterwards', laterToken, true);
    progress('a year ahead: a token issued then is refused when the clock is right');

    await stop(server);
    server = await start(directory, dataDir);
    if (!/the log has events recorded at 2\d{3}-.*the clock says/.test(server.output())) {
      throw new Error(`the server did not report at startup that the log is ahead of the clock: ${server.output()}`);
    }
    await expectActive(server, client, 'a token issued a year ahead, after a restart', tokenAhead, false);
    await confirmClock(dataDir);
    setClock(YEAR);
    await expectActive(server, client, 'a token that the operator revoked, when its time has come', tokenAhead, false);
    setClock(0);
    await expectActive(server, client, 'a token issued at the right time', laterToken, true);
    progress('confirmed by the operator: tokens issued ahead stay revoked');

    await stop(server);
    for (const command of ['verify', 'replay']) {
      if ((await grantlogStatus(dataDir, ['log', command])) !== 0) throw new Error(`log ${command} has findings`);
    }
    progress('the log verifies, and a replay reaches the same state');
  } finally {
    await server.destroy();
  }
}

/** Returns a function that sets the offset of the server's clock, in seconds. */
function createClockSetter(path: string): (seconds: number) => void {
  return (seconds) => {
    writeFileSync(`${path}.new`, String(seconds));
    renameSync(`${path}.new`, path); // so that the server never reads a partial file
  };
}

function start(directory: string, dataDir: string): Promise<ServerProcess> {
  const [node, ...args] = SERVE_COMMAND;
  const command = [node, '--import', './test/support/shifted-clock.mjs', ...args] as const;
  return startServer(dataDir, { command, env: { CLOCK_OFFSET_FILE: join(directory, 'offset') } });
}

async function stop(server: ServerProcess): Promise<void> {
  server.kill('SIGTERM');
  const status = await server.exitStatus;
  if (status !== 0) throw new Error(`the server ended with ${status} instead of 0: ${server.output()}`);
}

async function issue(server: ServerProcess, client: DrillClient): Promise<string> {
  const { status, token } = await client.requestToken(server.origin);
  if (token === undefined) throw new Error(`a token request got status ${status}: ${server.output()}`);
  return token;
}

async function expectActive(
  { origin }: ServerProcess,
  client: DrillClient,
  description: string,
  token: string,
  expected: boolean,
): Promise<void> {
  const isActive = await client.isActive(origin, token);
  if (isActive !== expected)
    throw new Error(`${description} should ${expected ? '' : 'not '}be active, but active is ${isActive}`);
}

async function confirmClock(dataDir: string): Promise<void> {
  for await (const result of callControl(controlSocketPath(dataDir), 'clock confirm', { yes: true })) {
    if (typeof (result as { position?: unknown }).position === 'number') return;
  }
  throw new Error('clock confirm recorded nothing');
}
