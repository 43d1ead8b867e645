import { parseArgs } from 'node:util';
import { runSchemathesisDrill } from '../test/support/schemathesis-drill.ts';
import { printLine, runDrill } from './run-drill.ts';
import { runScript } from './run-script.ts';

const USAGE = `Usage: node --import tsx scripts/schemathesis-drill.ts [--examples N] [--seed N]

Starts a server and tests the management API with Schemathesis, which reads /openapi.json and sends requests that match
it and requests that do not. Fails on a 5xx response, on a status, header, type or body that is not described, and if
the server accepts a request that the description forbids. A request that matches the description may be
refused, because a schema does not contain every rule. Needs the program schemathesis on the PATH (pip install
schemathesis), or its path in SCHEMATHESIS.

  --examples N   generated requests for each operation, in addition to those at the bounds of its schema (0)
  --seed N       the seed of the generator (1)
  --help         show this help

Exit status 0: no defect. 1: a defect. 2: usage error, or schemathesis is missing.
`;

function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', default: false },
      examples: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
    },
  });
  for (const name of ['examples', 'seed'] as const)
    if (!/^\d{1,6}$/.test(values[name])) throw new Error(`--${name} must be a whole number from 0 to 999999`);
  return values;
}

await runScript(USAGE, readOptions, ({ examples, seed }) =>
  runDrill(
    'schemathesis',
    (directory) =>
      runSchemathesisDrill(
        { directory, examples, seed, program: process.env['SCHEMATHESIS'] ?? 'schemathesis' },
        printLine,
      ),
    2,
  ),
);
