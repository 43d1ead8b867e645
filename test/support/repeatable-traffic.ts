import fc from 'fast-check';
import { keyPairFor } from './assertions.ts';
import type { BrowserSession } from './browser-session.ts';
import { clientDocument, startDocumentServer, httpResponse, serveDocumentsAt } from './client-documents.ts';
import { signProof, NONCE_PERIOD_SECONDS } from './dpop.ts';
import type { TestResponse, RunningService, TestClient } from './running-service.ts';

/**
 * Traffic that can be repeated on a server with different settings. A step refers to a client, a code or a refresh
 * token by the number of the step that created it. The other server has a corresponding item or none.
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

/** The key that all clients sign proofs with. */
const PROOF_KEY = keyPairFor('ES256', 'of repeatable traffic');

type Uris = keyof typeof REDIRECT_URIS;
type Pkce = 'none' | 'S256' | 'plain';

/** RFC 7636 appendix B. */
const PKCE = {
  verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
};

/** A step. Its numbers select existing items. */
export type Step =
  | { readonly kind: 'register'; readonly isPublic: boolean; readonly uris: Uris; readonly isTrusted: boolean }
  | { readonly kind: 'describe' }
  | { readonly kind: 'update'; readonly client: number; readonly uris: Uris }
  | {
      readonly kind: 'authorize';
      readonly client: number;
      readonly user: number;
      readonly scope: string;
      readonly pkce: Pkce;
      readonly resource: readonly string[];
      readonly uri: number;
      readonly sendsRedirectUri: boolean;
      readonly isPushed: boolean;
    }
  | {
      readonly kind: 'redeem';
      readonly grant: number;
      readonly resource: readonly string[];
      readonly hasProof: boolean;
    }
  | {
      readonly kind: 'refresh';
      readonly grant: number;
      readonly isUsed: boolean;
      readonly scope: string;
      readonly resource: readonly string[];
      readonly hasProof: boolean;
    }
  | {
      readonly kind: 'password';
      readonly client: number;
      readonly user: number;
      readonly resource: readonly string[];
      readonly hasProof: boolean;
    }
  | {
      readonly kind: 'client-credentials';
      readonly client: number;
      readonly resource: readonly string[];
      readonly hasProof: boolean;
    }
  | { readonly kind: 'revoke'; readonly grant: number }
  | { readonly kind: 'wait'; readonly seconds: number };

/** Generates an index that counts back from the newest item. It mostly selects a few, so that they get a history. */
const someIndex = fc.constantFrom(0, 0, 0, 0, 1, 1, 2, 3);
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
const someProof = fc.constantFrom(false, false, true);
const someScope = fc.constantFrom('', '', 'read', 'read write');
const someWait = (...seconds: readonly number[]): fc.Arbitrary<Step> =>
  fc.constantFrom(...seconds).map((duration) => ({ kind: 'wait', seconds: duration }));

const someRegistration = fc.record({
  kind: fc.constant('register' as const),
  isPublic: fc.boolean(),
  uris: someUris,
  isTrusted: fc.constantFrom(false, false, true),
});
const someUpdate = fc.record({ kind: fc.constant('update' as const), client: someIndex, uris: someUris });
const someAuthorization = fc.record({
  kind: fc.constant('authorize' as const),
  client: someIndex,
  user: someUser,
  scope: someScope,
  pkce: fc.constantFrom<Pkce>('none', 'S256', 'plain'),
  resource: someResources,
  uri: fc.nat(1),
  sendsRedirectUri: fc.boolean(),
  isPushed: fc.constantFrom(false, false, true),
});
const someRedemption = fc.record({
  kind: fc.constant('redeem' as const),
  grant: fc.constantFrom(0, 0, 0, 0, 1),
  resource: someResources,
  hasProof: someProof,
});
const someRefresh = fc.record({
  kind: fc.constant('refresh' as const),
  grant: someIndex,
  isUsed: fc.constantFrom(false, false, false, false, true),
  scope: fc.constantFrom('', '', 'read'),
  resource: someResources,
  hasProof: someProof,
});
const somePassword = fc.record({
  kind: fc.constant('password' as const),
  client: someIndex,
  user: someUser,
  resource: someResources,
  hasProof: someProof,
});
const someClientCredentials = fc.record({
  kind: fc.constant('client-credentials' as const),
  client: someIndex,
  resource: someResources,
  hasProof: someProof,
});
const someRevocation = fc.record({ kind: fc.constant('revoke' as const), grant: someIndex });

