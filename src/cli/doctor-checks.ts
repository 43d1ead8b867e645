import { readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isLoopbackIssuer } from '../config/addresses.ts';
import type { Config } from '../config/config.ts';
import { readNewestSize } from '../audit/proofs/issued-checkpoints.ts';
import { detectKeysUse } from '../composition/keys-use.ts';
import { maxConnectionsFor, FILES_FOR_MAX_CONNECTIONS } from '../platform/open-files.ts';
import { findDamagedLines } from '../platform/keys/keyring.ts';
import { findUnusableKeys } from '../platform/keys/keys.ts';
import { CLIENT_KEYS } from '../platform/keys/client-keys.ts';
import { PERSONAL_KEYS } from '../platform/keys/personal-keys.ts';

/** What was looked at, and where something is wrong, what to do. */
export interface CheckResult {
  readonly check: string;
  readonly ok: boolean;
  readonly says: string;
  /** Null where nothing is wrong. */
  readonly todo: string | null;
}

export const ok = (check: string, says: string): CheckResult => ({ check, ok: true, says, todo: null });
export const finding = (check: string, says: string, todo: string): CheckResult => ({ check, ok: false, says, todo });

/** Enough to archive old events before requests are refused. */
const LOW_DISK_BYTES = 1_073_741_824;
const MEBIBYTE = 1_048_576;
const DAY_SECONDS = 86_400;
const OTHERS_MODE_BITS = 0o077;
const MAX_REPLAY_EVENTS = 5_000_000;

export function checkNode(version: string): CheckResult {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const runs = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major >= 24;
  return runs
    ? ok('node', `Node ${version}`)
    : finding('node', `Node ${version}`, 'install Node 20.19, 22.12, 24 or newer');
}

/** Settings that are allowed, and that somebody should have wanted. */
export function checkSettings(config: Config): readonly CheckResult[] {
  const weak: readonly (readonly [boolean, string, string])[] = [
    [config.requirePkce === 'none', 'requirePkce is none', 'public clients need PKCE: set it to public or all'],
    [
      config.pkceMethods.includes('plain'),
      'pkceMethods has plain',
      'leave S256 alone: plain shows the verifier to whoever sees the request',
    ],
    [
      config.plainHttpRedirectUris,
      'plainHttpRedirectUris is on',
      'codes travel in the clear: let redirect URIs be https',
    ],
    [
      config.accessTokenLifetimeSeconds > DAY_SECONDS,
      'accessTokenLifetimeSeconds is more than a day',
      'a stolen token is good for as long: let clients refresh',
    ],
    [
      config.admin !== null,
      "the first administrator's password is among the settings",
      'take it out once the administrator is there',
    ],
    [
      config.trustedProxies === 0 && config.issuer?.startsWith('https:') === true,
      'trustedProxies is 0, and the issuer is https',
      'say how many proxies stand in front, or everybody shares the limits of one address',
    ],
  ];
  const found = weak.filter(([isWeak]) => isWeak).map(([, says, todo]) => finding('settings', says, todo));
  return found.length > 0 ? found : [ok('settings', 'none is weak')];
}

/** Cookies are `Secure` and bound to their host where the issuer is https, and nowhere else. */
export function checkCookies({ issuer }: Config): CheckResult {
  if (issuer?.startsWith('https:') === true) return ok('cookies', 'over https alone');
  const isLocal = issuer === null || isLoopbackIssuer(issuer);
  return isLocal
    ? ok('cookies', 'in the clear, on this machine')
    : finding(
        'cookies',
        `${issuer} is not https`,
        'put TLS in front and set ISSUER to its address: tokens, passwords and cookies travel in the clear',
      );
}

/** The data directory as it lies there: nothing is opened, so a server may run on it. */
export function checkDirectory({ dataDir, minFreeDiskBytes }: Config): readonly CheckResult[] {
  const of = fileMode(dataDir);
  if (of === undefined)
    return [
      finding('data', `there is no data directory ${dataDir}`, 'set DATA_DIR to the one of the server, or start it'),
    ];
  if (!statSync(dataDir).isDirectory())
    return [finding('data', `${dataDir} is a file, not a directory`, 'set DATA_DIR to the one of the server')];
  const filesIn = (part: string): readonly string[] =>
    listDirectory(join(dataDir, part)).map((name) => join(part, name));
  const parts = ['', 'keys', ...filesIn('keys'), 'log', ...filesIn('log'), 'log.head', 'snapshots', 'control.sock'];
  const secret = parts.map((name) => join(dataDir, name));
  const open = secret.filter((path) => ((fileMode(path) ?? 0) & OTHERS_MODE_BITS) !== 0);
  const { bavail, bsize } = statfsSync(dataDir);
  return [
    open.length === 0
      ? ok('modes', `${dataDir} is its owner's alone`)
      : finding('modes', `others may get at ${listPaths(open)}`, `chmod -R go= ${dataDir}`),
    checkDisk(bavail * bsize, minFreeDiskBytes),
    ...checkLog(dataDir),
    checkKeys(dataDir),
  ];
}

/** @param free bytes on the disk of the data directory */
export function checkDisk(free: number, minFreeDiskBytes: number): CheckResult {
  if (free >= LOW_DISK_BYTES) return ok('disk', `${Math.floor(free / LOW_DISK_BYTES)} GiB are free`);
  const says = `${Math.floor(free / MEBIBYTE)} MiB are free`;
  const todo = 'make room, or compress old events with grantlog log archive';
  if (free >= minFreeDiskBytes) {
    return finding(
      'disk',
      says,
      `${todo}: below ${formatMebibytes(minFreeDiskBytes)} requests that record something are refused`,
    );
  }
  return finding('disk', `${says}, less than minFreeDiskBytes: requests that record something are refused`, todo);
}

