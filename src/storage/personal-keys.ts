import { join } from 'node:path';
import type { UserId } from '../domain/values.ts';
import { appendDurably, makePrivateDirectory, readIfThere, replaceFile } from './private-files.ts';

/** Each user's own key: beside the log and not in it, so that it can be destroyed. */
export interface PersonalKeys {
  find(userId: UserId): Buffer | undefined;
  /** Keeps a new user's key; durable when it returns. */
  keep(userId: UserId, key: Buffer): void;
  /** Destroys a key; what was sealed with it stays unreadable from then on. Idempotent. */
  destroy(userId: UserId): void;
}

export function inMemoryPersonalKeys(): PersonalKeys {
  const keys = new Map<UserId, Buffer>();
  return {
    find: (userId) => keys.get(userId),
    keep: (userId, key) => void keys.set(userId, key),
    destroy: (userId) => void keys.delete(userId),
  };
}

const FILE = 'users.keys';

/** Puts the keys of a backup into `directory`, durable when it returns, for `openPersonalKeys` to find. */
export function restorePersonalKeys(directory: string, keys: readonly (readonly [UserId, Buffer])[]): void {
  makePrivateDirectory(directory);
  replaceFile(join(directory, FILE), keys.map(([userId, key]) => line(userId, key)).join(''));
}

/** The keys in `directory`/users.keys: one line each, appended for a new user, rewritten without an erased one. */
export function openPersonalKeys(directory: string): PersonalKeys {
  makePrivateDirectory(directory);
  const path = join(directory, FILE);
  const stored = readIfThere(path);
  const keys = parse(stored ?? '');
  let isWhole = stored === '' || stored?.endsWith('\n') === true;

  function write(): void {
    replaceFile(path, [...keys].map(([userId, key]) => line(userId, key)).join(''));
    isWhole = true;
  }

  /** Never behind a line that was torn by a crash or a full disk: the two would be read as one. */
  function append(text: string): void {
    if (!isWhole) write();
    isWhole = false;
    appendDurably(path, text);
    isWhole = true;
  }

  return {
    find: (userId) => keys.get(userId),
    keep(userId, key) {
      append(line(userId, key));
      keys.set(userId, key);
    },
    destroy(userId) {
      const key = keys.get(userId);
      if (key === undefined) return;
      keys.delete(userId);
      write();
      key.fill(0);
    },
  };
}

function line(userId: UserId, key: Buffer): string {
  return `${userId} ${key.toString('base64url')}\n`;
}

/** A torn last line is a key whose user was never registered: the event follows the key. */
function parse(text: string): Map<UserId, Buffer> {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return new Map(
    whole.split('\n').filter((entry) => entry !== '').map((entry) => {
      const [userId = '', key = ''] = entry.split(' ');
      return [userId as UserId, Buffer.from(key, 'base64url')];
    }),
  );
}
