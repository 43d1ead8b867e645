import { openFileKeyring } from '../../src/platform/keys/file-keyring.ts';

/**
 * A process that changes a key file. Its arguments are `PATH NAME COUNT`. Adds COUNT keys, from NAME-0 on, and destroys
 * every third. Ends with an error if it gets the key of another process instead of one that it adds.
 */
const [path = '', name = '', count = ''] = process.argv.slice(2);

const keys = await openFileKeyring(path);
for (let index = 0; index < Number(count); index += 1) {
  const key = Buffer.alloc(32, index);
  const storedKey = await keys.add(`${name}-${index}`, key);
  if (!storedKey.equals(key)) throw new Error(`${name}-${index} is the key of another process`);
  if (index % 3 === 2) await keys.destroy(`${name}-${index}`);
}
