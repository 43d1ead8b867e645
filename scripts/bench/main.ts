import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runScript } from '../run-script.ts';
import { readArguments, USAGE, type BenchOptions, type Mode } from './arguments.ts';
import { CHECKOUT } from './checkout.ts';
import { machineLine, machineRemarks } from './machine.ts';
import { argon2 } from './modes/argon2.ts';
import { cluster } from './modes/cluster.ts';
import { compare } from './modes/compare.ts';
import { exchanges } from './modes/exchanges.ts';
import { growth } from './modes/growth.ts';
import { documents } from './modes/documents.ts';
import { disk, memory, replay, start } from './modes/holding.ts';
import { joinCluster } from './modes/join.ts';
import { micro } from './modes/micro.ts';
import { pages } from './modes/pages.ts';
import { pause } from './modes/pause.ts';
import { profile } from './modes/profile.ts';
import { withSession, type BenchResult, type Session } from './session.ts';
import { markdownTable, textTable } from './table.ts';

const MODES: Readonly<Record<Mode, (options: BenchOptions, session: Session) => Promise<BenchResult>>> = {
  compare,
  profile,
  memory,
  start,
  replay,
  join: joinCluster,
  disk,
  exchanges,
  pause,
  argon2,
  documents,
  pages,
  growth,
  cluster,
  micro,
};

async function run(options: BenchOptions): Promise<number> {
  try {
    const { machine, method, cells, remarks, figures } = await withSession(options.data, (session) =>
      MODES[options.mode](options, session),
    );
    const json = `${JSON.stringify({ measuredAt: new Date().toISOString(), machine, options, figures }, null, 2)}\n`;
    saveResults(options, json);
    const table = options.format === 'markdown' ? markdownTable(cells) : textTable(cells);
    const text = [machineLine(machine), method, '', table, '', ...machineRemarks(machine), ...remarks]
      .join('\n')
      .trimEnd();
    process.stdout.write(options.format === 'json' ? json : `${text}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

function saveResults({ save, mode }: BenchOptions, json: string): void {
  const defaultPath = join(
    CHECKOUT,
    'bench-results',
    `${mode}-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`,
  );
  for (const file of [defaultPath, ...(save === undefined ? [] : [save])]) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, json);
  }
}

await runScript(USAGE, readArguments, run);
