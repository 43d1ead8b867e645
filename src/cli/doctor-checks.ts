import { isLoopbackIssuer } from '../config/addresses.ts';
import type { Config } from '../config/config.ts';
import { maxConnectionsFor, FILES_FOR_MAX_CONNECTIONS } from '../platform/open-files.ts';

/** The result of a check, with advice if there is a problem. */
export interface CheckResult {
  readonly check: string;
  readonly ok: boolean;
  readonly says: string;
  /** Null if there is nothing to do. A successful check can also have advice. */
  readonly todo: string | null;
}

export const ok = (check: string, says: string): CheckResult => ({ check, ok: true, says, todo: null });
export const note = (check: string, says: string, todo: string): CheckResult => ({ check, ok: true, says, todo });

/** Returns the result of a check that was skipped because it needs a running server. */
export const notChecked = (check: string): CheckResult =>
  note(check, 'not checked: no server is running on this data directory', 'start the server, and run doctor again');

export const finding = (check: string, says: string, todo: string): CheckResult => ({ check, ok: false, says, todo });

const GIBIBYTE = 1_073_741_824;
const MEBIBYTE = 1_048_576;
/** Leaves enough time to archive old events before requests are refused. */
const LOW_DISK_BYTES = GIBIBYTE;
const DAY_SECONDS = 86_400;
const MAX_REPLAY_EVENTS = 5_000_000;

export function checkNode(version: string): CheckResult {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isSupported = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major >= 24;
  return isSupported
    ? ok('node', `Node ${version}`)
    : finding('node', `Node ${version}`, 'install Node 24 or newer, or the latest release of Node 20 or 22');
}

/** Reports settings that are allowed but weaken security. */
export function checkSettings(config: Config): readonly CheckResult[] {
  const weaknesses: readonly (readonly [boolean, string, string])[] = [
    [config.requirePkce === 'none', 'requirePkce is none', 'set it to public or all: public clients need PKCE'],
    [
      config.pkceMethods.includes('plain'),
      'pkceMethods includes plain',
      'allow S256 only: with plain, anyone who sees the request knows the verifier',
    ],
    [
      config.plainHttpRedirectUris,
      'plainHttpRedirectUris is on',
      'require https: authorization codes are sent unencrypted',
    ],
    [
      config.accessTokenLifetimeSeconds > DAY_SECONDS,
      'accessTokenLifetimeSeconds is more than a day',
      'shorten it: a stolen token stays valid for that long, and clients can refresh',
    ],
    [
      config.admin !== null,
      "the first administrator's password is in the settings",
      'remove it once the administrator exists',
    ],
    [
      config.trustedProxies === 0 && config.tlsCertificateFile === null && config.issuer?.startsWith('https:') === true,
      'trustedProxies is 0, but the issuer uses https',
      'set it to the number of proxies in front of the server: until then, all clients share the rate limits of one ' +
        'address',
    ],
  ];
  const findings = weaknesses.filter(([isWeak]) => isWeak).map(([, says, todo]) => finding('settings', says, todo));
  return findings.length > 0 ? findings : [ok('settings', 'no weak settings')];
}

/** Checks that the issuer is an https URL, because only then are cookies `Secure` and bound to their host. */
export function checkCookies({ issuer }: Config): CheckResult {
  if (issuer?.startsWith('https:') === true) return ok('cookies', 'sent over https only');
  const isLocal = issuer === null || isLoopbackIssuer(issuer);
  return isLocal
    ? ok('cookies', 'sent unencrypted, but only within this machine')
    : finding(
        'cookies',
        `the issuer ${issuer} does not use https`,
        'put a TLS proxy in front of the server and set ISSUER to its URL, or set tlsCertificateFile: tokens, ' +
          'passwords and cookies are sent unencrypted',
      );
}

/**
 * Checks whether the free space on the disk is low.
 * @param free bytes available on the disk of the data directory
 */
