import { browserSession } from '../../../test/support/browser-session.ts';
import { openConnection } from '../load/connection.ts';
import { REDIRECT_URI, type BenchData } from './bench-data.ts';

const CONNECTIONS = 32;
const CODE = /\r\nlocation: [^\r]*[?&]code=([^&\r]+)/i;

/** Requests codes from a running server for a logged-in user and a client that skips consent. */
export type IssueCodes = (count: number) => Promise<readonly string[]>;

/**
 * Logs a user in, and returns a function that requests codes.
 * @param scope the scope to request; the default scope if undefined
 */
export async function createCodeIssuer(
  port: number,
  { clientId, username, password }: Pick<BenchData, 'clientId' | 'username' | 'password'>,
  scope?: string,
): Promise<IssueCodes> {
  const browser = browserSession(() => `http://127.0.0.1:${port}`);
  await browser.logIn(username, password);
  const cookie = [...browser.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    ...(scope !== undefined && { scope }),
  }).toString();
  const request = `GET /o/authorize/?${query} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`;

  return async (count) => {
    const codes: string[] = [];
    let remaining = count;
    async function issueOnConnection(): Promise<void> {
      let resolveHead: (head: string) => void;
      let rejectHead: (error: Error) => void;
      const connection = await openConnection(port, {
        onResponse: (_status, _body, head) => resolveHead(head),
        onFailure: (reason) => rejectHead(new Error(reason)),
      });
      try {
        while (remaining > 0) {
          remaining -= 1;
          const head = await new Promise<string>((resolve, reject) => {
            [resolveHead, rejectHead] = [resolve, reject];
            connection.send(request);
          });
          const code = CODE.exec(head)?.[1];
          if (code === undefined) throw new Error(`no code in the response: ${head}`);
          codes.push(code);
        }
      } finally {
        connection.close();
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, issueOnConnection));
    return codes;
  };
}
