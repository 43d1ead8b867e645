import type { Setup } from '../accounts/setup.ts';

/** Returns the one-time link for creating the first administrator, or undefined once an administrator exists. */
export function setupLink(service: {
  readonly setup: Pick<Setup, 'token'>;
  readonly issuer: () => string | null;
}): string | undefined {
  const token = service.setup.token();
  return token === undefined ? undefined : `${service.issuer()}/accounts/setup/?token=${token}`;
}

/** Formats the log line about the link. */
export function setupNotice(link: string): string {
  return `there is no administrator yet; create one at ${link}`;
}

export interface TerminalStyle {
  readonly columns: number;
  readonly hasColors: boolean;
}

const TEXT = ['There is no administrator yet.', 'Open this link to create one. It works once:'];

/**
 * Puts the link in a frame. In a narrow terminal, there are only lines above and below, so that the link is not broken.
 */
export function setupFrame(link: string, { columns, hasColors }: TerminalStyle): string {
  const lines = [...TEXT, '', link];
  const width = Math.max(...lines.map(({ length }) => length));
  const paint = (line: string): string => (hasColors && line === link ? `\u001B[1;36m${line}\u001B[0m` : line);
  const padLine = (line: string): string => paint(line) + ' '.repeat(width - line.length);
  const isFramed = width + 4 <= columns;
  const rule = '─'.repeat(isFramed ? width + 2 : Math.max(1, columns - 1));
  const frameLines = isFramed
    ? [`┌${rule}┐`, ...lines.map((line) => `│ ${padLine(line)} │`), `└${rule}┘`]
    : [rule, ...lines.map(paint), rule];
  return `\n${frameLines.join('\n')}\n\n`;
}
