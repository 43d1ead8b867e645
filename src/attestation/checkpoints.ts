import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateDirectory, readIfThere, replaceFile } from '../storage/private-files.ts';

/** Signed notes by the size of the tree they vouch for. */
export interface Checkpoints {
  sizes(): readonly number[];
  find(size: number): string | undefined;
  /** Durable when it returns. */
  keep(size: number, note: string): void;
}

export function memoryCheckpoints(): Checkpoints {
  const notes = new Map<number, string>();
  return {
    sizes: () => [...notes.keys()],
    find: (size) => notes.get(size),
    keep: (size, note) => void notes.set(size, note),
  };
}

/** One file each in `directory`, named by its size. */
export function fileCheckpoints(directory: string): Checkpoints {
  makePrivateDirectory(directory);
  const pathOf = (size: number): string => join(directory, String(size));
  const sizes = readdirSync(directory).filter((name) => /^[1-9]\d*$/.test(name)).map(Number).toSorted((one, other) => one - other);
  return {
    sizes: () => sizes,
    find: (size) => readIfThere(pathOf(size)),
    keep(size, note) {
      replaceFile(pathOf(size), note);
      if (!sizes.includes(size)) sizes.push(size);
    },
  };
}
