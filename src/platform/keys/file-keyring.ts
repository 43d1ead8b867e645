import { closeSync, fstatSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createChangeReader, openIfExists, readBytes } from '../files/change-reader.ts';
import { PROCESS_NAME, withFileLock } from '../files/file-lock.ts';
import { appendDurably, readIfExists, replaceFile } from '../files/private-files.ts';
import { damagedLineNumbers, encodeId, formatKeyLine, parseKeyLines, type KeyLine } from './key-lines.ts';
import type { Keyring } from './keyring.ts';

/**
 * Opens the key file at `path`. New keys are appended, and destroying a key replaces the file. A damaged line is kept,
 * so that it can be repaired, until its id is destroyed or `dropDamagedLines` is called. Lines without a checksum, from
 * earlier releases, get one immediately.
 *
 * Any number of processes can share the file. Each write holds a lock file and starts from the current content, so no
 * write is lost, and no destroyed key reappears. Each `find` checks whether the file has changed.
 */
export async function openFileKeyring<Id extends string>(path: string): Promise<Keyring<Id>> {
  const readChanges = createChangeReader(path);
  const keys = new Map<string, Buffer>();
  /** The ids of keys that must be destroyed but may still be in the file. */
  const idsToDestroy = new Set<string>();
  let lines: KeyLine[] = [];
  let endsWithNewline = true;
  let isCurrent = false;

  function load(): void {
    const changes = readChanges();
    if (changes === undefined) return;
    const { isWholeFile, text } = changes;
    const newLines = parseKeyLines(text);
    if (isWholeFile) {
      lines = newLines;
      forgetMissingKeys();
    } else {
      if (!endsWithNewline) lines.pop(); // `text` repeats the incomplete line
      lines.push(...newLines);
    }
    endsWithNewline = text === '' || text.endsWith('\n');
    for (const { encodedId, key } of newLines)
      if (key !== undefined && keys.get(encodedId)?.equals(key) !== true) keys.set(encodedId, key);
  }

  /** Forgets keys without a line. A key with a damaged line is kept, so that a backup still contains it. */
  function forgetMissingKeys(): void {
    const encodedIds = new Set(lines.map(({ encodedId }) => encodedId));
    for (const [encodedId, key] of keys) {
      if (encodedIds.has(encodedId)) continue;
      key.fill(0);
      keys.delete(encodedId);
    }
  }

  /** Reads changes at most once until the next microtask. After an error, the loaded keys stay in use. */
  function loadOnce(): void {
    if (isCurrent) return;
    isCurrent = true;
    queueMicrotask(() => (isCurrent = false));
    try {
      load();
    } catch {
      // the next write reports the error
    }
  }

  const withLock = <Result>(action: () => Result): Promise<Result> => withFileLock(`${path}.lock`, action);

  function append(encodedId: string, key: Buffer): Buffer {
    const separator = endsWithNewline ? '' : '\n'; // ends a truncated line, which would merge with the new one
    appendDurably(path, `${separator}${formatKeyLine(encodedId, key)}\n`);
    load();
    const storedKey = keys.get(encodedId);
    if (storedKey?.equals(key) !== true) throw new Error(`${path} does not contain the key that was written to it`);
    return storedKey;
  }

  /** Rewrites the file without the lines that `isRemoved` selects. Lines without a checksum get one. */
  function rewriteWithout(isRemoved: (line: KeyLine) => boolean): void {
    removeTemporaryFiles(path);
    rewriteLines(path, isRemoved);
    load();
    lines = lines.filter((line) => !isRemoved(line)); // needed only if the file is missing
    forgetMissingKeys();
  }

  function remove(isRemoved: (line: KeyLine) => boolean): void {
    load();
    if (lines.some(isRemoved) || hasTemporaryFiles(path)) rewriteWithout(isRemoved);
  }

  load();
  const needsUpgrade = lines.some(
    ({ encodedId, text, key }) => key !== undefined && text !== formatKeyLine(encodedId, key),
  );
  if (needsUpgrade) await withLock(() => rewriteWithout(() => false));
  // If this fails, the next change tries again.
  else if (hasTemporaryFiles(path)) await withLock(() => removeTemporaryFiles(path)).catch(() => {});

  return {
    location: path,
    advice:
      'stop the server, restore a backup into another directory (grantlog restore FILE DIR), and replace the damaged ' +
      `lines with the lines for the listed ids from DIR/keys/${basename(path)}`,
    find(id) {
      loadOnce();
      const encodedId = encodeId(id);
      return idsToDestroy.has(encodedId) ? undefined : keys.get(encodedId);
    },
    ids() {
      loadOnce();
      return [...keys.keys()]
        .filter((encodedId) => !idsToDestroy.has(encodedId))
        .map((encodedId) => decodeURIComponent(encodedId) as Id);
    },
    add(id, key) {
      const encodedId = encodeId(id);
      return withLock(() => {
        load();
        if (idsToDestroy.has(encodedId)) remove((line) => line.encodedId === encodedId);
        idsToDestroy.delete(encodedId);
        return keys.get(encodedId) ?? append(encodedId, key);
      });
    },
    async destroy(id) {
      const encodedId = encodeId(id);
      idsToDestroy.add(encodedId);
      await withLock(() => remove((line) => line.encodedId === encodedId));
      idsToDestroy.delete(encodedId);
    },
    async refresh() {
      loadOnce();
    },
    damagedLines() {
      loadOnce();
      return damagedLineNumbers(lines);
    },
    async dropDamagedLines() {
      await withLock(() => remove(({ key }) => key === undefined));
    },
  };
}

