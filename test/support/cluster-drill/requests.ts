import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { performance } from 'node:perf_hooks';

/** A response, with the start and end of its request in milliseconds on one clock. */
export interface TimedResponse {
  /** 0 if the connection ended without a response. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface Target {
  readonly name: string;
  port(): number;
  /** Reports whether the node was down during the request. Only then may a request end without a response. */
  wasDown(request: Pick<TimedResponse, 'start' | 'end'>): boolean;
}

export interface DrillRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends requests, and checks that each response is one that a client may get. */
export interface Requests {
  send(target: Target, request: DrillRequest): Promise<TimedResponse>;
  /** The number of responses by status; 0 means no response. */
  readonly statuses: Map<number, number>;
  /** Returns the duration of the slowest request, in milliseconds. */
  slowest(): number;
}

/** How long a response may take. A node waits up to ten seconds for its append. */
export const REQUEST_DEADLINE_MS = 15_000;

const EXPECTED_STATUSES = [200, 302, 303, 400, 401];

/** @param report receives a line for each response that no client may get */
export function createRequests(report: (finding: string) => void): Requests {
  const statuses = new Map<number, number>();
  let slowest = 0;

  function check(target: Target, { method, path }: DrillRequest, response: TimedResponse): void {
    const { status, headers, text, start, end } = response;
    const requestLine = `${method} ${path.split('?')[0] ?? path} on ${target.name}`;
    if (end - start > REQUEST_DEADLINE_MS) report(`${requestLine} took ${Math.round(end - start)} ms`);
    else if (status === 0 && !target.wasDown(response))
      report(`${requestLine} got no response from a running node: ${text}`);
    if (status === 503 && headers['retry-after'] === undefined)
      report(`${requestLine} got status 503 without Retry-After: ${text}`);
    if (status !== 0 && status !== 503 && !EXPECTED_STATUSES.includes(status))
      report(`${requestLine} got status ${status}: ${text.slice(0, 200)}`);
  }

  return {
    statuses,
    slowest: () => slowest,
    async send(target, request) {
      const response = await exchange(target.port(), request);
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      slowest = Math.max(slowest, response.end - response.start);
      check(target, request, response);
      return response;
    },
  };
}

/**
 * Sends the request on a separate connection: the node could close a kept-alive connection just as the request is being
 * sent.
 */
function exchange(port: number, { method, path, headers, body = '' }: DrillRequest): Promise<TimedResponse> {
  const start = performance.now();
  return new Promise((resolve) => {
    const finish = (status: number, responseHeaders: IncomingHttpHeaders, text: string): void => {
      clearTimeout(deadline);
      resolve({ status, headers: responseHeaders, text, start, end: performance.now() });
    };
    const request = httpRequest(
      { host: '127.0.0.1', port, method, path, agent: false, headers: { ...contentHeaders(body), ...headers } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.once('end', () => finish(response.statusCode ?? 0, response.headers, text));
        response.once('error', (error) => finish(0, {}, error.message));
      },
    );
    const deadline = setTimeout(() => request.destroy(new Error('no response in time')), REQUEST_DEADLINE_MS + 100);
    request.once('error', (error) => finish(0, {}, error.message));
    request.end(body);
  });
}

function contentHeaders(body: string): Readonly<Record<string, string>> {
  if (body === '') return {};
  return { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(Buffer.byteLength(body)) };
}
