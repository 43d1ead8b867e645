import { keyDirectory } from '../../src/platform/keys/key-directory.ts';
import { keyTexts } from '../../src/platform/keys/keys.ts';
import { systemEntropy } from '../../src/platform/ports.ts';

/** Opens the keys in the directory `process.argv[2]` as a new node would, and prints them. */
const keys = await keyDirectory(process.argv[2] ?? '').open(systemEntropy(), { isNew: true, mayPredateLogKey: true });
console.log(JSON.stringify(keyTexts(keys)));
