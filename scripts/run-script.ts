/**
 * Refuses an empty value, which is usually an unset variable of a shell.
 * @throws Error that names the option, if there is one
 */
export function refuseEmptyArguments(args: readonly string[]): void {
  for (const [index, argument] of args.entries()) {
    const option = /^(--[^=]+)=$/.exec(argument)?.[1];
    if (option !== undefined) throw new Error(`${option}: must not be empty; specify a value, or omit the option`);
    if (argument !== '') continue;
    const previousWord = args[index - 1] ?? '';
    const [name, advice] = previousWord.startsWith('--')
      ? [previousWord, 'specify a value, or omit the option']
      : [`argument ${index + 1}`, 'omit it'];
    throw new Error(`${name}: must not be empty; ${advice}`);
  }
}

/**
 * Runs a script. `--help` prints the usage, even with invalid arguments. Otherwise, invalid arguments end the script
 * with exit status 2, and valid ones with the status that `run` returns.
 * @param read parses the arguments; throws an Error whose message says what is wrong with them
 */
export async function runScript<Options extends { readonly help?: boolean }>(
  usage: string,
  read: (args: readonly string[]) => Options,
  run: (options: Options) => Promise<number>,
): Promise<void> {
  const args = process.argv.slice(2);
  let options: Options;
  try {
    refuseEmptyArguments(args);
    options = read(args);
  } catch (error) {
    if (args.includes('--help')) return void process.stdout.write(usage);
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exitCode = 2;
    return;
  }
  if (options.help === true) process.stdout.write(usage);
  else process.exitCode = await run(options);
}
