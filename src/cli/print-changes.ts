import { printOne, type CliContext } from './context.ts';
import { escapeControls, formatCell } from './print.ts';

type Row = Readonly<Record<string, unknown>>;

interface Change {
  /** The displayed name of the changed object. */
  readonly name: string;
  readonly show: () => Promise<Row>;
  readonly change: () => Promise<Row>;
  /** Labels that replace the names of members at a terminal. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Lines about changes that no member shows, such as a new secret. */
  readonly hiddenChanges?: readonly string[];
}

/** Times and positions, such as those of the last use, can change without a command. */
const NOT_CHANGED_BY_COMMANDS = /_(?:at|position)$/;

/** Prints the members that a command changed, with their previous values; with `--json`, prints the whole object. */
export async function printChanges(
  context: CliContext,
  { name, show, change, labels = {}, hiddenChanges = [] }: Change,
  options: { readonly json?: true },
): Promise<void> {
  if (options.json) return printOne(context, await change(), options);
  const isAtTerminal = context.terminal.tableWidth !== undefined;
  const displayedLabel = (member: string): string => (isAtTerminal ? labels[member] : undefined) ?? member;
  const [previousValues, currentValues] = [await show(), await change()];
  const lines = Object.entries(currentValues)
    .filter(([member]) => !NOT_CHANGED_BY_COMMANDS.test(member))
    .map(([member, value]) => [member, formatCell(previousValues[member]), formatCell(value)] as const)
    .filter(([, oldValue, newValue]) => oldValue !== newValue)
    .map(([member, oldValue, newValue]) => `${displayedLabel(member)}: ${newValue} (was ${oldValue})`);
  const texts = [...lines, ...hiddenChanges].map((line) => `${line}\n`);
  const displayedName = escapeControls(name);
  await context.terminal.out(
    texts.length === 0 ? `${displayedName} already had these values; nothing changed\n` : texts.join(''),
  );
}
