import { execFile, spawnSync } from 'node:child_process';

/** The response, as printed in a terminal. */
export interface CurlResult {
  readonly status: number;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

export function isCurlInstalled(): boolean {
  return spawnSync('curl', ['--version']).status === 0;
}

/** Runs the real curl, without the settings and proxies of the current user. */
export function curl(...args: readonly string[]): Promise<CurlResult> {
  return new Promise((resolve, reject) => {
    execFile('curl', ['-q', '-sS', '--noproxy', '*', '-w', '\n%{http_code}', ...args], (error, stdout) => {
      if (error !== null) return reject(error);
      const end = stdout.lastIndexOf('\n');
      const text = stdout.slice(0, end);
      resolve({
        status: Number(stdout.slice(end + 1)),
        text,
        json: text.startsWith('{') ? (JSON.parse(text) as CurlResult['json']) : {},
      });
    });
  });
}
