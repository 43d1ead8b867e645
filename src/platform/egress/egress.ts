import { lookup } from 'node:dns/promises';
import type { KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import type { StartTimer, Ticks } from '../ports.ts';
import { createAddressFilter } from './address-filter.ts';
import { EgressError, type EgressOutcome } from './egress-failed.ts';
import { exchange, type ExchangeResponse, type PinnedAddress } from './exchange.ts';
import { createHostLimits, type Rate } from './host-limits.ts';
import { outgoingUrlProblem, type OutgoingUrlSettings } from './outgoing-url.ts';
import type { EgressPurpose } from './purposes.ts';
import { createResponseCache, lifetimeSeconds, type FetchedDocument } from './response-cache.ts';
import { message } from '../../language/message.ts';

/**
 * Sends the server's requests to other servers. Most of the URLs come from clients, so each request is limited in time
 * and size, and reaches only public addresses and those that the operator allows. Requests follow no redirects, send no
 * cookies, and use no proxy.
 */
export interface Egress {
  /**
   * Returns the JSON document at `url`, which may be up to an hour old.
   * @param admit called before a request is sent, which it can prevent by throwing
   * @throws EgressError if the URL must not be requested, or does not return a JSON document
   */
  getJson(purpose: EgressPurpose, url: string, admit?: () => void): Promise<unknown>;
  /**
   * Fetches the JSON document at `url`. Returns it with its text and the number of seconds for which it may be cached,
   * from 15 to 3,600.
   * @throws EgressError if the URL must not be requested, or does not return a JSON document
   */
  readJson(
    purpose: EgressPurpose,
    url: string,
  ): Promise<{ readonly document: unknown; readonly text: string; readonly lifetimeSeconds: number }>;
  /**
   * Fetches the text at `url`, which must not exceed `maxBytes`. The text is not cached.
   * @throws EgressError if the URL must not be requested, or does not return UTF-8 text
   */
  getText(purpose: EgressPurpose, url: string, maxBytes: number): Promise<string>;
  /**
   * Sends a form. Resolves if the response status is 2xx; the body is not read.
   * @throws EgressError if the URL must not be requested, or if the other server did not accept the form
   */
  postForm(purpose: EgressPurpose, url: string, form: Readonly<Record<string, string>>): Promise<void>;
  /**
   * Sends a form, or a request with an access token, and returns the JSON document in the response, which may be an
   * error (RFC 6749 §5.2). The document is not cached.
   * @throws EgressError if the URL must not be requested, or does not return a JSON document
   */
  requestJson(purpose: EgressPurpose, url: string, request: JsonRequest): Promise<JsonResponse>;
  /** Aborts the requests in progress, and sends no more. */
  close(): void;
}

/** A request to an OAuth endpoint. */
export interface JsonRequest {
  /** Null for a GET request. */
  readonly form: Readonly<Record<string, string>> | null;
  /** The value of the Authorization header; null to send none. */
  readonly authorization: string | null;
}

export interface JsonResponse {
  /** 2xx, 400 or 401. */
  readonly status: number;
  readonly document: unknown;
}

export interface EgressSettings extends OutgoingUrlSettings {
  /** The loopback and private networks that may be contacted, in CIDR notation. */
  readonly outgoingNetworks: readonly string[];
}

/**
 * Finds the addresses of a host.
 * @throws Error if the host has no address
 */
export type Resolve = (host: string) => Promise<readonly PinnedAddress[]>;

export interface EgressDeps {
  readonly settings: EgressSettings;
  readonly ticks: Ticks;
  readonly startTimer: StartTimer;
  /** Used to hash host names for rate limiting. */
  readonly key: KeyObject;
  /** Records the outcome of a request, and its duration in seconds. */
  readonly observe: (purpose: EgressPurpose, outcome: EgressOutcome, seconds: number) => void;
  /** By default, the system resolver. */
  readonly resolve?: Resolve;
}

/** The limit for a whole request, from resolving the host name to the end of the response. */
const DEADLINE_MILLISECONDS = 5_000;
const MAX_DOCUMENT_BYTES = 262_144;
const MAX_BYTES: Partial<Readonly<Record<EgressPurpose, number>>> = {
  'key-set': 65_536, // enough for twenty RSA keys with their certificates
  'client-document': 5_120, // recommended by the Client ID Metadata Document specification
  'provider-tokens': 65_536,
  'provider-userinfo': 65_536,
};
/** A lookup that outlives its request occupies a thread until the system gives up. */
const MAX_UNFINISHED_LOOKUPS = 16;

const RATES: Readonly<Record<EgressPurpose, Rate>> = {
  'sector-document': { perHost: 30, overall: 300 },
  // Anyone can make the server fetch a registered request object.
  'request-object': { perHost: 300, overall: 3_000 },
  'logout-token': { perHost: 3_000, overall: 30_000 },
  // Each document is fetched at most four times a minute. The overall limit leaves room for all cached documents.
  'key-set': { perHost: 60, overall: 6_000 },
  // Anyone can trigger these requests. While a flood exhausts the limit, existing clients rely on cached documents.
  'client-document': { perHost: 60, overall: 600 },
  // Only the operator configures providers, but anyone can begin a login, and a whole company may log in at once.
  'provider-metadata': { perHost: 60, overall: 600 },
  'provider-tokens': { perHost: 3_000, overall: 6_000 },
  'provider-userinfo': { perHost: 3_000, overall: 6_000 },
};

function unresolvedError(host: string): EgressError {
  return new EgressError('name-unresolved', message('egress.unresolved', { host }));
}

const systemResolve: Resolve = (host) => lookup(host, { all: true });

export function createEgress(deps: EgressDeps): Egress {
  const { settings, ticks, startTimer, observe, resolve = systemResolve } = deps;
  const filter = createAddressFilter(settings.outgoingNetworks);
  const limits = createHostLimits(ticks, deps.key);
  const cache = createResponseCache(ticks);
  const activeRequests = new Set<AbortController>();
  let unfinishedLookups = 0;
  let isClosed = false;

  async function lookUp(host: string): Promise<readonly PinnedAddress[]> {
    if (unfinishedLookups >= MAX_UNFINISHED_LOOKUPS) throw new EgressError('overloaded', message('egress.resolving'));
    unfinishedLookups += 1;
    try {
      return await resolve(host);
    } catch {
      throw unresolvedError(host);
    } finally {
      unfinishedLookups -= 1;
    }
  }

  /**
   * Resolves the host, and checks every address, because a name with both public and private addresses is an attack or
   * a mistake.
   */
  async function resolveHost({ hostname }: URL, whenAborted: Promise<never>): Promise<readonly PinnedAddress[]> {
    const host = hostname.replace(/^\[|\]$/g, '');
    const family = isIP(host);
    const addresses = family === 0 ? await Promise.race([lookUp(host), whenAborted]) : [{ address: host, family }];
    if (addresses.length === 0) throw unresolvedError(host);
    for (const { address } of addresses) {
      const kind = filter.refusedKind(address);
      if (kind !== undefined) throw new EgressError('address-refused', message('egress.address', { kind }));
    }
    return addresses;
  }

  type Options = Pick<Parameters<typeof exchange>[0], 'method' | 'headers' | 'body' | 'maxBytes' | 'errorStatuses'>;

  async function send(purpose: EgressPurpose, url: URL, options: Options): Promise<ExchangeResponse> {
    if (isClosed) throw stoppingError();
    const leave = limits.enter(purpose, url.host, RATES[purpose]);
    const controller = new AbortController();
    activeRequests.add(controller);
    const whenAborted = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason as EgressError));
    });
    whenAborted.catch(() => undefined); // avoids an unhandled rejection; `exchange` rejects with the same error
    const timeout = new EgressError('timed-out', message('egress.late', { seconds: DEADLINE_MILLISECONDS / 1000 }));
    const stopTimer = startTimer(DEADLINE_MILLISECONDS, () => controller.abort(timeout));
    try {
      const addresses = await resolveHost(url, whenAborted);
      return await exchange({ url, addresses, ...options, signal: controller.signal });
    } finally {
      stopTimer();
      activeRequests.delete(controller);
      leave();
    }
  }

  async function sendMeasured(purpose: EgressPurpose, urlText: string, options: Options): Promise<ExchangeResponse> {
    const startedAt = ticks();
    let outcome: EgressOutcome = 'connection-failed';
    try {
      const problem = outgoingUrlProblem(urlText, settings);
      if (problem !== undefined) throw new EgressError('url-refused', message('egress.url', { problem }));
      const response = await send(purpose, new URL(urlText), options);
      outcome = 'ok';
      return response;
    } catch (error) {
      if (error instanceof EgressError) ({ outcome } = error);
      throw error;
    } finally {
      observe(purpose, outcome, (ticks() - startedAt) / 1000);
    }
  }

  async function fetchDocument(purpose: EgressPurpose, url: string): Promise<FetchedDocument> {
    const headers = {
      accept: purpose === 'key-set' ? 'application/jwk-set+json, application/json' : 'application/json',
    };
    const options = { method: 'GET', headers, body: '', maxBytes: MAX_BYTES[purpose] ?? MAX_DOCUMENT_BYTES } as const;
    const response = await sendMeasured(purpose, url, options);
    if (purpose === 'client-document') requireClientDocument(response);
    return { text: jsonText(response.body), cacheControl: response.headers['cache-control'] };
  }

  return {
    async getJson(purpose, url, admit) {
      const onCached = (): void => observe(purpose, 'cached', 0);
      const fetch = async (): Promise<FetchedDocument> => {
        admit?.();
        return fetchDocument(purpose, url);
      };
      return JSON.parse(await cache.get(`${purpose} ${url}`, fetch, onCached)) as unknown;
    },

    async readJson(purpose, url) {
      const { text, cacheControl } = await fetchDocument(purpose, url);
      return { document: JSON.parse(text) as unknown, text, lifetimeSeconds: lifetimeSeconds(cacheControl) };
    },

    async getText(purpose, url, maxBytes) {
      const options = { method: 'GET', headers: { accept: '*/*' }, body: '', maxBytes } as const;
      const { body } = await sendMeasured(purpose, url, options);
      return utf8Text(body);
    },

    async postForm(purpose, url, form) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: '*/*' };
      const body = new URLSearchParams(form).toString();
      await sendMeasured(purpose, url, { method: 'POST', headers, body, maxBytes: 0 });
    },

    async requestJson(purpose, url, { form, authorization }) {
      const response = await sendMeasured(purpose, url, {
        method: form === null ? 'GET' : 'POST',
        headers: {
          accept: 'application/json',
          ...(form !== null && { 'content-type': 'application/x-www-form-urlencoded' }),
          ...(authorization !== null && { authorization }),
        },
        body: form === null ? '' : new URLSearchParams(form).toString(),
        maxBytes: MAX_BYTES[purpose] ?? MAX_DOCUMENT_BYTES,
        errorStatuses: [400, 401],
      });
      return { status: response.status, document: JSON.parse(jsonText(response.body)) as unknown };
    },

    close() {
      isClosed = true;
      for (const controller of activeRequests) controller.abort(stoppingError());
    },
  };
}

function stoppingError(): EgressError {
  return new EgressError('overloaded', message('egress.stopping'));
}

/**
 * Checks a response against the Client ID Metadata Document specification.
 * @throws EgressError if the status is not 200, or the media type is not JSON
 */
function requireClientDocument({ status, headers }: ExchangeResponse): void {
  if (status !== 200) throw new EgressError('error-status', message('egress.not-200', { status }), status);
  if (!/^application\/(?:[\w.+-]{1,64}\+)?json\s*(?:;|$)/i.test(headers['content-type'] ?? ''))
    throw new EgressError('malformed', message('egress.content-type'));
}

/**
 * Decodes UTF-8 text.
 * @throws EgressError if the bytes are not UTF-8
 */
function utf8Text(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new EgressError('malformed', message('egress.not-utf8'));
  }
}

/**
 * Decodes UTF-8 text that must be JSON. Returns the text, unparsed.
 * @throws EgressError if the bytes are not JSON in UTF-8
 */
function jsonText(bytes: Buffer): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    JSON.parse(text);
    return text;
  } catch {
    throw new EgressError('malformed', message('egress.not-json'));
  }
}
