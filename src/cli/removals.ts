import type { Command } from 'commander';
import { confirm, withYesOption } from './confirm.ts';
import { callOnce, printOne, withJsonOption, type CliContext } from './context.ts';
import { escapeControls } from './print.ts';
import type { Forecast } from './removal-facts.ts';

/** A removal that cannot be undone, and that also affects what depends on the removed thing. */
interface Removal {
  /** The name of the group of commands. */
  readonly group: string;
  /** The member of the input that identifies the thing to remove. */
  readonly member: string;
  readonly argument: string;
  readonly argumentDescription: string;
  /** The description of `remove`. */
  readonly description: string;
  /** Completes "This cannot be undone: …". */
  readonly consequence: (name: string) => string;
  readonly done: (name: string) => string;
  /** Describes in a sentence what depends on the thing. */
  readonly facts: (forecast: Forecast) => string;
  /** See `confirm`. */
  readonly runsInScripts?: boolean;
}

type Options = { readonly json?: true };

/** Adds `remove` and `forecast`. At a terminal, `remove` prints the forecast before it asks. */
export function removalCommands(commands: Command, context: CliContext, removal: Removal): void {
  const {
    group,
    member,
    argument,
    argumentDescription,
    description,
    consequence,
    done,
    facts,
    runsInScripts = false,
  } = removal;

  withYesOption(
    withJsonOption(commands.command('remove').description(description).argument(argument, argumentDescription)),
    runsInScripts ? 'optional' : 'required',
  ).action(async (name: string, { yes, ...options }: Options & { readonly yes?: true }) => {
    const describeConsequence = async (): Promise<string> => {
      context.terminal.err(`${facts(await callOnce(context, `${group} forecast`, { [member]: name }))}\n`);
      return consequence(escapeControls(name));
    };
    await confirm(context.terminal, { yes, consequence: describeConsequence, runsInScripts });
    const result = await callOnce(context, `${group} remove`, { [member]: name });
    if (options.json) await printOne(context, result, options);
    else await context.terminal.out(`${done(escapeControls(name))}\n`);
  });

  withJsonOption(
    commands
      .command('forecast')
      .description('count what depends on it; if the numbers are not exact, they are lower bounds')
      .argument(argument, argumentDescription),
  ).action(async (name: string, options: Options) => {
    await printOne(context, await callOnce(context, `${group} forecast`, { [member]: name }), options);
  });
}
