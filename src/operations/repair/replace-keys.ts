import { existsSync, mkdirSync, mkdtempSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { OperationRefused } from '../control/operation-refused.ts';
import { HEAD_FILE } from '../../audit/proofs/head-file.ts';
import { detectKeyHistory } from '../../composition/key-history.ts';
import type { Entropy } from '../../platform/ports.ts';
import type { KeyStore } from '../../platform/keys/key-store.ts';
import { KEY_LOSS_CONSEQUENCES, type KeyName } from '../../platform/keys/keys.ts';
import { syncDirectory } from '../../platform/files/private-files.ts';

interface ReplaceKeysOptions {
  readonly dataDir: string;
  readonly keyStore: KeyStore;
  /** The directory that damaged files are moved to. */
  readonly quarantine: string;
  readonly acceptLoss: boolean;
  readonly entropy: Entropy;
}

/** Files authenticated by the log's key. With a new key, they would be reported as damaged. */
const AUTHENTICATED_BY_LOG_KEY = [HEAD_FILE, 'checkpoints', 'snapshots'];

/**
 * Replaces damaged or missing keys with new ones. Returns one line per key. No other process may have the directory
 * open.
 * @throws OperationRefused if one of the keys is intact, or its loss must be accepted; nothing is written in that case
 */
export async function replaceKeys(names: readonly KeyName[], options: ReplaceKeysOptions): Promise<readonly string[]> {
  const { dataDir, keyStore, acceptLoss } = options;
  const unusableKeys = (await keyStore.findUnusable(detectKeyHistory(dataDir, true))).map(({ name }) => name);
  for (const name of new Set(names)) {
    if (!unusableKeys.includes(name)) {
      throw new OperationRefused(`the key ${name} is intact; omit it from --replace-key`);
    }
    if (name === 'log' && !acceptLoss) {
      throw new OperationRefused(`without the old key, ${KEY_LOSS_CONSEQUENCES.log}: add --accept-loss to confirm`);
    }
  }
  const results: string[] = [];
  for (const name of new Set(names)) results.push(await replaceKey(name, options));
  return results;
}

async function replaceKey(
  name: KeyName,
  { dataDir, keyStore, quarantine, entropy }: ReplaceKeysOptions,
): Promise<string> {
  const filesToMove = (name === 'log' ? AUTHENTICATED_BY_LOG_KEY : []).filter((path) =>
    existsSync(join(dataDir, path)),
  );
  mkdirSync(quarantine, { recursive: true, mode: 0o700 });
  const directory = mkdtempSync(join(quarantine, `${name}-key-`));
  for (const path of filesToMove) renameSync(join(dataDir, path), join(directory, basename(path)));
  for (const changedDirectory of [directory, quarantine, dataDir]) syncDirectory(changedDirectory);
  // Last, so that the server does not start after an interrupted repair.
  const keyFiles = await keyStore.replace(name, entropy, directory);
  const movedFiles = [...filesToMove, ...keyFiles];
  const moveNote = movedFiles.length === 0 ? '' : `; moved ${movedFiles.join(', ')} to ${directory}`;
  return `created a new ${name}.key; ${KEY_LOSS_CONSEQUENCES[name]}${moveNote}`;
}
