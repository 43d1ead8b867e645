import type { FuzzRequest } from './fuzz-requests.ts';
import type { FuzzTarget } from './fuzz-target.ts';

/** Sends requests and measures their cost. */
export interface CostWatch {
  /**
   * Sends the requests, and checks their cost.
   * @returns the status of each response, in the order of the requests
   * @throws Error if a request is too expensive every time it is sent
   */
  send(requests: readonly FuzzRequest[]): Promise<readonly (number | undefined)[]>;
  /** Returns the highest cost of a request that was measured alone, as a multiple of the baseline. */
  highestCost(): number;
}

/** The minimum that any request costs: a connection, a head and a response. */
const BASELINE: FuzzRequest = {
  route: '/healthz',
  bytes: 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  hangsUp: false,
};

/** The requests of a batch that exceeds this multiple of a baseline batch are measured one by one. */
const SUSPICIOUS_COST = 3;
/** The limit on one request, as a multiple of the baseline. Valid requests take a tenth of it. */
export const MAX_COST = 50;
const BATCHES_PER_BASELINE = 10;
const REPEATS = 5;

/**
 * The cost of a request is the processor time of server and client: wall time would depend on other programs. A request
 * is a finding when it exceeds the limit alone and in every repetition, each between two baseline requests.
 */
export function createCostWatch(target: Pick<FuzzTarget, 'send'>): CostWatch {
  let batches = 0;
  let baselinePerRequest = 0;
  let highestCost = 0;

  async function measureCost(requests: readonly FuzzRequest[]): Promise<number> {
    const startUsage = process.cpuUsage();
    await target.send(requests);
    return microsecondsSince(startUsage);
  }

  async function relativeCost(request: FuzzRequest): Promise<number> {
    const [first, cost, second] = [
      await measureCost([BASELINE]),
      await measureCost([request]),
      await measureCost([BASELINE]),
    ];
    return cost / Math.max(first, second);
  }

  /** @throws Error if the request is too expensive in every repetition */
  async function measureAlone(request: FuzzRequest): Promise<void> {
    let lowestCost = await relativeCost(request);
    highestCost = Math.max(highestCost, lowestCost);
    for (let repeat = 0; repeat < REPEATS && lowestCost > MAX_COST; repeat += 1)
      lowestCost = Math.min(lowestCost, await relativeCost(request));
    if (lowestCost <= MAX_COST) return;
    const { bytes } = request;
    const finding = `${bytes.length} bytes cost ${Math.round(lowestCost)} times as much as GET /healthz`;
    throw new Error(`${finding}: ${JSON.stringify(bytes.slice(0, SHOWN_CHARACTERS))}`);
  }

  return {
    highestCost: () => highestCost,

    async send(requests) {
      if (batches % BATCHES_PER_BASELINE === 0)
        baselinePerRequest = (await measureCost(requests.map(() => BASELINE))) / requests.length;
      batches += 1;
      const startUsage = process.cpuUsage();
      const statuses = await target.send(requests);
      if (microsecondsSince(startUsage) > SUSPICIOUS_COST * baselinePerRequest * requests.length)
        for (const request of requests) await measureAlone(request);
      return statuses;
    },
  };
}

const SHOWN_CHARACTERS = 300;

function microsecondsSince(startUsage: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(startUsage);
  return user + system;
}
