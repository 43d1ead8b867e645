import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { isLoopbackIssuer } from '../config/addresses.ts';
import type { ServerState } from '../operations/doctor.ts';
import type { Config } from '../config/config.ts';
import { callServer } from './call-server.ts';
import { checkOpenFiles, finding, note, ok, type CheckResult } from './doctor-checks.ts';

export interface IssuerCheck {
  readonly result: CheckResult;
  /** The `Date` header of the issuer's response, in milliseconds since the epoch; null if unknown. */
  readonly date: number | null;
}

/** Checks the issuer by requesting its metadata as a client would. */
export async function checkIssuer(issuer: string | null, signal: AbortSignal): Promise<IssuerCheck> {
  if (issuer === null) return { result: finding('issuer', 'unknown while PORT is 0', 'set ISSUER'), date: null };
  const { origin, pathname } = new URL(issuer);
  const url = `${origin}/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname}`;
  const todo = 'start the server, and check that clients can reach it at ISSUER';
  try {
    const response = await fetch(url, { signal, redirect: 'error' });
    const date = Date.parse(response.headers.get('date') ?? '');
    const metadata = (await response.json()) as { readonly issuer?: unknown } | null;
    const result =
      metadata?.issuer === issuer
        ? ok('issuer', `${issuer} responds`)
        : finding('issuer', `${url} returns the metadata of a different issuer`, todo);
    return { result, date: Number.isNaN(date) ? null : date };
  } catch {
    return { result: finding('issuer', `${url} does not return the metadata`, todo), date: null };
  }
}

/** Checks that the metrics are not public: they count refusals by rule, which responses do not disclose. */
export async function checkMetrics(issuer: string | null, signal: AbortSignal): Promise<readonly CheckResult[]> {
  if (issuer === null || isLoopbackIssuer(issuer)) return [];
  const url = `${new URL(issuer).origin}/metrics`;
  try {
    const { ok: isPublic } = await fetch(url, { signal, redirect: 'error' });
    const todo =
      'block the URL in the proxy, or have the proxy send X-Forwarded-For: Prometheus should query the server directly';
    if (isPublic) return [finding('metrics', `${url} is public`, todo)];
  } catch {
    // A URL that does not respond discloses nothing. `checkIssuer` reports an issuer that does not respond.
  }
  return [ok('metrics', `${url} is not public`)];
}

/** Checks the server directly, bypassing any proxy in front of it. */
export async function checkReady(
  {
    host,
    port,
    tlsCertificateFile = null,
  }: Pick<Config, 'host' | 'port'> & Partial<Pick<Config, 'tlsCertificateFile'>>,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  if (port === 0) return []; // the port is unknown
  const localHost = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
  const url = `${tlsCertificateFile === null ? 'http' : 'https'}://${localHost}:${port}/readyz`;
  try {
    const response = await (tlsCertificateFile === null ? askOverHttp(url, signal) : askOverTls(url, signal));
    const { status, detail } = response.body as { readonly status?: unknown; readonly detail?: unknown };
    if (status === 'ready') return [ok('ready', `${url} reports ready`)];
    return [
      finding(
        'ready',
        `${url} responds with ${response.status}${typeof detail === 'string' ? `: ${detail}` : ''}`,
        "check the server's log; restart the server if it reports that nothing can be written",
      ),
    ];
  } catch {
    return [
      finding(
        'ready',
        `no response from ${url}`,
        'start the server, and check that HOST and PORT are the values that it was started with',
      ),
    ];
  }
}

/** Notes that a different server may have responded, because no server is running on the data directory. */
export function noteUnknownServer(result: CheckResult): CheckResult {
  if (!result.ok) return result;
  const says = `${result.says}, but no server is running on this data directory: a different one may have responded`;
  return note(result.check, says, 'start the server, and run doctor again');
}

interface ReadinessResponse {
  readonly status: number | undefined;
  readonly body: unknown;
}

