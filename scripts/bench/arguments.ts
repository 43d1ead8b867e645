import { parseArgs } from 'node:util';
import { ROW_NAMES, DEFAULT_ROWS, type RowName } from './rows.ts';

export const MODES = [
  'compare',
  'profile',
  'memory',
  'start',
  'replay',
  'join',
  'disk',
  'exchanges',
  'pause',
  'argon2',
  'documents',
  'pages',
  'growth',
  'cluster',
  'micro',
] as const;
export type Mode = (typeof MODES)[number];

export const USAGE = `Usage: npm run bench -- [MEASUREMENT] [options]

Compares Grantlog, built and started as in production with default settings, with bare Koa (Koa, a router and a form
parser that respond to token requests with a constant), in interleaved rounds on the same machine. Responses are
checked, and compared with the log.

  MEASUREMENT is one of:
  compare           the comparison above (default)
  profile           processor time of the server by file and function, for one row (default: client_credentials)
  memory            bytes per live access token
  start             seconds until a server with many tokens is ready, starting from its snapshot
  replay            events per second when starting without a snapshot
  join              seconds until a node with an empty disk is ready, with the log in PostgreSQL, with and without a
                    snapshot
  disk              bytes in the data directory per token
  exchanges         bytes per live token exchange, and the time to remove those that expired in one hour
  pause             event loop delay under load, with many tokens and with none, compared with bare Koa
  argon2            effect of a hundred concurrent logins on token requests
  documents         rate and server time of authorizations for a client with a metadata document, compared with a
                    registered client
  pages             page weight, and time to first byte, compared with /healthz
  growth            throughput and latency by live tokens and by connections; --svg writes charts
  cluster           tokens per second with one, two and three nodes on one PostgreSQL server, and with one on LevelDB
  micro             time of baseline code relative to optimized code; does not start a server

  --peers           also compare with node-oidc-provider, @node-oauth/oauth2-server and @jmondi/oauth2-server, installed
                    on demand into bench-data/ and set up as documented, in memory; and with django-oauth-toolkit under
                    Gunicorn with its own PostgreSQL, if the system has the packages
  --baseline DIR    also compare with the version in DIR, another checkout whose dependencies are installed
  --quick           fewer and shorter rounds: about a minute
  --rows A,B        only these rows: ${ROW_NAMES.join(', ')}
                    (code: recently issued codes; code-cold: codes issued before a restart, not measured by default)
  --rounds N        rounds per row (7)
  --seconds N       length of each interval (3)
  --connections N   keep-alive connections (64)
  --tokens N        live access tokens (1000000); kept in bench-data/; delete them to start with a new log
  --rate N          requests per second in pause and argon2 (1000)
  --svg DIR         directory for the charts that growth writes
  --data DIR        directory for temporary data; determines the disk (default: the system's temporary directory)
  --save FILE       also write the figures to FILE as JSON; they are always written to bench-results/
  --markdown        print the table as Markdown
  --json            print the figures as JSON
  --help            show this help

Exit status 0: the measurement is complete. 1: a response was incorrect or does not match the log. 2: usage error.
Figures below their targets are reported but do not fail the run, because machines are shared.
`;

export interface BenchOptions {
  readonly mode: Mode;
  readonly peers: boolean;
  /** The checkout to compare with. */
  readonly baseline: string | undefined;
  readonly rows: readonly RowName[];
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly connections: number;
  readonly tokens: number;
  readonly rate: number;
  readonly svg: string | undefined;
  readonly data: string | undefined;
  readonly save: string | undefined;
  readonly format: 'text' | 'markdown' | 'json';
  readonly help: boolean;
}

/**
 * Parses the arguments of a benchmark.
 * @throws Error if an argument is invalid, with a message for the user
 */
export function readArguments(args: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      peers: { type: 'boolean', default: false },
      baseline: { type: 'string' },
      rows: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string', default: '64' },
      tokens: { type: 'string', default: '1000000' },
      rate: { type: 'string', default: '1000' },
      svg: { type: 'string' },
      data: { type: 'string' },
      save: { type: 'string' },
      markdown: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const defaults = values.quick
    ? { rounds: '3', seconds: '0.6', warmUpSeconds: 0.6 }
    : { rounds: '7', seconds: '3', warmUpSeconds: 2 };
  if (positionals.length > 1) throw new Error(`expected one measurement, got ${positionals.join(' and ')}`);
  const mode = parseMode(positionals[0] ?? 'compare');
  if (values.baseline !== undefined && mode !== 'compare')
    throw new Error(`--baseline can only be used with compare, not with ${mode}`);
  return {
    mode,
    peers: values.peers,
    baseline: values.baseline,
    rows: values.rows === undefined ? DEFAULT_ROWS : values.rows.split(',').map(parseRow),
    rounds: parseNumber('--rounds', values.rounds ?? defaults.rounds, /^[1-9]\d{0,2}$/),
    seconds: parseNumber('--seconds', values.seconds ?? defaults.seconds, /^(?!0+\.?0*$)\d{1,3}(?:\.\d{1,3})?$/),
    warmUpSeconds: defaults.warmUpSeconds,
    connections: parseNumber('--connections', values.connections, /^[1-9]\d{0,3}$/),
    tokens: parseNumber('--tokens', values.tokens, /^[1-9]\d{0,8}$/),
    rate: parseNumber('--rate', values.rate, /^[1-9]\d{0,5}$/),
    svg: values.svg,
    data: values.data,
    save: values.save,
    help: values.help,
    format: values.json ? 'json' : values.markdown ? 'markdown' : 'text',
  };
}

function parseMode(name: string): Mode {
  const mode = MODES.find((candidate) => candidate === name);
  if (mode === undefined)
    throw new Error(`unknown measurement ${JSON.stringify(name)}; use one of ${MODES.join(', ')}`);
  return mode;
}

function parseRow(name: string): RowName {
  const row = ROW_NAMES.find((candidate) => candidate === name);
  if (row === undefined) throw new Error(`--rows: unknown row ${JSON.stringify(name)}; use ${ROW_NAMES.join(', ')}`);
  return row;
}

function parseNumber(option: string, text: string, pattern: RegExp): number {
  if (!pattern.test(text)) throw new Error(`${option}: invalid number ${JSON.stringify(text)}`);
  return Number(text);
}
