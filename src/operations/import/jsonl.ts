import { toCandidate, type Candidate, type ParsedFile } from './entry.ts';

/** Parses a file with one entry per line. Ignores empty lines. */
export function readJsonl(text: string): ParsedFile {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line, index) => [line.trim(), `line ${index + 1}`] as const);
  return {
    candidates: lines.filter(([line]) => line !== '').map(([line, location]) => readLine(line, location)),
    skipped: [],
  };
}

function readLine(line: string, location: string): Candidate {
  try {
    return toCandidate(location, JSON.parse(line));
  } catch {
    // The line is not quoted, because it may contain a password.
    return { kind: '', name: '', from: location, entry: null, changes: [], problem: 'is not JSON' };
  }
}
