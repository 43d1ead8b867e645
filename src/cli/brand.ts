import type { Command } from 'commander';
import { logoUrl } from '../config/brand-logo.ts';
import { MAX_LOGO_BYTES } from '../domain/logo.ts';
import { readLogo } from '../platform/logos/read-logo.ts';
import { callOnce, commandGroup, printOne, withJsonOption, type CliContext } from './context.ts';
import { CannotRun } from './exit.ts';
import { readSmallFile } from './read-file.ts';

interface LogoOptions {
  readonly dark?: true;
  readonly remove?: true;
  readonly json?: true;
}

/** Larger files are read up to here, so that the message has their size. */
const MAX_FILE_BYTES = 10 * MAX_LOGO_BYTES;

/** The commands about the brand. `setting set` changes its name, colours and links. */
export function brandCommands(program: Command, context: CliContext): void {
  const group = commandGroup(program, 'brand', 'the brand that pages show; setting set changes its other parts');

  withJsonOption(
    group
      .command('logo')
      .description('set the logo beside the name of the server, or remove it with --remove')
      .argument('[file]', 'a PNG, JPEG or WebP of at most 24 KiB and 1024 x 1024 pixels; its metadata is removed'),
  )
    .option('--dark', 'the logo on dark pages')
    .option('--remove', 'remove the logo')
    .action(async (file: string | undefined, options: LogoOptions) => {
      if ((file === undefined) === (options.remove === undefined))
        throw new CannotRun('name a file, or give --remove; not both');
      const name = options.dark === true ? 'brandLogoDark' : 'brandLogo';
      if (file === undefined) await callOnce(context, 'setting reset', { name }, { create: true });
      else await callOnce(context, 'setting set', { name, value: readImage(file) }, { create: true });
      await printOne(context, { name, is_set: file !== undefined }, options);
    });
}

/** The image as a data URL. @throws CannotRun it is no logo */
function readImage(file: string): string {
  const read = readLogo(readSmallFile(file, MAX_FILE_BYTES));
  if ('problem' in read) throw new CannotRun(`${file}: ${read.problem}`);
  return logoUrl(read.image);
}
