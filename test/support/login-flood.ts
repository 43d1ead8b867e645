import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sharedNow, type FloodOrder, type FloodReport } from './login-flood-protocol.ts';

/** The pause after a login whose password was not hashed. A flood does not wait for as long as `Retry-After` says. */
const PAUSE_MS = 50;

let userCount = 0;

async function runFlood(
  { origin, senders, hashedStatuses, ...form }: FloodOrder,
  stop: AbortSignal,
): Promise<FloodReport> {
  const { hostname, port } = new URL(origin);
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  stop.addEventListener('abort', () => agent.destroy());
  const responses: Record<string, number> = {};
  const hashedAt: number[] = [];

  function logIn(address: string, username: string): Promise<number> {
    const { csrfToken, password, cookie } = form;
    const body = new URLSearchParams({ csrf_token: csrfToken, username, password }).toString();
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(body),
      cookie,
      'x-forwarded-for': address,
      accept: 'text/html',
    };
    return new Promise((resolve, reject) => {
      const clientRequest = request(
        { hostname, port, agent, path: '/accounts/login/', method: 'POST', headers },
        (response) => {
          response.on('end', () => resolve(response.statusCode ?? 0)).resume();
        },
      );
      clientRequest.on('error', reject).end(body);
    });
  }

  await Promise.all(
    senders.map(async ({ address, username }) => {
      while (!stop.aborted) {
        const status = await logIn(address, username ?? `nobody-${(userCount += 1)}`).catch(() => 0);
        if (stop.aborted) return;
        responses[status] = (responses[status] ?? 0) + 1;
        if (hashedStatuses.includes(status)) hashedAt.push(sharedNow());
        else await sleep(PAUSE_MS);
      }
    }),
  );
  return { responses, hashedAt };
}

const stopping = new AbortController();
process.on('message', (order: FloodOrder | 'stop') => {
  if (order === 'stop') stopping.abort();
  else void runFlood(order, stopping.signal).then((report) => process.send?.(report, () => process.disconnect()));
});
