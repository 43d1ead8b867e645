import { parseArgs } from 'node:util';
import { runBodyDrill, type BodyDrillPart } from '../test/support/body-drill.ts';
import { runDrill } from './run-drill.ts';
import { runScript } from './run-script.ts';

const USAGE = `Usage: node --import tsx scripts/body-drill.ts [--connections N] [--json]

Sends abnormal request bodies to a server in another process: endless one-byte chunks, false lengths, one byte
per second, aborted requests. The server's resident memory must stay within twice the largest body per
connection plus headroom, other clients must get responses, and slow connections must be closed.

  --connections N  concurrent connections of each kind (40, which takes a minute)
  --json           print JSON
  --help           show this help

Exit status 0: no findings. 1: a finding. 2: usage error, or the drill cannot run.
`;

function formatMebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}

function run({ connections, json }: ReturnType<typeof readOptions>): Promise<number> {
  return runDrill(
    'bodies',
    async (dataDir) => {
      const parts = await runBodyDrill({
        dataDir,
        connections,
        progress: (line) => void process.stderr.write(`${line}\n`),
      });
      process.stdout.write(json ? `${JSON.stringify(parts, null, 2)}\n` : formatTable(parts));
      return parts.some(({ finding }) => finding !== undefined) ? 1 : 0;
    },
    2,
  );
}

function formatTable(parts: readonly BodyDrillPart[]): string {
  const nameWidth = Math.max(...parts.map(({ name }) => name.length));
  const line = (name: string, cells: readonly string[], finding = ''): string =>
    `${[name.padEnd(nameWidth), ...cells.map((cell) => cell.padStart(12)), '', finding].join(' ').trimEnd()}\n`;
  return (
    line('MiB', ['sent', 'before', 'peak', 'expected', 'CPU ms', 'slowest ms']) +
    parts
      .map(({ name, sent, before, peak, expected, cpu, slowestResponse, finding }) => {
        const times = [cpu, slowestResponse].map((milliseconds) => milliseconds.toFixed(0));
        return line(name, [...[sent, before, peak, expected].map(formatMebibytes), ...times], finding ?? 'ok');
      })
      .join('')
  );
}

function readOptions(args: readonly string[]): {
  readonly connections: number;
  readonly json: boolean;
  readonly help: boolean;
} {
  const { values } = parseArgs({
    args: [...args],
    options: {
      connections: { type: 'string', default: '40' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (!/^[1-9]\d{0,3}$/.test(values.connections)) throw new Error('--connections takes a whole number up to 9999');
  return { ...values, connections: Number(values.connections) };
}

await runScript(USAGE, readOptions, run);
