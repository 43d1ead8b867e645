import { Agent, request, type IncomingMessage } from 'node:http';

/** A response that has been read completely. */
export interface HttpResult {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const FORM = 'application/x-www-form-urlencoded;charset=UTF-8';
const TEXT = 'text/plain;charset=UTF-8';

/** Larger bodies go through `fetch`, which accepts a response before the whole body has been sent. */
const MAX_CHARACTERS = 65_536;

/** Less than the five seconds after which servers close idle connections at the earliest. */
const IDLE_MILLISECONDS = 4_000;

/** Further requests wait, because a busy server refuses more connections than its backlog of 511 (`server.listen`). */
const MAX_CONNECTIONS = 256;

const agent = new Agent({ keepAlive: true, timeout: IDLE_MILLISECONDS, maxSockets: MAX_CONNECTIONS });
const decoder = new TextDecoder();

/** Closes idle connections. Call this when a server has stopped, because its successor can have the same port. */
export function closeIdleConnections(): void {
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}

/**
 * Sends a request like `fetch`, but does not follow redirects. For a small request, `fetch` would take five times the
 * processor time.
 */
export function httpRequest(url: URL, init: RequestInit): Promise<HttpResult> {
  const { method = 'GET', headers = {}, body = '', ...otherOptions } = init;
  const isPlain = Object.keys(otherOptions).length === 0 && url.protocol === 'http:' && isRecord(headers);
  const isText = typeof body === 'string' || body instanceof URLSearchParams;
  if (!isPlain || !isText || 'accept-encoding' in headers) return sendWithFetch(url, init);
  const text = body.toString();
  const isRefusedByFetch = (method === 'GET' || method === 'HEAD') && text !== '';
  return isRefusedByFetch || text.length > MAX_CHARACTERS
    ? sendWithFetch(url, init)
    : sendWithHttp(
        url,
        method,
        { ...(init.body === undefined ? {} : contentType(body)), ...lowerCaseNames(headers) },
        text,
      );
}

async function sendWithFetch(url: URL, init: RequestInit): Promise<HttpResult> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function sendWithHttp(
  url: URL,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<HttpResult> {
  const length = method === 'GET' || method === 'HEAD' ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const clientRequest = request(
      url,
      { agent, method, headers: { accept: '*/*', ...length, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode: status = 0 } = response;
          resolve({ status, headers: headersOf(response), text: decoder.decode(Buffer.concat(chunks)) });
        });
      },
    );
    clientRequest.on('error', reject);
    clientRequest.end(body);
  });
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  return headers;
}

function contentType(body: string | URLSearchParams): Readonly<Record<string, string>> {
  return { 'content-type': typeof body === 'string' ? TEXT : FORM };
}

function isRecord(headers: NonNullable<RequestInit['headers']>): headers is Record<string, string> {
  return !Array.isArray(headers) && !(headers instanceof Headers);
}

function lowerCaseNames(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
