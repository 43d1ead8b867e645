/** Shortens a JSON line of a server's log for a terminal. */
export function formatLogLine(line: string): string {
  try {
    const { method, route, status, ms, msg } = JSON.parse(line) as Readonly<
      Record<string, string | number | undefined>
    >;
    return method === undefined ? String(msg) : `${method} ${route} ${status} ${ms} ms`;
  } catch {
    return line;
  }
}
