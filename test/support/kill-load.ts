import { browserSession, type BrowserSession } from './browser-session.ts';
import { httpRequest } from './http-request.ts';
import type { Choice } from './seeded-choice.ts';

/** The tokens in a token response. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  /** The id of a managed grant. */
  readonly grant_id?: string;
}

/** A user's grant, as known to its client. */
export interface Family {
  /** The newest refresh token that the client holds. */
  refreshToken: string;
  /** Every access token of the grant that the client received. */
  readonly accessTokens: string[];
  /** The last rotation that got a response: the presented token and the response. */
  rotation: { readonly presented: string; readonly response: Tokens } | null;
}

/** The responses that clients received, and the requests that got none. */
export interface Ledger {
  readonly accessTokens: string[];
  readonly users: string[];
  /** The families whose next refresh can be sent: none of their requests is pending or unanswered. */
  readonly families: Family[];
  /** Codes that were issued and have not been presented. */
  readonly unusedCodes: string[];
  readonly redeemed: { readonly code: string; readonly family: Family }[];
  /** Codes whose redemption was sent but got no response. */
  readonly unansweredCodes: string[];
  /** Families whose rotation was sent but got no response. */
  readonly unanswered: Family[];
  /** Access tokens of managed grants, before and after an update whose redemption got a response. */
  readonly updates: { readonly oldToken: string; readonly newToken: string }[];
  /** Access tokens before an update, and the update's code, whose redemption was sent but got no response. */
  readonly unansweredUpdates: { readonly oldToken: string; readonly code: string }[];
}

export function emptyLedger(): Ledger {
  return {
    accessTokens: [],
    users: [],
    families: [],
    unusedCodes: [],
    redeemed: [],
    unansweredCodes: [],
    unanswered: [],
    updates: [],
    unansweredUpdates: [],
  };
}

export interface DrillClient {
  readonly id: string;
  readonly secret: string;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly tokens: Tokens;
}

/** A client application and its user, which know the server's current address. */
export interface Caller {
  token(parameters: Readonly<Record<string, string>>): Promise<Reply>;
  isActive(accessToken: string): Promise<boolean>;
  /** Returns a new code, without a consent page, because the client is trusted. */
  code(parameters?: Readonly<Record<string, string>>): Promise<string>;
  addUser(username: string, accessToken: string): Promise<Reply>;
  readonly browser: BrowserSession;
}

export const DRILL_REDIRECT_URI = 'https://drill.example/callback';
export const passwordOf = (username: string): string => `the password of ${username}`;

export function createCaller(client: DrillClient, origin: () => string, onSent: () => void): Caller {
  const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
  const browser = browserSession(origin);

  async function post(path: string, body: Readonly<Record<string, string>>, authorization: string): Promise<Reply> {
    const response = httpRequest(new URL(path, origin()), {
      method: 'POST',
      body: new URLSearchParams(body),
      headers: { authorization },
    });
    onSent();
    const { status, text } = await response;
    return { status, text, tokens: (status === 200 ? JSON.parse(text) : {}) as Tokens };
  }

  return {
    browser,
    token: (parameters) => post('/o/token/', parameters, basic),
    isActive: async (token) => (await post('/o/introspect/', { token }, basic)).text !== '{"active":false}',
    addUser: (username, accessToken) =>
      post('/users/', { username, password: passwordOf(username) }, `Bearer ${accessToken}`),
    async code(parameters = {}) {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: client.id,
        redirect_uri: DRILL_REDIRECT_URI,
        ...parameters,
      });
      const { status, location, html } = await browser.get(`/o/authorize/?${query.toString()}`);
      const code = location === null ? null : new URL(location, 'http://localhost').searchParams.get('code');
      if (code === null)
        throw new UnacceptableResponseError(`GET /o/authorize/ responded with ${status} ${location ?? html}`);
      return code;
    },
  };
}

/** Thrown for a response that no client may get, even if a server is killed. */
export class UnacceptableResponseError extends Error {
  override readonly name = 'Unacceptable';
}

export function expectStatus(reply: Reply, status: number, description: string): Tokens {
  if (reply.status !== status) throw new UnacceptableResponseError(`${description}: ${reply.status} ${reply.text}`);
  return reply.tokens;
}

export const redemptionParameters = (code: string) => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: DRILL_REDIRECT_URI,
});
export const refreshParameters = (refreshToken: string) => ({
  grant_type: 'refresh_token',
  refresh_token: refreshToken,
});

export function newFamily({ access_token: accessToken, refresh_token: refreshToken }: Tokens): Family {
  return { refreshToken, accessTokens: [accessToken], rotation: null };
}

/** Sends `caller`'s requests one at a time and records their responses until `isStopped` returns true. */
export async function generateLoad(
  caller: Caller,
  ledger: Ledger,
  choice: Choice,
  newName: () => string,
  isStopped: () => boolean,
): Promise<void> {
  const steps: readonly (() => Promise<void>)[] = [
    clientCredentials,
    clientCredentials,
    codeFlow,
    codeFlow,
    refresh,
    refresh,
    refresh,
    signUp,
    update,
  ];

  async function clientCredentials(): Promise<void> {
    const { access_token: token } = expectStatus(
      await caller.token({ grant_type: 'client_credentials' }),
      200,
      'client credentials',
    );
    ledger.accessTokens.push(token);
  }

  async function codeFlow(): Promise<void> {
    const code = await caller.code();
    if (choice.below(4) === 0) return void ledger.unusedCodes.push(code);
    const response = await recordIfUnanswered(caller.token(redemptionParameters(code)), () =>
      ledger.unansweredCodes.push(code),
    );
    const family = newFamily(expectStatus(response, 200, 'a fresh code'));
    ledger.redeemed.push({ code, family });
    ledger.families.push(family);
  }

  async function refresh(): Promise<void> {
    const family = ledger.families.shift();
    if (family === undefined) return clientCredentials();
    const presentedToken = family.refreshToken;
    const response = expectStatus(
      await recordIfUnanswered(caller.token(refreshParameters(presentedToken)), () => ledger.unanswered.push(family)),
      200,
      'a refresh',
    );
    family.refreshToken = response.refresh_token;
    family.accessTokens.push(response.access_token);
    family.rotation = { presented: presentedToken, response };
    ledger.families.push(family);
  }

  async function signUp(): Promise<void> {
    const accessToken = ledger.accessTokens.at(-1);
    if (accessToken === undefined) return clientCredentials();
    const username = newName();
    expectStatus(await caller.addUser(username, accessToken), 201, 'a new user');
    ledger.users.push(username);
  }

  /** Replaces a managed grant (FAPI Grant Management). */
  async function update(): Promise<void> {
    const creationCode = await caller.code({ grant_management_action: 'create' });
    const { access_token: oldToken, grant_id: id = '' } = expectStatus(
      await caller.token(redemptionParameters(creationCode)),
      200,
      'a managed grant',
    );
    const code = await caller.code({ grant_management_action: 'replace', grant_id: id });
    const response = await recordIfUnanswered(caller.token(redemptionParameters(code)), () =>
      ledger.unansweredUpdates.push({ oldToken, code }),
    );
    ledger.updates.push({ oldToken, newToken: expectStatus(response, 200, 'an update').access_token });
  }

  while (!isStopped()) {
    try {
      await choice.of(steps)?.();
    } catch (error) {
      if (!isStopped() || error instanceof UnacceptableResponseError) throw error;
    }
  }
}

async function recordIfUnanswered<T>(response: Promise<T>, record: () => void): Promise<T> {
  try {
    return await response;
  } catch (error) {
    record();
    throw error;
  }
}
