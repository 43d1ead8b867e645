import fc from 'fast-check';
import type { BrowserSession } from './browser-session.ts';
import type { Answer, RunningService, TestClient } from './running-service.ts';

/**
 * Traffic that can be repeated at a server with other settings. A step refers to an application, a code or a refresh
 * token by the number of the step that created it, so there it is the same one, or is missing.
 */

const REDIRECT_URIS = {
  https: ['https://app.example/callback'],
  http: ['http://app.example/callback'],
  both: ['https://app.example/callback', 'http://app.example/callback'],
  scheme: ['myapp:/callback'],
  other: ['otherapp:/callback', 'https://app.example/callback'],
  loopback: ['http://127.0.0.1/callback'],
} as const;

export const RESOURCES = ['https://one.example/', 'https://two.example/api'] as const;

type Uris = keyof typeof REDIRECT_URIS;
type Pkce = 'none' | 'S256' | 'plain';

/** RFC 7636 appendix B. */
const PKCE = {
  verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
};

/** Steps; numbers select one of the existing items. */
export type Step =
  | { readonly do: 'register'; readonly isPublic: boolean; readonly uris: Uris; readonly isOfTheHouse: boolean }
  | { readonly do: 'update'; readonly client: number; readonly uris: Uris }
  | {
      readonly do: 'authorize';
      readonly client: number;
      readonly user: number;
      readonly scope: string;
      readonly pkce: Pkce;
      readonly resource: readonly string[];
      readonly uri: number;
      readonly isNamed: boolean;
    }
  | { readonly do: 'redeem'; readonly grant: number; readonly resource: readonly string[] }
  | {
      readonly do: 'refresh';
      readonly grant: number;
      readonly isSpent: boolean;
      readonly scope: string;
      readonly resource: readonly string[];
    }
  | { readonly do: 'password'; readonly client: number; readonly user: number; readonly resource: readonly string[] }
  | { readonly do: 'client-credentials'; readonly client: number; readonly resource: readonly string[] }
  | { readonly do: 'revoke'; readonly grant: number }
  | { readonly do: 'wait'; readonly seconds: number };

/** Counted from the newest, and mostly the same few, so that they get a history. */
const index = fc.constantFrom(0, 0, 0, 0, 1, 1, 2, 3);
const someUser = fc.constantFrom(0, 0, 0, 1);
const someResources = fc.constantFrom<readonly string[]>(
  [],
  [],
  [],
  [],
  [RESOURCES[0]],
  [RESOURCES[1]],
  [...RESOURCES],
);
const someUris = fc.constantFrom<Uris>('https', 'https', 'http', 'both', 'scheme', 'other', 'loopback');
const someScope = fc.constantFrom('', '', 'read', 'read write');
const wait = (...seconds: readonly number[]): fc.Arbitrary<Step> =>
  fc.constantFrom(...seconds).map((chosen) => ({ do: 'wait', seconds: chosen }));

const someRegister = fc.record({
  do: fc.constant('register' as const),
  isPublic: fc.boolean(),
  uris: someUris,
  isOfTheHouse: fc.constantFrom(false, false, true),
});
const someUpdate = fc.record({ do: fc.constant('update' as const), client: index, uris: someUris });
const someAuthorize = fc.record({
  do: fc.constant('authorize' as const),
  client: index,
  user: someUser,
  scope: someScope,
  pkce: fc.constantFrom<Pkce>('none', 'S256', 'plain'),
  resource: someResources,
  uri: fc.nat(1),
  isNamed: fc.boolean(),
});
const someRedeem = fc.record({
  do: fc.constant('redeem' as const),
  grant: fc.constantFrom(0, 0, 0, 0, 1),
  resource: someResources,
});
const someRefresh = fc.record({
  do: fc.constant('refresh' as const),
  grant: index,
  isSpent: fc.constantFrom(false, false, false, false, true),
  scope: fc.constantFrom('', '', 'read'),
  resource: someResources,
});
const somePassword = fc.record({
  do: fc.constant('password' as const),
  client: index,
  user: someUser,
  resource: someResources,
});
const someClientCredentials = fc.record({
  do: fc.constant('client-credentials' as const),
  client: index,
  resource: someResources,
});
const someRevoke = fc.record({ do: fc.constant('revoke' as const), grant: index });

/** Related steps, in a row. */
const someMoves: fc.Arbitrary<readonly Step[]> = fc.oneof(
  { weight: 1, arbitrary: fc.tuple<Step[]>(someRegister) },
  { weight: 1, arbitrary: fc.tuple<Step[]>(someUpdate) },
  { weight: 5, arbitrary: fc.tuple<Step[]>(someAuthorize, wait(0, 0, 1, 5, 9, 10, 40, 59, 60), someRedeem) },
  { weight: 4, arbitrary: fc.tuple<Step[]>(wait(0, 1, 9, 10, 300, 599, 600, 601, 3_000, 7_199), someRefresh) },
  { weight: 1, arbitrary: fc.tuple<Step[]>(somePassword) },
  { weight: 1, arbitrary: fc.tuple<Step[]>(someClientCredentials) },
  { weight: 1, arbitrary: fc.tuple<Step[]>(someRevoke) },
);

