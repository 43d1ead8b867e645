import { join } from 'node:path';
import { startServer } from '../../scripts/bench/server-process.ts';
import { withTemporaryDirectory } from '../../scripts/bench/temporary-directory.ts';

/** A server that creates files all the time, and ignores signals that it can ignore. */
const WRITER = `
  const { writeFileSync, mkdirSync } = require('node:fs');
  process.on('SIGTERM', () => {});
  console.log('ready');
  for (let file = 0; ; file += 1) {
    mkdirSync('files/' + (file % 50), { recursive: true });
    writeFileSync('files/' + (file % 50) + '/' + file, '');
  }
`;

// Runs servers in a temporary directory until a signal: `bench-target.ts PARENT [end]`. Prints their process ids.
const [parent = '', mode] = process.argv.slice(2);
await withTemporaryDirectory(parent, async (directory) => {
  const servers = await Promise.all(
    ['a', 'b'].map((name) =>
      startServer({
        command: [process.execPath, '-e', WRITER],
        cwd: directory,
        core: undefined,
        output: join(directory, `${name}.log`),
        readyPattern: /ready/,
      }),
    ),
  );
  process.stdout.write(`${servers.map(({ pid }) => pid).join(' ')}\n`);
  if (mode === 'end') throw new Error('the measurement failed');
  await new Promise(() => setInterval(() => {}, 60_000));
});
