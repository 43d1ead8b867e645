import { parseArgs } from 'node:util';
import {
  registerDirectly,
  FLOOD_HEADROOM_BYTES,
  floodRegistrations,
  type FloodReport,
} from '../test/support/registration-flood.ts';
import { runScript } from './run-script.ts';

const USAGE = `Usage: node --import tsx scripts/registration-drill.ts [--registrations N] [--directly] [--json]

Registers clients (RFC 7591) that no user authorizes. The log must not grow, the server must not register a client, and
the second half of the registrations must not need more memory than the first half.

  --registrations N  clients that register themselves (100000, which takes a few minutes)
  --directly         without HTTP, which is much faster
  --json             print JSON
  --help             show this help

Exit status 0: no findings. 1: a finding. 2: usage error, or the drill cannot run.
`;

function findProblems(report: FloodReport, count: number): readonly string[] {
  const { registered, events, clients, memoryGrowthBytes: grownBytes } = report;
  return [
    ...(registered === count ? [] : [`only ${registered} of ${count} clients were registered`]),
    ...(events === 0 ? [] : [`the log grew by ${events} events`]),
    ...(clients === 0 ? [] : [`the server knows ${clients} clients`]),
    ...(grownBytes <= FLOOD_HEADROOM_BYTES ? [] : [`the second half took ${grownBytes} bytes of memory`]),
  ];
}

await runScript(USAGE, readOptions, async ({ registrations, json, withoutHttp }) => {
  const report = await floodRegistrations(registrations, withoutHttp ? registerDirectly : undefined);
  const findings = findProblems(report, registrations);
  const { registered, events, clients, memoryGrowthBytes: grownBytes } = report;
  const growth = (grownBytes / 1_048_576).toFixed(1);
  const text = `${registered} registered, ${events} events, ${clients} clients, ${growth} MiB`;
  process.stdout.write(json ? `${JSON.stringify({ ...report, findings })}\n` : `${[text, ...findings].join('\n')}\n`);
  return findings.length === 0 ? 0 : 1;
});

function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      registrations: { type: 'string', default: '100000' },
      directly: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const registrations = Number(values.registrations);
  if (!Number.isInteger(registrations) || registrations < 2) throw new Error('--registrations must be 2 or more');
  return { registrations, withoutHttp: values.directly, json: values.json, help: values.help };
}