/** Three applications at the start, and what they and the users do. */
export const someSteps: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.tuple<Step[]>(
      someRegister,
      someRegister,
      fc.constant({ do: 'register', isPublic: false, uris: 'https', isOfTheHouse: false }),
    ),
    fc.array(someMoves, { minLength: 22, maxLength: 22 }),
  )
  .map(([first, moves]) => [...first, ...moves.flat()]);

/** The outcome of a step as far as an application or a user can see it. */
export interface Outcome {
  readonly isRefused: boolean;
  readonly isAsked: boolean;
  /** The target of a code. */
  readonly sentTo: string | null;
  readonly expiresIn: unknown;
  readonly scope: unknown;
}

/** The earlier steps that a step refers to, and the redirect URI of its application at that time. */
interface Uses {
  readonly client?: number | undefined;
  readonly credential?: string | undefined;
  readonly redirectUri?: string;
  readonly isOnly?: boolean;
}

/** One step with its references and its outcome. */
interface Done {
  readonly step: Step;
  readonly uses: Uses;
  readonly outcome: Outcome | null;
  /** Its events are those after the first position, up to the second. */
  readonly before: number;
  readonly after: number;
}

const nothing: Outcome = { isRefused: false, isAsked: false, sentTo: null, expiresIn: null, scope: null };
const REFUSED: Outcome = { ...nothing, isRefused: true };

/** Performs steps at a server, or repeats those of another server. */
export async function drive(
  running: RunningService,
  steps: readonly Step[],
  again?: readonly Done[],
): Promise<readonly Done[]> {
  const users = [await running.addUser('ada'), await running.addUser('charles')];
  const browsers = await Promise.all(
    users.map(async ({ username, password }) => {
      const browser = running.browser();
      await browser.logIn(username, password);
      return browser;
    }),
  );
  const done: Done[] = [];
  const world = createWorld();
  for (const [nr, step] of steps.entries()) {
    const uses = again?.[nr]?.uses ?? world.choose(step);
    const before = running.log.head();
    const outcome = await perform(nr, step, uses);
    done.push({ step, uses, outcome, before, after: running.log.head() });
  }
  return done;

  async function perform(nr: number, step: Step, uses: Uses): Promise<Outcome | null> {
    const client = uses.client === undefined ? undefined : world.clients.get(uses.client);
    const credential = uses.credential === undefined ? undefined : world.credentials.get(uses.credential);
    if (step.do === 'wait') {
      running.clock.advance(step.seconds);
      return null;
    }
    if (step.do === 'register') return registerAt(nr, step);
    if (uses.client === undefined) return null;
    if (client === undefined) return REFUSED; // it was never registered here
    if (step.do === 'update') return update(uses.client, client, step);
    if (step.do === 'authorize') return authorize(nr, client, uses, step);
    if (step.do === 'password')
      return tokens(nr, client, { grant_type: 'password', ...(users[step.user] ?? users[0]) }, step.resource);
    if (step.do === 'client-credentials')
      return tokens(nr, client, { grant_type: 'client_credentials' }, step.resource);
    if (uses.credential === undefined) return null;
    if (credential === undefined) return REFUSED; // it was never given here
    if (step.do === 'revoke') {
      await running.post('/o/revoke_token/', identified(client, { token: credential.value }), authorization(client));
      return null;
    }
    if (step.do === 'refresh')
      return tokens(
        nr,
        client,
        { grant_type: 'refresh_token', refresh_token: credential.value, scope: step.scope },
        step.resource,
      );
    const { pkce, redirectUri, isNamed } = credential;
    const verifier = pkce === 'none' ? {} : { code_verifier: PKCE.verifier };
    return tokens(
      nr,
      client,
      {
        grant_type: 'authorization_code',
        code: credential.value,
        ...(isNamed ? { redirect_uri: redirectUri } : {}),
        ...verifier,
      },
      step.resource,
    );
  }

  async function registerAt(
    nr: number,
    { isPublic, uris: chosen, isOfTheHouse }: Extract<Step, { do: 'register' }>,
  ): Promise<Outcome> {
    const grantTypes = [
      'authorization-code',
      ...(isPublic ? [] : ['client-credentials' as const]),
      'password',
    ] as const;
    try {
      const client = await running.addClient({
        name: `App ${nr}`,
        clientType: isPublic ? 'public' : 'confidential',
        grantTypes,
        redirectUris: REDIRECT_URIS[chosen],
        skipAuthorization: isOfTheHouse,
        accessTokenFormat: nr % 2 === 0 ? 'opaque' : 'jwt',
      });
      world.registered(nr, client, chosen, isPublic);
      return nothing;
    } catch {
      return REFUSED;
    }
  }

  async function update(
    nr: number,
    client: TestClient,
    { uris: chosen }: Extract<Step, { do: 'update' }>,
  ): Promise<Outcome> {
    const registered = running.service().projections.clients.find(client.id);
    if (registered === undefined) return REFUSED;
    const { clientId, name, clientType, grantTypes, allowedOrigins, skipAuthorization, accessTokenFormat } = registered;
    const refusal = await running.service().registration.update(
      clientId,
      {
        name,
        clientType,
        grantTypes,
        redirectUris: REDIRECT_URIS[chosen],
        allowedOrigins,
        skipAuthorization,
        accessTokenFormat,
      },
      { actor: { kind: 'operator' }, requestId: null },
    );
    if (refusal !== undefined) return REFUSED;
    world.registered(nr, client, chosen);
    return nothing;
  }

  async function authorize(
    nr: number,
    { id }: TestClient,
    { redirectUri = '', isOnly = false }: Uses,
    step: Extract<Step, { do: 'authorize' }>,
  ): Promise<Outcome> {
    const { user, pkce, scope: wanted, resource: named } = step;
    const isNamed = step.isNamed || !isOnly;
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: id,
      ...(isNamed ? { redirect_uri: redirectUri } : {}),
      ...(wanted === '' ? {} : { scope: wanted }),
    });
    if (pkce !== 'none')
      for (const [name, value] of [
        ['code_challenge', pkce === 'plain' ? PKCE.verifier : PKCE.challenge],
        ['code_challenge_method', pkce],
      ] as const)
        query.set(name, value);
    for (const each of named) query.append('resource', each);
    const browser = browsers[user] as BrowserSession;
    const shown = await browser.get(`/o/authorize/?${query.toString()}`);
    const answered = shown.status === 200 ? await browser.submit(shown, { allow: 'Authorize' }) : shown;
    const code =
      answered.location === null ? null : new URL(answered.location, 'http://localhost').searchParams.get('code');
    if (code === null) return REFUSED;
    world.credentials.set(`code of ${nr}`, { value: code, pkce, redirectUri, isNamed });
    return { ...nothing, isAsked: shown.status === 200, sentTo: answered.location?.split('?')[0] ?? null };
  }

  async function tokens(
    nr: number,
    client: TestClient,
    parameters: Readonly<Record<string, string>>,
    named: readonly string[],
  ): Promise<Outcome> {
    const body = new URLSearchParams(identified(client, parameters));
    for (const each of named) body.append('resource', each);
    const { status, json }: Answer = await running.post('/o/token/', body.toString(), authorization(client));
    if (status !== 200) return REFUSED;
    const refresh = json?.['refresh_token'];
    if (typeof refresh === 'string')
      world.credentials.set(`refresh token of ${nr}`, {
        value: refresh,
        pkce: 'none',
        redirectUri: '',
        isNamed: false,
      });
    return { ...nothing, expiresIn: json?.['expires_in'], scope: json?.['scope'] };
  }
}