/**
 * Rewrites the file at `path` without some lines; does nothing if the file does not exist. If another process has taken
 * over the lock of this process and appended lines in the meantime, they are copied from the old file to the new one.
 */
function rewriteLines(path: string, isRemoved: (line: KeyLine) => boolean): void {
  const oldFile = openIfExists(path);
  if (oldFile === undefined) return;
  try {
    const { size } = fstatSync(oldFile);
    const keptLines = parseKeyLines(readBytes(oldFile, 0, size).toString('latin1')).filter((line) => !isRemoved(line));
    const texts = keptLines.map(({ encodedId, text, key }) =>
      key === undefined ? text : formatKeyLine(encodedId, key),
    );
    const content = Buffer.from(texts.map((text) => `${text}\n`).join(''), 'latin1');
    replaceFile(path, content, temporaryPath(path));
    const appendedBytes = readBytes(oldFile, size, Math.max(size, fstatSync(oldFile).size));
    if (appendedBytes.length > 0) appendDurably(path, appendedBytes);
  } finally {
    closeSync(oldFile);
  }
}

/** Returns a path unique to this process, so that a process that was suspended cannot write to another's file. */
const temporaryPath = (path: string): string => `${path}.${PROCESS_NAME}.new`;

function listTemporaryFiles(path: string): readonly string[] {
  const prefix = `${basename(path)}.`;
  return readdirSync(dirname(path)).filter((name) => name.startsWith(prefix) && name.endsWith('.new'));
}

const hasTemporaryFiles = (path: string): boolean => listTemporaryFiles(path).length > 0;

/** Removes temporary files that a crash left behind, because they contain keys. */
function removeTemporaryFiles(path: string): void {
  for (const name of listTemporaryFiles(path)) rmSync(join(dirname(path), name), { force: true });
}

/** Returns the numbers of the damaged lines in the file at `path`, starting at 1. Does not write. */
export function findDamagedLines(path: string): readonly number[] {
  return damagedLineNumbers(parseKeyLines(readIfExists(path) ?? ''));
}

/** Durably writes a key file that contains `keys`. */
export function writeKeyring(path: string, keys: Iterable<readonly [string, Buffer]>): void {
  replaceFile(path, [...keys].map(([id, key]) => `${formatKeyLine(encodeId(id), key)}\n`).join(''));
}