async function askOverHttp(url: string, signal: AbortSignal): Promise<ReadinessResponse> {
  const response = await fetch(url, { signal, redirect: 'error' });
  return { status: response.status, body: await response.json() };
}

/** Does not verify the certificate, because it is for the public name, not for this address. `checkIssuer` does. */
async function askOverTls(url: string, signal: AbortSignal): Promise<ReadinessResponse> {
  const request = get(url, { signal, rejectUnauthorized: false });
  const [response] = (await once(request, 'response', { signal })) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) };
}

/** Reports the state of the running server's data. Returns no results if no server responds. */
export async function checkServerState({ dataDir }: Pick<Config, 'dataDir'>): Promise<readonly CheckResult[]> {
  for await (const item of callServer(dataDir, 'doctor', {})) return describeState(item as ServerState);
  return [];
}

function describeState(state: ServerState): readonly CheckResult[] {
  const {
    checked,
    events,
    is_over: isFinished,
    damages: damage,
    lost_keys: lostAccountKeys,
    lost_client_keys: lostClientKeys = null,
  } = state;
  const { open_files: openFiles = null, clock_behind: clockBehind = null, unsealed_secrets: unsealedSecrets } = state;
  const progress = progressText(checked, events, isFinished);
  const report = `${progress}; ${damage.join('; ')}`;
  return [
    damage.length === 0
      ? ok('stored log', progress)
      : finding('stored log', report, 'run grantlog log verify for a full report'),
    checkOpenFiles(openFiles ?? Infinity),
    clockBehind === null
      ? ok('recorded times', 'none in the future')
      : finding('recorded times', clockBehind.says, clockBehind.todo),
    lostAccountKeys === null
      ? ok('accounts', 'every account has its key')
      : finding('accounts', lostAccountKeys.says, lostAccountKeys.todo),
    lostClientKeys === null
      ? ok('clients', 'every client has its key')
      : finding('clients', lostClientKeys.says, lostClientKeys.todo),
    ...(state.administrators === undefined ? [] : [describeAdministrators(state.administrators)]),
    // `unsealedSecrets` is undefined if the server runs an earlier release.
    ...(unsealedSecrets === undefined ? [] : [describeUnsealedSecrets(unsealedSecrets)]),
  ];
}

function progressText(checkedEvents: number, events: number, isFinished: boolean): string {
  if (events === 0) return 'the log was empty when the server started';
  return isFinished
    ? `all ${events} events present at startup were verified`
    : `${checkedEvents} of ${events} events present at startup have been verified so far`;
}

/** Does not report a missing second factor as a finding, because there are other ways to protect a server. */
function describeAdministrators({
  all: total,
  without: withoutFactorCount,
}: NonNullable<ServerState['administrators']>): CheckResult {
  if (total === 0)
    return ok('administrators', 'none yet; create one with the set-up link, which the server prints when it starts');
  if (withoutFactorCount === 0) return ok('administrators', 'all have a second factor');
  return ok(
    'administrators',
    `${withoutFactorCount} of ${total} without a second factor; requireSecondFactor=roles requires them to set one up`,
  );
}

function describeUnsealedSecrets(unsealedSecrets: NonNullable<ServerState['unsealed_secrets']> | null): CheckResult {
  return unsealedSecrets === null
    ? ok('client secrets', 'every imported secret hash in the log is encrypted')
    : finding('client secrets', unsealedSecrets.says, unsealedSecrets.todo);
}

/**
 * Returns the time of the newest event that the running server has recorded, in milliseconds since the epoch. Returns
 * null if no server is running. Does not open the log, because that would create files owned by the user who runs this
 * command.
 */
export async function newestEventTime({ dataDir }: Pick<Config, 'dataDir'>): Promise<number | null> {
  for await (const item of callServer(dataDir, 'log tail', { limit: 1, follow: false })) {
    return (JSON.parse(String(item)) as { readonly record: { readonly recordedAt: number } }).record.recordedAt;
  }
  return null;
}
