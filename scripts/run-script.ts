/**
 * Runs a script: `--help` prints the usage, invalid arguments end it with exit status 2, otherwise `run` returns the
 * exit status.
 * @param read parses the arguments; throws an Error whose message says what is wrong with them
 */
export async function runScript<Options extends { readonly help?: boolean }>(
  usage: string,
  read: (args: readonly string[]) => Options,
  run: (options: Options) => Promise<number>,
): Promise<void> {
  let options: Options;
  try {
    options = read(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exitCode = 2;
    return;
  }
  if (options.help === true) process.stdout.write(usage);
  else process.exitCode = await run(options);
}
