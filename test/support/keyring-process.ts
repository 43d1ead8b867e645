import { openFileKeyring } from '../../src/platform/keys/file-keyring.ts';

/**
 * A process that changes a key file. Its arguments are `PATH NAME COUNT`. It adds COUNT keys, starting with NAME-0, and
 * destroys every third. It fails if it gets a different process's key instead of one that it adds.
 */
const [path = '', name = '', count = ''] = process.argv.slice(2);

const keys = await openFileKeyring(path);
for (let index = 0; index < Number(count); index += 1) {
  const key = Buffer.alloc(32, index);
  const storedKey = await keys.add(`${name}-${index}`, key);
  if (!storedKey.equals(key)) throw new Error(`${name}-${index} is the key of another process`);
  if (index % 3 === 2) await keys.destroy(`${name}-${index}`);
}