/** Generates groups of related, consecutive steps. */
const stepGroups: fc.Arbitrary<readonly Step[]> = fc.oneof(
  { weight: 1, arbitrary: fc.tuple<Step[]>(someRegistration) },
  { weight: 1, arbitrary: fc.tuple<Step[]>(someUpdate) },
  {
    weight: 5,
    arbitrary: fc.tuple<Step[]>(someAuthorization, someWait(0, 0, 1, 5, 9, 10, 40, 59, 60), someRedemption),
  },
  { weight: 4, arbitrary: fc.tuple<Step[]>(someWait(0, 1, 9, 10, 300, 599, 600, 601, 3_000, 7_199), someRefresh) },
  { weight: 1, arbitrary: fc.tuple<Step[]>(somePassword) },
  { weight: 1, arbitrary: fc.tuple<Step[]>(someClientCredentials) },
  { weight: 1, arbitrary: fc.tuple<Step[]>(someRevocation) },
);

/** Generates steps that add three registered clients and one with a document, followed by what clients and users do. */
export const someSteps: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.tuple<Step[]>(
      fc.constant({ kind: 'describe' }),
      someRegistration,
      someRegistration,
      fc.constant({ kind: 'register', isPublic: false, uris: 'https', isTrusted: false }),
    ),
    fc.array(stepGroups, { minLength: 22, maxLength: 22 }),
  )
  .map(([setupSteps, generatedSteps]) => [...setupSteps, ...generatedSteps.flat()]);

/** The part of a step's outcome that a client or user can see. */
export interface Outcome {
  /** False if the step was not performed because its client or credential does not exist. */
  readonly isSent: boolean;
  readonly isRefused: boolean;
  readonly showsConsent: boolean;
  /** The URI that the code was sent to, without its query. */
  readonly redirectTarget: string | null;
  readonly expiresIn: unknown;
  readonly scope: unknown;
}

/** The earlier steps that a step refers to, and the redirect URI of its client at that time. */
interface References {
  readonly client?: number | undefined;
  readonly credential?: string | undefined;
  readonly redirectUri?: string;
  readonly isOnlyUri?: boolean;
}

/** A step with its references and its outcome. */
export interface PerformedStep {
  readonly step: Step;
  readonly references: References;
  readonly outcome: Outcome | null;
  /** The head of the log before the step. */
  readonly headBefore: number;
  /** The head of the log after the step. */
  readonly headAfter: number;
}

const NO_OUTCOME: Outcome = {
  isSent: true,
  isRefused: false,
  showsConsent: false,
  redirectTarget: null,
  expiresIn: null,
  scope: null,
};
const REFUSED: Outcome = { ...NO_OUTCOME, isRefused: true };
const NOT_SENT: Outcome = { ...REFUSED, isSent: false };

/**
 * Reports whether a refused step has a different effect when it is repeated: it is accepted, or only one of the two
 * servers notices that a credential is reused. Refused requests are not in the log, so the effects on later steps
 * cannot be predicted.
 */
export function hasUnpredictableEffects(original: PerformedStep, repetition: PerformedStep | undefined): boolean {
  if (original.outcome?.isRefused !== true || repetition?.outcome?.isSent !== true) return false;
  return !repetition.outcome.isRefused || appendsEvents(original) !== appendsEvents(repetition);
}

const appendsEvents = ({ headBefore, headAfter }: PerformedStep): boolean => headAfter > headBefore;

/** Performs steps on a server. With `previousRun`, uses the same references as that run on another server. */
export async function performSteps(
  running: RunningService,
  steps: readonly Step[],
  previousRun?: readonly PerformedStep[],
): Promise<readonly PerformedStep[]> {
  const documents = await startDocumentServer();
  documents.respondWith((socket, request) => {
    const [, path = ''] = request.split(' ');
    socket.end(httpResponse(JSON.stringify(clientDocument({ client_id: `https://app.example${path}` }))));
  });
  serveDocumentsAt(running, documents);
  try {
    return await performAll(running, steps, previousRun);
  } finally {
    await documents.close();
  }
}