const authorization = ({ secret, basic }: TestClient): Record<string, string> =>
  secret === '' ? {} : { authorization: basic };
const identified = ({ id, secret }: TestClient, parameters: Readonly<Record<string, string>>): Record<string, string> =>
  secret === '' ? { ...parameters, client_id: id } : { ...parameters };

interface Credential {
  readonly value: string;
  readonly pkce: Pkce;
  readonly redirectUri: string;
  readonly isNamed: boolean;
}

/** The results of steps, by their numbers. */
function createWorld() {
  const clients = new Map<number, TestClient>();
  const credentials = new Map<string, Credential>();
  const registrations = new Map<number, { readonly uris: Uris; readonly isPublic: boolean }>();
  /** Of each grant: its user, and the names of its code and refresh tokens, newest last. */
  const grants: { readonly client: number; readonly credentials: string[] }[] = [];
  let made = -1;

  return {
    clients,
    credentials,
    registered(nr: number, client: TestClient, uris: Uris, isPublic = registrations.get(nr)?.isPublic ?? false): void {
      clients.set(nr, client);
      registrations.set(nr, { uris, isPublic });
    },

    choose(step: Step): Uses {
      made += 1;
      if (step.do === 'wait' || step.do === 'register') return {};
      if ('client' in step) {
        const known = [...clients.keys()].filter(
          (nr) => step.do !== 'client-credentials' || registrations.get(nr)?.isPublic === false,
        );
        const client = known.at(-1 - step.client);
        if (client !== undefined && step.do === 'authorize') grants.push({ client, credentials: [`code of ${made}`] });
        if (client !== undefined && step.do === 'password')
          grants.push({ client, credentials: [`refresh token of ${made}`] });
        const uris = REDIRECT_URIS[registrations.get(client ?? -1)?.uris ?? 'https'];
        return step.do === 'authorize'
          ? { client, redirectUri: uris[step.uri % uris.length] ?? '', isOnly: uris.length === 1 }
          : { client };
      }
      const kind = step.do === 'redeem' ? 'code' : 'refresh token';
      const having = grants.filter((grant) =>
        grant.credentials.some((name) => name.startsWith(kind) && credentials.has(name)),
      );
      const grant = having.at(-1 - step.grant);
      const there = grant?.credentials.filter((name) => name.startsWith(kind) && credentials.has(name)) ?? [];
      const credential = there.at('isSpent' in step && step.isSpent ? -2 : -1);
      if (grant !== undefined && step.do !== 'revoke') grant.credentials.push(`refresh token of ${made}`);
      return { client: grant?.client, credential };
    },
  };
}
