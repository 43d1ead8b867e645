import { printOne, type CliContext } from './context.ts';
import { escapeControls, formatCell } from './print.ts';

type Row = Readonly<Record<string, unknown>>;

interface Change {
  /** The name of the changed thing, for the reader. */
  readonly name: string;
  readonly show: () => Promise<Row>;
  readonly change: () => Promise<Row>;
}

/** The time of a change and of the last use are not what was changed. */
const NOT_CHANGED_BY_COMMANDS = /_(?:at|position)$/;

/** Prints what a command changed: one line per member, with the earlier value. JSON has the whole object instead. */
export async function printChanges(
  context: CliContext,
  { name, show, change }: Change,
  options: { readonly json?: true },
): Promise<void> {
  if (options.json) return printOne(context, await change(), options);
  const [before, after] = [await show(), await change()];
  const lines = Object.entries(after)
    .filter(([member]) => !NOT_CHANGED_BY_COMMANDS.test(member))
    .map(([member, value]) => [member, formatCell(before[member]), formatCell(value)] as const)
    .filter(([, was, is]) => was !== is)
    .map(([member, was, is]) => `${member}: ${is} (was ${was})\n`);
  const shown = escapeControls(name);
  await context.terminal.out(
    lines.length === 0 ? `${shown} had these values already; nothing changed\n` : lines.join(''),
  );
}
