import { expect } from 'chai';
import { readDocument, sectionOf, tableRows } from '../support/documents.ts';
import { printHelp, parseSubcommands } from '../support/run-command.ts';

/** Returns the output of `grantlog COMMAND --help`. */
async function readHelp(args: readonly string[]): Promise<string> {
  const { status, out, err } = await printHelp(args);
  expect(err).to.equal('');
  expect(status).to.equal(0);
  return out;
}

async function listCommands(args: readonly string[]): Promise<readonly string[]> {
  return parseSubcommands(await readHelp(args));
}

describe('The command table', () => {
  const documentedCommands = tableRows(sectionOf(readDocument('docs/operations.md'), '## Commands'))
    .flatMap(([first = '']) => parseNames(first))
    .map((command) => command.split(' '));

  it('lists exactly the existing commands', async () => {
    const names = documentedCommands.map(([name]) => name);
    expect([...new Set(names)]).to.have.members(await listCommands([]));
  });

  it('lists exactly the existing commands of each group', async () => {
    for (const group of new Set(
      documentedCommands.filter(([, subcommand]) => subcommand !== undefined).map(([name = '']) => name),
    )) {
      const subcommands = documentedCommands.filter(([name]) => name === group).map(([, name]) => name);
      expect([...new Set(subcommands)], group).to.have.members(await listCommands([group]));
    }
  });
});

/** Returns the commands in a cell. `log tail\|export` names two commands; uppercase words are arguments. */
function parseNames(cell: string): readonly string[] {
  const [, code = ''] = /^`([^`]+)`/.exec(cell) ?? [];
  const [group = '', subcommand] = code.split(' ').filter((word) => /^[a-z]/.test(word));
  if (subcommand === undefined || group === 'import') return [group];
  return subcommand.split('\\|').map((name) => `${group} ${name}`);
}
