import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { callControl } from '../../src/operations/control/client.ts';
import { controlSocketPath } from '../../src/cli/operation-target.ts';

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
const BUILT_SERVER = 'dist/main.js';

/** The command that runs the server as it is shipped, after `npm run build`. */
export const SERVE_COMMAND = [process.execPath, BUILT_SERVER, 'serve'] as const;

/** A confidential client for a drill. Each call may go to a different server. */
export interface DrillClient {
  /** Requests a token. */
  requestToken(origin: string): Promise<TokenResult>;
  /**
   * Returns whether the server reports the token as active, or undefined if its response does not say.
   * @throws Error if there is no response
   */
  isActive(origin: string, token: string): Promise<boolean | undefined>;
}

export interface TokenResult {
  /** The status of the response; 0 if no response arrived. */
  readonly status: number;
  readonly headers: Headers;
  readonly token: string | undefined;
}

/** Registers a client with the server that runs on `dataDir`. */
export async function registerDrillClient(dataDir: string): Promise<DrillClient> {
  const input = {
    name: 'Drill',
    clientType: 'confidential',
    grantTypes: ['client-credentials'],
    redirectUris: [],
    allowedOrigins: [],
    skipAuthorization: false,
    restrictedScopes: ['audit'],
    owner: null,
    credentials: null,
  };
  for await (const row of callControl(controlSocketPath(dataDir), 'client add', input)) {
    const { client_id: id, client_secret: secret } = row as { client_id: string; client_secret: string };
    return drillClient(`Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`);
  }
  throw new Error('the server did not respond');
}

function drillClient(authorization: string): DrillClient {
  const post = (url: string, body: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(url, { method: 'POST', headers: { authorization }, body: new URLSearchParams(body) });
  return {
    async requestToken(origin) {
      try {
        const body = { grant_type: 'client_credentials', scope: 'read audit' };
        const { status, headers, json } = await readResponse(post(`${origin}/o/token/`, body));
        return { status, headers, token: json.access_token };
      } catch {
        return { status: 0, headers: new Headers(), token: undefined };
      }
    },
    async isActive(origin, token) {
      return (await readResponse(post(`${origin}/o/introspect/`, { token }))).json.active;
    },
  };
}

interface JsonResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly json: { readonly access_token?: string; readonly active?: boolean };
}

async function readResponse(responsePromise: Promise<Response>): Promise<JsonResponse> {
  const response = await responsePromise;
  return { status: response.status, headers: response.headers, json: (await response.json()) as JsonResponse['json'] };
}

/** Runs `grantlog` on `dataDir` and resolves with its exit status. */
export function grantlogStatus(dataDir: string, args: readonly string[]): Promise<number> {
  const { PATH = '' } = process.env;
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [BUILT_SERVER, ...args], {
      cwd: CHECKOUT,
      env: { PATH, DATA_DIR: dataDir },
    });
    child.once('close', (status) => resolve(status ?? 1));
  });
}

/**
 * Runs `grantlog` on `dataDir` and resolves with its standard output.
 * @throws Error with the command's output if the command fails
 */
export async function grantlogOutput(dataDir: string, args: readonly string[], input = ''): Promise<string> {
  const { PATH = '' } = process.env;
  const running = promisify(execFile)(process.execPath, [BUILT_SERVER, ...args], {
    cwd: CHECKOUT,
    env: { PATH, DATA_DIR: dataDir },
  });
  running.child.stdin?.end(input);
  return (await running).stdout;
}

/** Runs `work` for each item, with limited concurrency. */
export async function inParallel<Item>(
  items: Iterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  async function worker(): Promise<void> {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) await work(next.value);
  }
  await Promise.all(Array.from({ length: concurrency }, worker));
}
