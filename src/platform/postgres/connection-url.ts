/** The location of a PostgreSQL database, and the credentials for it. */
export interface PostgresAddress {
  /** Tried in this order. */
  readonly hosts: readonly PostgresHost[];
  readonly user: string;
  readonly password: string | undefined;
  readonly database: string;
  readonly tls: TlsMode;
  /** The path of a PEM file with trusted CA certificates; without it, the system's CA certificates are used. */
  readonly rootCertificates: string | undefined;
}

export interface PostgresHost {
  /** A name, an address, or the directory that contains a Unix socket. */
  readonly host: string;
  readonly port: number;
}

/**
 * The supported values of libpq's `sslmode`. `allow` and `prefer` are left out, because an attacker on the network can
 * downgrade them to plaintext.
 */
const TLS_MODES = ['disable', 'require', 'verify-full'] as const;

export type TlsMode = (typeof TLS_MODES)[number];

const DEFAULT_PORT = 5432;
const PARAMETERS = ['host', 'sslmode', 'sslrootcert'];
const SYNTAX = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^@/?#]*)\/([^/?#]+)(?:\?([^#]*))?$/;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1|\/.*)$/;

/** The form of the URL, for error messages and setting descriptions. */
export const POSTGRES_URL_FORM = 'postgres://user:password@host1,host2/database?sslmode=verify-full';

/**
 * Parses a connection URL, which may contain several hosts, each with its own port (PostgreSQL documentation, section
 * 34.1.1.2). Without `sslmode`, connections to other machines are encrypted and verified.
 * @throws Error if the URL is invalid; the message gives the reason, without the password
 */
export function parsePostgresUrl(url: string): PostgresAddress {
  const [, userinfo = '', hostList = '', database = '', query = ''] =
    SYNTAX.exec(url) ?? fail('its form is not recognized');
  const parameters = readParameters(query);
  const [user = '', ...password] = userinfo.split(':');
  if (user === '') fail('the user is missing');
  const socket = parameters.get('host');
  const hosts = (socket ?? hostList).split(',').map((text) => parseHost(text));
  return {
    hosts,
    user: decode(user),
    password: password.length === 0 ? undefined : decode(password.join(':')),
    database: decode(database),
    tls: readTlsMode(parameters.get('sslmode'), hosts),
    rootCertificates: parameters.get('sslrootcert'),
  };
}

/** Reports whether `parsePostgresUrl` accepts the text. */
export function isPostgresUrl(text: string): boolean {
  try {
    return parsePostgresUrl(text).hosts.length > 0;
  } catch {
    return false;
  }
}

/** Reports whether all hosts are on this machine. */
export function isOnThisMachine({ hosts }: Pick<PostgresAddress, 'hosts'>): boolean {
  return hosts.every(({ host }) => LOOPBACK.test(host));
}

function readParameters(query: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (!PARAMETERS.includes(name))
      fail(`its parameter ${name} is not supported; the supported parameters are ${PARAMETERS.join(', ')}`);
    if (parameters.has(name)) fail(`its parameter ${name} occurs more than once`);
    parameters.set(name, value);
  }
  return parameters;
}

function parseHost(text: string): PostgresHost {
  const [, bracketedHost, plainHost, port] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketedHost ?? plainHost;
  const number = port === undefined ? DEFAULT_PORT : Number(port);
  if (host === undefined || number < 1 || number > 65_535) return fail('one of its hosts or ports is invalid');
  return { host: decode(host), port: number };
}

function readTlsMode(mode: string | undefined, hosts: readonly PostgresHost[]): TlsMode {
  if (mode === undefined) return isOnThisMachine({ hosts }) ? 'disable' : 'verify-full';
  return (
    TLS_MODES.find((candidate) => candidate === mode) ?? fail(`its sslmode must be one of ${TLS_MODES.join(', ')}`)
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return fail('its percent-encoding is invalid');
  }
}

function fail(problem: string): never {
  throw new Error(`the PostgreSQL URL is invalid: ${problem} (expected form: ${POSTGRES_URL_FORM})`);
}
