import { isLoopbackIssuer } from '../config/addresses.ts';
import type { ServerState } from '../operations/doctor.ts';
import type { Config } from '../config/config.ts';
import { openControl } from '../operations/control/client.ts';
import { checkOpenFiles, finding, ok, type CheckResult } from './doctor-checks.ts';
import { controlSocketPath } from './operation-target.ts';

/** What came of asking the issuer, and the time it gave with its answer in milliseconds since the epoch; null where it gave none. */
export interface IssuerCheck {
  readonly result: CheckResult;
  readonly date: number | null;
}

/** Asks as a client would, from here. */
export async function checkIssuer(issuer: string | null, signal: AbortSignal): Promise<IssuerCheck> {
  if (issuer === null)
    return { result: finding('issuer', 'it is not known while PORT is 0', 'set ISSUER'), date: null };
  const { origin, pathname } = new URL(issuer);
  const address = `${origin}/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname}`;
  const todo = 'start the server, and see that ISSUER is the address at which clients reach it';
  try {
    const answer = await fetch(address, { signal, redirect: 'error' });
    const date = Date.parse(answer.headers.get('date') ?? '');
    const metadata = (await answer.json()) as { readonly issuer?: unknown } | null;
    const checked =
      metadata?.issuer === issuer
        ? ok('issuer', `${issuer} answers`)
        : finding('issuer', `${address} is of another issuer`, todo);
    return { result: checked, date: Number.isNaN(date) ? null : date };
  } catch {
    return { result: finding('issuer', `${address} does not answer with its metadata`, todo), date: null };
  }
}

/** Whether strangers can read the metrics, which count refusals by rule and so tell more than answers do. */
export async function checkMetrics(issuer: string | null, signal: AbortSignal): Promise<readonly CheckResult[]> {
  if (issuer === null || isLoopbackIssuer(issuer)) return [];
  const address = `${new URL(issuer).origin}/metrics`;
  try {
    const { ok: isShown } = await fetch(address, { signal, redirect: 'error' });
    const todo = 'have the proxy answer 404 there, or send X-Forwarded-For: Prometheus asks the server itself';
    if (isShown) return [finding('metrics', `${address} is public`, todo)];
  } catch {
    // An address that does not answer discloses nothing; `askIssuer` reports an issuer that does not answer.
  }
  return [ok('metrics', `${address} shows nothing`)];
}

/** Asks the server itself, whatever stands in front of it. */
export async function checkReady(
  { host, port }: Pick<Config, 'host' | 'port'>,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  if (port === 0) return []; // nobody but the server's own log knows where it listens
  const local = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
  const address = `http://${local}:${port}/readyz`;
  try {
    const answer = await fetch(address, { signal, redirect: 'error' });
    const { status, detail } = (await answer.json()) as { readonly status?: unknown; readonly detail?: unknown };
    if (status === 'ready') return [ok('ready', `${address} says so`)];
    return [
      finding(
        'ready',
        `${address} answers ${answer.status}${typeof detail === 'string' ? `: ${detail}` : ''}`,
        "see the server's log; start it anew when it says that nothing can be written",
      ),
    ];
  } catch {
    return [
      finding(
        'ready',
        `nobody answers at ${address}`,
        'start the server, and see that HOST and PORT are those that it was started with',
      ),
    ];
  }
}

/** Asks the running server for the findings of its check of the stored log, and for accounts without a key. */
export async function checkServerState({ dataDir }: Pick<Config, 'dataDir'>): Promise<readonly CheckResult[]> {
  for await (const item of callServer(dataDir, 'doctor', {})) return describeState(item as ServerState);
  return [];
}

function describeState(state: ServerState): readonly CheckResult[] {
  const {
    checked,
    events,
    is_over: isOver,
    damages,
    lost_keys: ofAccounts,
    lost_client_keys: ofClients = null,
  } = state;
  const { open_files: openFiles = null, clock_behind: clockBehind = null, unsealed_secrets: unsealed } = state;
  const progress = isOver
    ? `all ${events} events of the start were read back`
    : `${checked} of ${events} events of the start were read back so far`;
  const found = `${progress}; ${damages.join('; ')}`;
  return [
    damages.length === 0
      ? ok('stored log', progress)
      : finding('stored log', found, 'run grantlog log verify, which lists every damage'),
    checkOpenFiles(openFiles ?? Infinity),
    clockBehind === null
      ? ok('recorded times', 'none is ahead of the clock')
      : finding('recorded times', clockBehind.says, clockBehind.todo),
    ofAccounts === null
      ? ok('accounts', 'every account has its key')
      : finding('accounts', ofAccounts.says, ofAccounts.todo),
    ofClients === null
      ? ok('clients', 'every client has the key that it needs')
      : finding('clients', ofClients.says, ofClients.todo),
    ...(unsealed === undefined ? [] : [describeUnsealed(unsealed)]), // undefined: a server of an earlier release
  ];
}

function describeUnsealed(unsealed: NonNullable<ServerState['unsealed_secrets']> | null): CheckResult {
  return unsealed === null
    ? ok('client secrets', 'the log has every hash of a valid secret from elsewhere under a seal')
    : finding('client secrets', unsealed.says, unsealed.todo);
}

/** The answers of the running server; none when no server runs, or one that does not know the operation. */
async function* callServer(dataDir: string, operation: string, input: object): AsyncGenerator<unknown, void, void> {
  try {
    const channel = await openControl(controlSocketPath(dataDir));
    if (channel !== null) yield* channel.call(operation, input);
  } catch {
    // `checkReady` reports a server that does not answer
  }
}

/**
 * When the running server recorded its newest event, in milliseconds since the epoch. A log that nobody has open is left alone:
 * opening it would write files, and they would be whose who asks.
 */
export async function newestEventTime({ dataDir }: Pick<Config, 'dataDir'>): Promise<number | null> {
  for await (const item of callServer(dataDir, 'log tail', { limit: 1, follow: false })) {
    return (JSON.parse(String(item)) as { readonly record: { readonly recordedAt: number } }).record.recordedAt;
  }
  return null;
}