export function checkDisk(free: number, minFreeDiskBytes: number, { hasArchive = true } = {}): CheckResult {
  if (free >= Math.max(LOW_DISK_BYTES, minFreeDiskBytes)) return ok('disk', `${Math.floor(free / GIBIBYTE)} GiB free`);
  const says = `${Math.floor(free / MEBIBYTE)} MiB free`;
  const todo = `free up disk space${hasArchive ? ', or compress old events with grantlog log archive' : ''}`;
  if (free >= minFreeDiskBytes) {
    return finding(
      'disk',
      says,
      `${todo}: below ${formatMebibytes(minFreeDiskBytes)}, requests that record events are refused`,
    );
  }
  return finding('disk', `${says}, less than minFreeDiskBytes: requests that record events are refused`, todo);
}

function formatMebibytes(bytes: number): string {
  return `${Math.ceil(bytes / MEBIBYTE)} MiB`;
}

/**
 * Checks whether the limit on open files allows as many connections as the server can handle.
 * @param limit the running server's limit on open files
 */
export function checkOpenFiles(limit: number): CheckResult {
  if (limit >= FILES_FOR_MAX_CONNECTIONS) return ok('open files', 'the limit is high enough');
  return finding(
    'open files',
    `the limit is ${limit}, so the server accepts only ${maxConnectionsFor(limit)} concurrent connections`,
    `raise the limit to ${FILES_FOR_MAX_CONNECTIONS}: LimitNOFILE in systemd, --ulimit nofile in Docker, ulimit -n`,
  );
}

/**
 * Checks that the log has a checkpoint, and that the newest snapshot is recent.
 * @param checkpoint the number of events that the newest checkpoint covers; 0 if no checkpoint exists
 * @param snapshot the position of the newest snapshot; 0 if no snapshot exists
 */
export function checkWitnesses(checkpoint: number, snapshot: number): readonly CheckResult[] {
  return [
    checkpoint > 0
      ? ok('checkpoints', `the newest covers ${checkpoint} events`)
      : finding('checkpoints', 'none has been signed', 'run grantlog log checkpoint, and store its output elsewhere'),
    checkpoint - snapshot < MAX_REPLAY_EVENTS
      ? ok('snapshots', snapshot === 0 ? 'none yet' : `the newest is at position ${snapshot}`)
      : finding(
          'snapshots',
          snapshot === 0
            ? `none, although the log has ${checkpoint} events`
            : `the newest is ${checkpoint - snapshot} events old`,
          "check the server's log for the reason why no newer one was written",
        ),
  ];
}

/** Well above the drift of synchronized clocks and the one-second precision of a `Date` header. */
const MAX_DRIFT_MILLISECONDS = 5_000;

/**
 * Compares this machine's time with other clocks, all in milliseconds since the epoch.
 * @param issuerDate from the issuer's response; null if unknown
 * @param newestEvent when the newest event was recorded; null if unknown
 */
export function checkClock(now: number, issuerDate: number | null, newestEvent: number | null): CheckResult {
  const todo = 'synchronize the clock with NTP: token lifetimes and the times in the log depend on it';
  if (newestEvent !== null && newestEvent > now + MAX_DRIFT_MILLISECONDS) {
    return finding(
      'clock',
      `the newest event is ${formatSeconds(newestEvent - now)} in the future: the clock was set back`,
      todo,
    );
  }
  if (issuerDate !== null && Math.abs(issuerDate - now) > MAX_DRIFT_MILLISECONDS) {
    const drift = formatSeconds(Math.abs(issuerDate - now));
    return finding('clock', `this machine is ${drift} ${issuerDate > now ? 'behind' : 'ahead of'} the issuer`, todo);
  }
  if (issuerDate === null && newestEvent === null) {
    const advice = 'start the server, so that doctor can compare this clock with the issuer and the newest event';
    return note('clock', 'no reference clock available', advice);
  }
  const references = [
    ...(issuerDate === null ? [] : ['the issuer']),
    ...(newestEvent === null ? [] : ['the newest event']),
  ];
  return ok('clock', `agrees with ${references.join(' and ')}`);
}

function formatSeconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} seconds`;
}