async function performAll(
  running: RunningService,
  steps: readonly Step[],
  previousRun?: readonly PerformedStep[],
): Promise<readonly PerformedStep[]> {
  const users = [await running.addUser('ada'), await running.addUser('charles')];
  const browsers = await Promise.all(
    users.map(async ({ username, password }) => {
      const browser = running.browser();
      await browser.logIn(username, password);
      return browser;
    }),
  );
  running.clock.advance(NONCE_PERIOD_SECONDS); // proofs need no nonce
  const performedSteps: PerformedStep[] = [];
  const state = createState();
  for (const [stepNumber, step] of steps.entries()) {
    const references = previousRun?.[stepNumber]?.references ?? state.choose(step);
    const headBefore = running.log.head();
    const outcome = await perform(stepNumber, step, references);
    performedSteps.push({ step, references, outcome, headBefore, headAfter: running.log.head() });
  }
  return performedSteps;

  async function perform(stepNumber: number, step: Step, references: References): Promise<Outcome | null> {
    const client = references.client === undefined ? undefined : state.clients.get(references.client);
    const credential = references.credential === undefined ? undefined : state.credentials.get(references.credential);
    if (step.kind === 'wait') {
      running.clock.advance(step.seconds);
      return null;
    }
    if (step.kind === 'register') return registerClient(stepNumber, step);
    if (step.kind === 'describe') {
      const id = `https://app.example/oauth/client-${stepNumber}.json`;
      state.addClient(stepNumber, { id, secret: '', basic: '' }, 'https', true);
      return null;
    }
    if (references.client === undefined) return null;
    if (client === undefined) return NOT_SENT; // the client is not registered on this server
    if (step.kind === 'update') return updateClient(references.client, client, step);
    if (step.kind === 'authorize') return authorize(stepNumber, client, references, step);
    if (step.kind === 'password')
      return requestTokens(stepNumber, client, { grant_type: 'password', ...(users[step.user] ?? users[0]) }, step);
    if (step.kind === 'client-credentials')
      return requestTokens(stepNumber, client, { grant_type: 'client_credentials' }, step);
    if (references.credential === undefined) return null;
    if (credential === undefined) return NOT_SENT; // the credential was not issued on this server
    if (step.kind === 'revoke') {
      await running.post('/o/revoke_token/', withClientId(client, { token: credential.value }), authorization(client));
      return null;
    }
    if (step.kind === 'refresh')
      return requestTokens(
        stepNumber,
        client,
        { grant_type: 'refresh_token', refresh_token: credential.value, scope: step.scope },
        step,
      );
    const { pkce, redirectUri, sendsRedirectUri } = credential;
    const verifier = pkce === 'none' ? {} : { code_verifier: PKCE.verifier };
    return requestTokens(
      stepNumber,
      client,
      {
        grant_type: 'authorization_code',
        code: credential.value,
        ...(sendsRedirectUri ? { redirect_uri: redirectUri } : {}),
        ...verifier,
      },
      step,
    );
  }

  async function registerClient(
    stepNumber: number,
    { isPublic, uris: chosenUris, isTrusted }: Extract<Step, { kind: 'register' }>,
  ): Promise<Outcome> {
    const grantTypes = [
      'authorization-code',
      ...(isPublic ? [] : ['client-credentials' as const]),
      'password',
    ] as const;
    try {
      const client = await running.addClient({
        name: `App ${stepNumber}`,
        clientType: isPublic ? 'public' : 'confidential',
        grantTypes,
        redirectUris: REDIRECT_URIS[chosenUris],
        skipAuthorization: isTrusted,
        accessTokenFormat: stepNumber % 2 === 0 ? 'opaque' : 'jwt',
      });
      state.addClient(stepNumber, client, chosenUris, isPublic);
      return NO_OUTCOME;
    } catch {
      return REFUSED;
    }
  }

  async function updateClient(
    stepNumber: number,
    client: TestClient,
    { uris: chosenUris }: Extract<Step, { kind: 'update' }>,
  ): Promise<Outcome> {
    const storedClient = running.service().projections.clients.find(client.id);
    if (storedClient === undefined || storedClient.document !== undefined) return REFUSED;
    const { clientId, name, clientType, grantTypes, allowedOrigins, skipAuthorization, accessTokenFormat } =
      storedClient;
    const refusal = await running.service().registration.update(
      clientId,
      {
        name,
        clientType,
        grantTypes,
        redirectUris: REDIRECT_URIS[chosenUris],
        allowedOrigins,
        skipAuthorization,
        accessTokenFormat,
      },
      { actor: { kind: 'operator' }, requestId: null },
    );
    if (refusal !== undefined) return REFUSED;
    state.addClient(stepNumber, client, chosenUris);
    return NO_OUTCOME;
  }

  async function authorize(
    stepNumber: number,
    client: TestClient,
    { redirectUri = '', isOnlyUri = false }: References,
    step: Extract<Step, { kind: 'authorize' }>,
  ): Promise<Outcome> {
    const { user, pkce, scope: requestedScope, resource: resources } = step;
    const sendsRedirectUri = step.sendsRedirectUri || !isOnlyUri;
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: client.id,
      ...(sendsRedirectUri ? { redirect_uri: redirectUri } : {}),
      ...(requestedScope === '' ? {} : { scope: requestedScope }),
    });
    if (pkce !== 'none')
      for (const [name, value] of [
        ['code_challenge', pkce === 'plain' ? PKCE.verifier : PKCE.challenge],
        ['code_challenge_method', pkce],
      ] as const)
        query.set(name, value);
    for (const uri of resources) query.append('resource', uri);
    const browser = browsers[user] as BrowserSession;
    const authorizationQuery = step.isPushed ? await push(client, query) : query;
    if (authorizationQuery === undefined) return REFUSED;
    const page = await browser.get(`/o/authorize/?${authorizationQuery.toString()}`);
    const response = page.status === 200 ? await browser.submit(page, { allow: 'Authorize' }) : page;
    const code =
      response.location === null ? null : new URL(response.location, 'http://localhost').searchParams.get('code');
    if (code === null) return REFUSED;
    state.credentials.set(`code of ${stepNumber}`, { value: code, pkce, redirectUri, sendsRedirectUri });
    return {
      ...NO_OUTCOME,
      showsConsent: page.status === 200,
      redirectTarget: response.location?.split('?')[0] ?? null,
    };
  }

  /** Pushes a request, and returns the parameters of the authorization request; undefined if it was refused. */
  async function push(client: TestClient, request: URLSearchParams): Promise<URLSearchParams | undefined> {
    const { status, json } = await running.post('/o/par/', request.toString(), authorization(client));
    const requestUri = String(json?.['request_uri']);
    return status === 201 ? new URLSearchParams({ client_id: client.id, request_uri: requestUri }) : undefined;
  }

  async function requestTokens(
    stepNumber: number,
    client: TestClient,
    parameters: Readonly<Record<string, string>>,
    { resource: resources, hasProof }: { readonly resource: readonly string[]; readonly hasProof: boolean },
  ): Promise<Outcome> {
    const body = new URLSearchParams(withClientId(client, parameters));
    for (const uri of resources) body.append('resource', uri);
    const proof = hasProof ? { dpop: await signProof(running, PROOF_KEY) } : {};
    const headers = { ...authorization(client), ...proof };
    const { status, json }: TestResponse = await running.post('/o/token/', body.toString(), headers);
    if (status !== 200) return REFUSED;
    const refresh = json?.['refresh_token'];
    if (typeof refresh === 'string')
      state.credentials.set(`refresh token of ${stepNumber}`, {
        value: refresh,
        pkce: 'none',
        redirectUri: '',
        sendsRedirectUri: false,
      });
    return { ...NO_OUTCOME, expiresIn: json?.['expires_in'], scope: json?.['scope'] };
  }
}

