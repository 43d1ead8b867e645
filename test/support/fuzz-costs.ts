import type { FuzzRequest } from './fuzz-requests.ts';
import type { FuzzTarget } from './fuzz-target.ts';

/** Sends requests and measures their cost. */
export interface CostWatch {
  /**
   * Sends the requests, and checks what they cost.
   * @returns the status of each response, in the order of the requests
   * @throws Error if a request is too expensive every time that it is measured
   */
  send(requests: readonly FuzzRequest[]): Promise<readonly (number | undefined)[]>;
  /** Returns the highest cost of any request that was measured individually, as a multiple of the baseline. */
  highestCost(): number;
}

/** The cheapest possible request: a connection, a head and a response. */
const BASELINE: FuzzRequest = {
  route: '/healthz',
  bytes: 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  hangsUp: false,
};

/** If a batch costs more than this multiple of a baseline batch, its requests are measured one by one. */
const SUSPICIOUS_COST = 3;
/** The limit on the cost of one request, as a multiple of the baseline. Valid requests reach a tenth of it. */
export const MAX_COST = 50;
const BATCHES_PER_BASELINE = 10;
const REPEATS = 5;

/**
 * Creates a watch that measures cost as the processor time of server and client, because wall time depends on other
 * programs. A request is too expensive if it exceeds the limit every time that it is measured individually, between two
 * baseline requests.
 */
export function createCostWatch(target: Pick<FuzzTarget, 'send'>): CostWatch {
  let batchCount = 0;
  let baselinePerRequest = 0;
  let highestCost = 0;

  async function measureCost(requests: readonly FuzzRequest[]): Promise<number> {
    const startUsage = process.cpuUsage();
    await target.send(requests);
    return microsecondsSince(startUsage);
  }

  async function relativeCost(request: FuzzRequest): Promise<number> {
    const [costBefore, cost, costAfter] = [
      await measureCost([BASELINE]),
      await measureCost([request]),
      await measureCost([BASELINE]),
    ];
    return cost / Math.max(costBefore, costAfter);
  }

  /** @throws Error if the request is too expensive every time */
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
      if (batchCount % BATCHES_PER_BASELINE === 0)
        baselinePerRequest = (await measureCost(requests.map(() => BASELINE))) / requests.length;
      batchCount += 1;
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
