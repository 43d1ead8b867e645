/**
 * Runs a script as operators expect of a command: `--help` says how, words that cannot be read end it with exit status 2, anything
 * else with what `run` ends with.
 * @param read throws an Error that says what is wrong with the words
 */
export async function runScript<Options extends { readonly help?: boolean }>(
  usage: string,
  read: (words: readonly string[]) => Options,
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