const authorization = ({ secret, basic }: TestClient): Record<string, string> =>
  secret === '' ? {} : { authorization: basic };
const withClientId = (
  { id, secret }: TestClient,
  parameters: Readonly<Record<string, string>>,
): Record<string, string> => (secret === '' ? { ...parameters, client_id: id } : { ...parameters });

interface Credential {
  readonly value: string;
  readonly pkce: Pkce;
  readonly redirectUri: string;
  readonly sendsRedirectUri: boolean;
}

/** Creates a store for the results of steps, keyed by step number. */
function createState() {
  const clients = new Map<number, TestClient>();
  const credentials = new Map<string, Credential>();
  const registrations = new Map<number, { readonly uris: Uris; readonly isPublic: boolean }>();
  /** For each grant, its client and the names of its code and refresh tokens, newest last. */
  const grants: { readonly client: number; readonly credentials: string[] }[] = [];
  let currentStep = -1;

  return {
    clients,
    credentials,
    addClient(
      stepNumber: number,
      client: TestClient,
      uris: Uris,
      isPublic = registrations.get(stepNumber)?.isPublic ?? false,
    ): void {
      clients.set(stepNumber, client);
      registrations.set(stepNumber, { uris, isPublic });
    },

    choose(step: Step): References {
      currentStep += 1;
      if (step.kind === 'wait' || step.kind === 'register' || step.kind === 'describe') return {};
      if ('client' in step) {
        const candidates = [...clients.keys()].filter(
          (stepNumber) => step.kind !== 'client-credentials' || registrations.get(stepNumber)?.isPublic === false,
        );
        const client = candidates.at(-1 - step.client);
        if (client !== undefined && step.kind === 'authorize')
          grants.push({ client, credentials: [`code of ${currentStep}`] });
        if (client !== undefined && step.kind === 'password')
          grants.push({ client, credentials: [`refresh token of ${currentStep}`] });
        const uris = REDIRECT_URIS[registrations.get(client ?? -1)?.uris ?? 'https'];
        return step.kind === 'authorize'
          ? { client, redirectUri: uris[step.uri % uris.length] ?? '', isOnlyUri: uris.length === 1 }
          : { client };
      }
      const credentialKind = step.kind === 'redeem' ? 'code' : 'refresh token';
      const candidates = grants.filter((grant) =>
        grant.credentials.some((name) => name.startsWith(credentialKind) && credentials.has(name)),
      );
      const grant = candidates.at(-1 - step.grant);
      const availableCredentials =
        grant?.credentials.filter((name) => name.startsWith(credentialKind) && credentials.has(name)) ?? [];
      const credential = availableCredentials.at('isUsed' in step && step.isUsed ? -2 : -1);
      if (grant !== undefined && step.kind !== 'revoke') grant.credentials.push(`refresh token of ${currentStep}`);
      return { client: grant?.client, credential };
    },
  };
}
