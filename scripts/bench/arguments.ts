import { parseArgs } from 'node:util';
import { ROW_NAMES, DEFAULT_ROWS, type RowName } from './rows.ts';

export const MODES = [
  'compare',
  'profile',
  'memory',
  'start',
  'replay',
  'disk',
  'pause',
  'argon2',
  'growth',
  'micro',
] as const;
/** What is measured. */
export type Mode = (typeof MODES)[number];

export const USAGE = `Usage: npm run bench -- [WHAT] [options]

Measures Grantlog, built and started as operators do and with everything on as shipped, against bare Koa (Koa, a router and
a form parser that answers a token request without doing anything for it), in interleaved rounds on the same machine.
Answers are checked, and what was answered is compared with what the log has.

  WHAT is one of:
  compare           the above; the same when nothing is said
  profile           where the server's processor time goes under the load of one row (--rows, else client_credentials), by file and function
  memory            bytes for each live access token
  start             seconds until a server with many tokens serves, from its snapshot
  replay            events a second when there is no snapshot
  disk              bytes in the data directory for each token
  pause             how long the event loop stands still under load, with many tokens and with none, and that of bare Koa
  argon2            what a hundred log-ins in flight do to the tokens of others
  growth            throughput and latency by live tokens and by connections; --svg draws them
  micro             unusual code against its plain alternatives, as ratios; no server is started

  --peers           beside node-oidc-provider, @node-oauth/oauth2-server and @jmondi/oauth2-server, too, which are installed on demand into
                    bench-data/: as their documentation sets them up, everything in memory; and beside django-oauth-toolkit under Gunicorn,
                    with a PostgreSQL of its own, where the system has their packages
  --quick           a minute: fewer and shorter rounds
  --rows A,B        only these rows: ${ROW_NAMES.join(', ')}
                    (code: codes that the running server has just issued; code-cold: codes from before a restart, not by default)
  --rounds N        intervals of each server in a row (7)
  --seconds N       length of an interval (3)
  --connections N   keep-alive connections (64)
  --tokens N        live access tokens (1000000); kept in bench-data/: remove them there to measure a log that is written anew
  --rate N          requests a second in pause and argon2 (1000)
  --svg DIR         where growth puts its charts
  --data DIR        where the data lie while it runs; it should be the disk that is meant (the system's temporary directory)
  --save FILE       write the figures there as JSON, too; they always go to bench-results/
  --markdown        print the table as Markdown
  --json            print the figures as JSON
  --help            this text

Exit status 0: measured. 1: an answer was wrong, or the log does not agree with the answers. 2: wrong usage.
A figure below its target is said, and is no failure: machines are shared.
`;

export interface BenchOptions {
  readonly mode: Mode;
  readonly peers: boolean;
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
  readonly print: 'text' | 'markdown' | 'json';
  readonly help: boolean;
}

/** @throws Error what is wrong with `words`, for the user */
export function readArguments(words: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      peers: { type: 'boolean', default: false },
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
  const preset = values.quick
    ? { rounds: '3', seconds: '0.6', warmUpSeconds: 0.6 }
    : { rounds: '7', seconds: '3', warmUpSeconds: 2 };
  if (positionals.length > 1) throw new Error(`one measurement at a time, not ${positionals.join(' and ')}`);
  return {
    mode: parseMode(positionals[0] ?? 'compare'),
    peers: values.peers,
    rows: values.rows === undefined ? DEFAULT_ROWS : values.rows.split(',').map(parseRow),
    rounds: parseNumber('--rounds', values.rounds ?? preset.rounds, /^[1-9]\d{0,2}$/),
    seconds: parseNumber('--seconds', values.seconds ?? preset.seconds, /^(?!0+\.?0*$)\d{1,3}(?:\.\d{1,3})?$/),
    warmUpSeconds: preset.warmUpSeconds,
    connections: parseNumber('--connections', values.connections, /^[1-9]\d{0,3}$/),
    tokens: parseNumber('--tokens', values.tokens, /^[1-9]\d{0,8}$/),
    rate: parseNumber('--rate', values.rate, /^[1-9]\d{0,5}$/),
    svg: values.svg,
    data: values.data,
    save: values.save,
    help: values.help,
    print: values.json ? 'json' : values.markdown ? 'markdown' : 'text',
  };
}

function parseMode(name: string): Mode {
  const mode = MODES.find((known) => known === name);
  if (mode === undefined)
    throw new Error(`there is no measurement ${JSON.stringify(name)}; there are ${MODES.join(', ')}`);
  return mode;
}

function parseRow(name: string): RowName {
  const row = ROW_NAMES.find((known) => known === name);
  if (row === undefined)
    throw new Error(`--rows: there is no row ${JSON.stringify(name)}; there are ${ROW_NAMES.join(', ')}`);
  return row;
}

function parseNumber(option: string, text: string, form: RegExp): number {
  if (!form.test(text)) throw new Error(`${option}: ${JSON.stringify(text)} is no number that it can be`);
  return Number(text);
}
