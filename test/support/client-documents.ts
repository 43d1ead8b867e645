import type { Socket } from 'node:net';
import { hostileServer, type HostileServer } from './hostile-server.ts';
import type { RunningService } from './running-service.ts';

/** The address of the document in most tests. Its host stands for the local server that the test starts. */
export const DOCUMENT_URL = 'https://app.example/oauth/client.json';

/** A complete document of a public client. */
export function documentOf(changes: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return {
    client_id: DOCUMENT_URL,
    client_name: 'Example Agent',
    redirect_uris: ['https://app.example/callback', 'http://localhost/callback'],
    token_endpoint_auth_method: 'none',
    ...changes,
  };
}

/** Lets requests for documents of any host reach the local server, with http, until the returned function is called. */
export function serveDocumentsAt(running: RunningService, { port }: Pick<HostileServer, 'port'>): () => void {
  const { egress } = running.service();
  const { readJson } = egress;
  Object.assign(egress, {
    readJson: (...[purpose, url]: Parameters<typeof readJson>) =>
      readJson(purpose, url.replace(/^https:\/\/[^/]+/, `http://127.0.0.1:${port}`)),
  });
  return () => void Object.assign(egress, { readJson });
}

export interface DocumentServer extends HostileServer {
  /** Answers the following requests with this document. */
  publish(document: unknown): void;
  /** Answers the following requests in any way. */
  answer(respond: (socket: Socket, request: string) => void): void;
}

export async function documentServer(document: unknown = documentOf()): Promise<DocumentServer> {
  let respond = publishing(document);
  const server = await hostileServer((socket, request) => respond(socket, request));
  return {
    ...server,
    requests: server.requests,
    publish: (next) => void (respond = publishing(next)),
    answer: (next) => void (respond = next),
  };
}

function publishing(document: unknown): (socket: Socket, request: string) => void {
  const body = typeof document === 'string' ? document : JSON.stringify(document);
  return (socket) => void socket.end(httpResponse(body));
}

/** A complete response. */
export function httpResponse(body: string | Buffer, headers: readonly string[] = [], status = '200 OK'): string {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const type = headers.some((header) => /^content-type/i.test(header)) ? [] : ['Content-Type: application/json'];
  return [`HTTP/1.1 ${status}`, length, 'Connection: close', ...type, ...headers, '', String(body)].join('\r\n');
}
