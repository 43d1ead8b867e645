import { BARE_KOA } from './contenders/bare-koa.ts';
import type { Contender } from './contenders/contender.ts';
import { GRANTLOG } from './contenders/grantlog.ts';
import type { Load } from './load/load.ts';
import { median, medianRatio, rotate } from './statistics.ts';
import { ROWS, type Row, type RowName } from './rows.ts';

export interface Plan {
  readonly rows: readonly RowName[];
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly connections: number;
}

/** The result of one interval of one contender. */
export interface Measurement {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  /** Processor time per request in milliseconds; undefined if unknown. */
  readonly serverCpu: number | undefined;
  /** The load generator's share of its core. Near 1, the load generator was the bottleneck. */
  readonly loadCpuShare: number;
}

/** The result of one contender in one row: medians over the rounds. */
export interface Result extends Measurement {
  readonly row: RowName;
  readonly contender: string;
  /** The median of the ratio of its rate to bare Koa's in the same round. */
  readonly ratio: number;
  /** The same ratio, but of requests per second of processor time, which other processes hardly affect. */
  readonly cpuRatio: number;
  readonly target: number | undefined;
  readonly rounds: readonly Measurement[];
}

/**
 * The number of single-use values, such as authorization codes, to prepare for each second of the first interval. An
 * interval ends early when they run out.
 */
const INITIAL_VALUES_PER_SECOND = 4_000;
/** Later intervals get enough values for this multiple of the fastest rate so far. */
const MARGIN = 1.5;

/**
 * Measures row by row: a warm-up, then rounds in which every contender gets an interval, in rotating order.
 * Interleaving spreads disturbances over all contenders.
 */
export async function runRounds(
  plan: Plan,
  contenders: readonly Contender[],
  load: Load,
  progress: (line: string) => void,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const row of ROWS) {
    if (!plan.rows.includes(row.name)) continue;
    const participants = contenders.filter(({ rows }) => rows.includes(row.name));
    const measurements = new Map<string, Measurement[]>(participants.map(({ name }) => [name, []]));
    const fastest = new Map<Contender, number>();
    for (const contender of participants) fastest.set(contender, await warmUp(contender, row.name, plan, load));
    for (let round = 0; round < plan.rounds; round += 1) {
      for (const contender of rotate(participants, round)) {
        const measurement = await runInterval(contender, row.name, plan, load, fastest.get(contender));
        fastest.set(contender, Math.max(fastest.get(contender) ?? 0, measurement.rate));
        measurements.get(contender.name)?.push(measurement);
        progress(
          `${row.name}, round ${round + 1} of ${plan.rounds}, ${contender.name}: ${Math.round(measurement.rate)}/s`,
        );
      }
    }
    const base = measurements.get(BARE_KOA) ?? [];
    for (const [contender, rounds] of measurements) results.push(toResult(row, contender, rounds, base));
  }
  return results;
}

/** After this many responses, the server's code is considered JIT-compiled. */
const WARM_RESPONSES = 10_000;
/** Ends the warm-up on a machine that is too busy to reach `WARM_RESPONSES`. */
const MAX_WARM_UPS = 5;

/** Sends requests until the server's code is considered JIT-compiled. Returns the fastest rate. */
async function warmUp(
  contender: Contender,
  row: RowName,
  { connections, warmUpSeconds }: Plan,
  load: Load,
): Promise<number> {
  let fastest = 0;
  for (let responses = 0, intervals = 0; responses < WARM_RESPONSES && intervals < MAX_WARM_UPS; intervals += 1) {
    const { rate } = await runInterval(contender, row, { connections, seconds: warmUpSeconds }, load, fastest);
    responses += warmUpSeconds * rate;
    fastest = Math.max(fastest, rate);
  }
  return fastest;
}

async function runInterval(
  contender: Contender,
  row: RowName,
  { connections, seconds }: Pick<Plan, 'connections' | 'seconds'>,
  load: Load,
  fastest = 0,
): Promise<Measurement> {
  const { server } = contender;
  const request = await contender.prepare(
    row,
    Math.ceil(seconds * (fastest === 0 ? INITIAL_VALUES_PER_SECOND : fastest * MARGIN)),
  );
  const cpuBefore = server.cpu();
  const job = {
    port: server.port,
    connections,
    seconds,
    request,
    ...(contender.receipts !== undefined && { receipts: contender.receipts }),
  };
  const report = await load.run(job).catch((error: unknown) => {
    throw new Error(`${row}, ${contender.name}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  });
  const cpuAfter = server.cpu();
  await contender.verify(row, report);
  const { rate, p50, p99, cpuShare, responses } = report;
  return {
    rate,
    p50,
    p99,
    loadCpuShare: cpuShare,
    serverCpu: cpuBefore === undefined || cpuAfter === undefined ? undefined : (cpuAfter - cpuBefore) / responses,
  };
}

function toResult(
  row: Row & { readonly name: RowName },
  contender: string,
  rounds: readonly Measurement[],
  base: readonly Measurement[],
): Result {
  const medianOf = (read: (measurement: Measurement) => number): number => median(rounds.map(read));
  const rates = rounds.map(({ rate }) => rate);
  const cpu = ({ serverCpu = Number.NaN }: Measurement): number => serverCpu;
  const serverCpu = medianOf(cpu);
  return {
    row: row.name,
    contender,
    rounds,
    rate: median(rates),
    ratio: medianRatio(
      rates,
      base.map(({ rate }) => rate),
    ),
    cpuRatio: medianRatio(
      rounds.map((round) => 1 / cpu(round)),
      base.map((round) => 1 / cpu(round)),
    ),
    p50: medianOf(({ p50 }) => p50),
    p99: medianOf(({ p99 }) => p99),
    loadCpuShare: medianOf(({ loadCpuShare }) => loadCpuShare),
    serverCpu: Number.isNaN(serverCpu) ? undefined : serverCpu,
    target: contender === GRANTLOG ? row.target : undefined,
  };
}
