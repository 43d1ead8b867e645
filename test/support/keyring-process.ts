import { openFileKeyring } from '../../src/platform/keys/file-keyring.ts';

/**
 * A process that changes a key file: `PATH NAME COUNT`. Keeps the keys NAME-0 to NAME-COUNT, and destroys every third.
 * Ends with an error if another process's keys are not found as they were written.
 */
const [path = '', name = '', count = ''] = process.argv.slice(2);

const keys = await openFileKeyring(path);
for (let index = 0; index < Number(count); index += 1) {
  const key = Buffer.alloc(32, index);
  const storedKey = await keys.add(`${name}-${index}`, key);
  if (!storedKey.equals(key)) throw new Error(`${name}-${index} is the key of another process`);
  if (index % 3 === 2) await keys.destroy(`${name}-${index}`);
}
