import { expect } from 'chai';
import { readDocument, sectionOf, tableRows } from '../support/documents.ts';
import { helpOf, subcommandsIn } from '../support/run-command.ts';

/** The output of `grantlog COMMAND --help`. */
async function printedHelpOf(args: readonly string[]): Promise<string> {
  const { status, out, err } = await helpOf(args);
  expect(err).to.equal('');
  expect(status).to.equal(0);
  return out;
}

async function commandsBelow(args: readonly string[]): Promise<readonly string[]> {
  return subcommandsIn(await printedHelpOf(args));
}

describe('The command table', () => {
  const documented = tableRows(sectionOf(readDocument('docs/operations.md'), '## Commands'))
    .flatMap(([first = '']) => namesIn(first))
    .map((command) => command.split(' '));

  it('lists exactly the existing commands', async () => {
    const names = documented.map(([name]) => name);
    expect([...new Set(names)]).to.have.members(await commandsBelow([]));
  });

  it('lists exactly the existing commands of each group', async () => {
    for (const group of new Set(
      documented.filter(([, subcommand]) => subcommand !== undefined).map(([name = '']) => name),
    )) {
      const subcommands = documented.filter(([name]) => name === group).map(([, name]) => name);
      expect([...new Set(subcommands)], group).to.have.members(await commandsBelow([group]));
    }
  });
});

/** `log tail\|export` names two commands; uppercase words are arguments. */
function namesIn(cell: string): readonly string[] {
  const [, code = ''] = /^`([^`]+)`/.exec(cell) ?? [];
  const [group = '', subcommand] = code.split(' ').filter((word) => /^[a-z]/.test(word));
  if (subcommand === undefined || group === 'import') return [group];
  return subcommand.split('\\|').map((name) => `${group} ${name}`);
}
