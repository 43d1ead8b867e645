import type { Socket } from 'node:net';
import { startHostileServer, type HostileServer } from './hostile-server.ts';
import type { RunningService } from './running-service.ts';

/** The URL of the document in most tests. Requests to its host reach the local server that the test starts. */
export const DOCUMENT_URL = 'https://app.example/oauth/client.json';

/** Returns a complete document for a public client. */
export function clientDocument(changes: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return {
    client_id: DOCUMENT_URL,
    client_name: 'Example Agent',
    redirect_uris: ['https://app.example/callback', 'http://localhost/callback'],
    token_endpoint_auth_method: 'none',
    ...changes,
  };
}

/** A redirect URI on the origin of `DOCUMENT_URL`. */
export const DOCUMENT_REDIRECT_URI = 'https://app.example/callback';
export const DOCUMENT_VERIFIER = 'v'.repeat(43);
/** SHA-256 of the verifier (RFC 7636 §4.2). */
const CHALLENGE = '7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM';

/** Returns the path of an authorization request from the client that the document describes. */
export function authorizePathWithDocument(parameters: Readonly<Record<string, string>> = {}): string {
  return `/o/authorize/?${new URLSearchParams({
    response_type: 'code',
    client_id: DOCUMENT_URL,
    redirect_uri: DOCUMENT_REDIRECT_URI,
    scope: 'read',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...parameters,
  }).toString()}`;
}

/** Settings that allow metadata documents from any domain, and a local server for the documents. */
export const DOCUMENT_SETTINGS = {
  clientDocuments: 'any',
  outgoingHttp: true,
  outgoingNetworks: ['127.0.0.0/8'],
} as const;

/**
 * Lets requests for documents on any host reach the local server, over HTTP, until the returned function is called.
 * @param host the host name of the local server; by default, its IP address
 */
export function serveDocumentsAt(
  running: RunningService,
  { port }: Pick<HostileServer, 'port'>,
  host = '127.0.0.1',
): () => void {
  const { egress } = running.service();
  const { readJson } = egress;
  Object.assign(egress, {
    readJson: (...[purpose, url]: Parameters<typeof readJson>) =>
      readJson(purpose, url.replace(/^https:\/\/[^/]+/, `http://${host}:${port}`)),
  });
  return () => void Object.assign(egress, { readJson });
}

export interface DocumentServer extends HostileServer {
  /** Responds to subsequent requests with this document. */
  publish(document: unknown): void;
  /** Lets `respond` handle subsequent requests. */
  respondWith(respond: (socket: Socket, request: string) => void): void;
}

export async function startDocumentServer(document: unknown = clientDocument()): Promise<DocumentServer> {
  let respond = documentResponder(document);
  const server = await startHostileServer((socket, request) => respond(socket, request));
  return {
    ...server,
    requests: server.requests,
    publish: (next) => void (respond = documentResponder(next)),
    respondWith: (next) => void (respond = next),
  };
}

function documentResponder(document: unknown): (socket: Socket, request: string) => void {
  const body = typeof document === 'string' ? document : JSON.stringify(document);
  return (socket) => void socket.end(httpResponse(body));
}

/** Formats a complete response. */
export function httpResponse(body: string | Buffer, headers: readonly string[] = [], status = '200 OK'): string {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const type = headers.some((header) => /^content-type/i.test(header)) ? [] : ['Content-Type: application/json'];
  return [`HTTP/1.1 ${status}`, length, 'Connection: close', ...type, ...headers, '', String(body)].join('\r\n');
}

/** Sends a complete response with an arbitrary body. */
export function sendBytes(socket: Socket, body: Buffer, ...headers: readonly string[]): void {
  const length = `Content-Length: ${body.length}`;
  const type = 'Content-Type: application/json';
  socket.write(['HTTP/1.1 200 OK', length, 'Connection: close', type, ...headers, '', ''].join('\r\n'));
  socket.end(body);
}