function formatMebibytes(bytes: number): string {
  return `${Math.ceil(bytes / MEBIBYTE)} MiB`;
}

/** @param limit of open files that the running server has */
export function checkOpenFiles(limit: number): CheckResult {
  if (limit >= FILES_FOR_MAX_CONNECTIONS) return ok('open files', 'as many as the server can use');
  return finding(
    'open files',
    `the server may open ${limit}, so it takes ${maxConnectionsFor(limit)} connections at once`,
    `raise the limit to ${FILES_FOR_MAX_CONNECTIONS}: LimitNOFILE in systemd, --ulimit nofile in Docker, ulimit -n`,
  );
}

const MAX_LISTED = 10;

function listPaths(paths: readonly string[]): string {
  const more = paths.length > MAX_LISTED ? ` and ${paths.length - MAX_LISTED} more` : '';
  return `${paths.slice(0, MAX_LISTED).join(', ')}${more}`;
}

function checkKeys(dataDir: string): CheckResult {
  const directory = join(dataDir, 'keys');
  const hasEvents = listDirectory(join(dataDir, 'log')).length > 0; // as far as can be told without opening it
  const files = findUnusableKeys(directory, detectKeysUse(dataDir, hasEvents));
  const lines = [PERSONAL_KEYS.file, CLIENT_KEYS.file].flatMap((file) =>
    findDamagedLines(join(directory, file)).map((line) => `line ${line} of ${file}`),
  );
  const fileNames = (which: 'damaged' | 'missing'): readonly string[] =>
    files.filter(({ problem }) => problem === which).map(({ name }) => `${name}.key`);
  const [damaged, missing] = [[...fileNames('damaged'), ...lines], fileNames('missing')];
  if (damaged.length + missing.length === 0) return ok('keys', 'none is damaged or missing');
  const says = [
    ...(damaged.length > 0 ? [`damaged in ${directory}: ${listPaths(damaged)}`] : []),
    ...(missing.length > 0 ? [`missing in ${directory}: ${listPaths(missing)}`] : []),
  ];
  return finding(
    'keys',
    says.join('; '),
    'a running server may still have them in memory: take a backup of it (grantlog backup FILE). Stop the server, ' +
      'restore a backup into another directory (grantlog restore FILE DIR), and copy the file or the lines from ' +
      'DIR/keys; if no backup has a key file, see grantlog log repair --help',
  );
}

function checkLog(dataDir: string): readonly CheckResult[] {
  if (listDirectory(join(dataDir, 'log')).length === 0)
    return [finding('log', `${dataDir} has no log`, 'start the server, or restore a backup')];
  const newest = (part: string): number =>
    Math.max(
      0,
      ...listDirectory(join(dataDir, part))
        .map((name) => Number.parseInt(name, 10))
        .filter(Number.isFinite),
    );
  const [checkpoint, snapshot] = [readNewestSize(join(dataDir, 'checkpoints')), newest('snapshots')];
  return [
    checkpoint > 0
      ? ok('checkpoints', `the newest vouches for ${checkpoint} events`)
      : finding(
          'checkpoints',
          'none was ever signed',
          'run grantlog log checkpoint, and keep what it prints elsewhere',
        ),
    checkpoint - snapshot < MAX_REPLAY_EVENTS
      ? ok('snapshots', snapshot === 0 ? 'none yet' : `the newest is of position ${snapshot}`)
      : finding(
          'snapshots',
          `the newest is ${checkpoint - snapshot} events old`,
          "the server's log says why none can be written",
        ),
  ];
}

/** Clocks of one network agree better than this; a `Date` header says whole seconds. */
const MAX_DRIFT_MILLISECONDS = 5_000;

/**
 * This machine's time against what others say it is, all in milliseconds since the epoch.
 * @param issuerDate of the issuer's answer; null where there was none
 * @param newestEvent when the newest event was recorded; null where nobody could be asked
 */
export function checkClock(now: number, issuerDate: number | null, newestEvent: number | null): CheckResult {
  const todo = 'let NTP set the clock: tokens live as long as clocks agree, and the log says when things happened';
  if (newestEvent !== null && newestEvent > now + MAX_DRIFT_MILLISECONDS) {
    return finding(
      'clock',
      `the newest event was recorded ${formatSeconds(newestEvent - now)} from now: the clock went back`,
      todo,
    );
  }
  if (issuerDate !== null && Math.abs(issuerDate - now) > MAX_DRIFT_MILLISECONDS) {
    return finding(
      'clock',
      `this machine is ${formatSeconds(Math.abs(issuerDate - now))} ${issuerDate > now ? 'behind' : 'ahead of'} what answers for the issuer`,
      todo,
    );
  }
  if (issuerDate === null && newestEvent === null) return ok('clock', 'nobody to compare with');
  return ok(
    'clock',
    `agrees with ${[...(issuerDate === null ? [] : ['the issuer']), ...(newestEvent === null ? [] : ['the newest event'])].join(' and ')}`,
  );
}

function formatSeconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} seconds`;
}

function fileMode(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mode;
}

function listDirectory(directory: string): readonly string[] {
  return fileMode(directory) === undefined ? [] : readdirSync(directory);
}
