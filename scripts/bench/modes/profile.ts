import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOptions } from '../arguments.ts';
import { startGrantlogContender } from '../contenders/grantlog.ts';
import { describePinning } from '../cores.ts';
import { describeSource, formatFunction, selfTimes, type CpuProfile, type Share } from '../cpu-profile.ts';
import { createBenchData } from '../grantlog/bench-data.ts';
import { startLoad } from '../load/load.ts';
import type { BenchResult, Session } from '../session.ts';
import { codesFor, MAX_CODES_PER_SECOND } from './compare.ts';

const MAX_FUNCTIONS = 40;
const WARM_UPS = 3;

/** Profiles the server's processor time under the load of one row. */
export async function profile(
  { rows, seconds, connections, warmUpSeconds }: BenchOptions,
  { directory, cores, report: print }: Session,
): Promise<BenchResult> {
  const row = rows.length === 1 ? (rows[0] ?? 'client_credentials') : 'client_credentials';
  const load = startLoad(cores?.load);
  const data = await createBenchData(
    join(directory, 'grantlog'),
    codesFor({ rows: [row], rounds: 1, seconds, warmUpSeconds: WARM_UPS * warmUpSeconds, connections }),
  );
  const contender = await startGrantlogContender({ cores, connections }, data, {
    nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${directory}`],
  });
  let [startedAt, endedAt, rate, responses] = [0, 0, 0, 0];
  try {
    for (const length of [...Array.from({ length: WARM_UPS }, () => warmUpSeconds), seconds]) {
      const request = await contender.prepare(row, Math.ceil(length * MAX_CODES_PER_SECOND));
      startedAt = microseconds();
      const report = await load.run({ port: contender.server.port, connections, seconds: length, request });
      endedAt = microseconds();
      await contender.verify(row, report);
      ({ rate, responses } = report);
      print(`${row}: ${Math.round(rate)}/s`);
    }
  } finally {
    load.end();
    await contender.server.end('SIGTERM'); // the profile is written at exit
  }
  const cpuProfile = readProfile(directory);
  const files = selfTimes(cpuProfile, startedAt, endedAt, describeSource);
  const functions = selfTimes(cpuProfile, startedAt, endedAt, formatFunction).slice(0, MAX_FUNCTIONS);
  return {
    method:
      `${row}, ${connections} connections, ${seconds} s at ${Math.round(rate)} requests/s; self time on the main ` +
      `thread: total, share, and per request; ${describePinning(cores)}`,
    cells: [
      ['file or function', 'ms', 'share', 'µs/request'],
      ...profileTable(files, responses),
      ['', '', '', ''],
      ...profileTable(functions, responses),
    ],
    remarks: [],
    figures: { row, rate, responses, files, functions },
  };
}

/** Reads the clock that V8's profiles use. */
function microseconds(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

function readProfile(directory: string): CpuProfile {
  const file = readdirSync(directory).find((name) => name.endsWith('.cpuprofile'));
  if (file === undefined) throw new Error('the server did not write a profile');
  return JSON.parse(readFileSync(join(directory, file), 'utf8')) as CpuProfile;
}

function profileTable(shares: readonly Share[], responses: number): readonly (readonly string[])[] {
  return shares.map(({ name, milliseconds, share }) => [
    name,
    milliseconds.toFixed(0),
    `${(share * 100).toFixed(1)}%`,
    ((milliseconds * 1000) / responses).toFixed(2),
  ]);
}
