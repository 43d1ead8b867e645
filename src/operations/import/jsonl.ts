import { toCandidate, type Candidate, type ParsedFile } from './entry.ts';

/** Parses one entry per line, ignoring empty lines. */
export function readJsonl(text: string): ParsedFile {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line, index) => [line.trim(), `line ${index + 1}`] as const);
  return { candidates: lines.filter(([line]) => line !== '').map(([line, from]) => readLine(line, from)), skipped: [] };
}

function readLine(line: string, from: string): Candidate {
  try {
    return toCandidate(from, JSON.parse(line));
  } catch {
    // The line is not quoted, because it may contain a password.
    return { kind: '', name: '', from, entry: null, changes: [], problem: 'is not JSON' };
  }
}
