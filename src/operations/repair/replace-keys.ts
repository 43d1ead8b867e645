import { existsSync, mkdirSync, mkdtempSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { OperationRefused } from '../control/operation-refused.ts';
import { HEAD_FILE } from '../../audit/proofs/head-file.ts';
import { detectKeysUse } from '../../composition/keys-use.ts';
import type { Entropy } from '../../platform/ports.ts';
import { findUnusableKeys, LOST_WITH_KEY, makeKey, type KeyName } from '../../platform/keys/keys.ts';
import { syncDirectory } from '../../platform/files/private-files.ts';

interface ReplaceKeysOptions {
  readonly dataDir: string;
  /** The directory that damaged files are moved to. */
  readonly aside: string;
  readonly acceptLoss: boolean;
  readonly entropy: Entropy;
}

/** Authenticated by the key of the log: with another key they would count as damaged. */
const AUTHENTICATED_BY_LOG_KEY = [HEAD_FILE, 'checkpoints', 'snapshots'];

/**
 * Replaces damaged or missing keys with new ones. Returns one line per key. No process may have the directory open.
 * @throws OperationRefused one of them is intact, or its loss has to be accepted; nothing was written
 */
export function replaceKeys(names: readonly KeyName[], replacing: ReplaceKeysOptions): readonly string[] {
  const { dataDir, acceptLoss } = replacing;
  const unusable = findUnusableKeys(join(dataDir, 'keys'), detectKeysUse(dataDir, true)).map(({ name }) => name);
  for (const name of new Set(names)) {
    if (!unusable.includes(name)) throw new OperationRefused(`the key ${name} is intact; omit --replace-key`);
    if (name === 'log' && !acceptLoss) {
      throw new OperationRefused(`without the old key, ${LOST_WITH_KEY.log}: add --accept-loss to confirm`);
    }
  }
  return [...new Set(names)].map((name) => replaceKey(name, replacing));
}

function replaceKey(name: KeyName, { dataDir, aside, entropy }: ReplaceKeysOptions): string {
  const key = join('keys', `${name}.key`);
  const putAside = (name === 'log' ? [...AUTHENTICATED_BY_LOG_KEY, key] : [key]).filter((path) =>
    existsSync(join(dataDir, path)),
  );
  mkdirSync(aside, { recursive: true, mode: 0o700 });
  const directory = mkdtempSync(join(aside, `${name}-key-`));
  for (const path of putAside) renameSync(join(dataDir, path), join(directory, basename(path)));
  for (const changed of [directory, aside, dataDir]) syncDirectory(changed);
  makeKey(join(dataDir, 'keys'), name, entropy); // last, so that an interrupted repair keeps the server from starting
  const moved = putAside.length === 0 ? '' : `; ${putAside.join(', ')} moved to ${directory}`;
  return `created a new ${name}.key; ${LOST_WITH_KEY[name]}${moved}`;
}
