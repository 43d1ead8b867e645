import { keyDirectory } from '../../src/platform/keys/key-directory.ts';
import { keyTexts } from '../../src/platform/keys/keys.ts';
import { systemEntropy } from '../../src/platform/ports.ts';

/** A node that opens the keys in a directory for the first time: `DIRECTORY`. Prints them. */
const keys = await keyDirectory(process.argv[2] ?? '').open(systemEntropy(), { isNew: true, mayPredateLogKey: true });
console.log(JSON.stringify(keyTexts(keys)));
