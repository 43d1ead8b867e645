import { expect } from 'chai';
import { runCommand } from '../../src/cli/command-line.ts';
import { readDocument, sectionOf, tableRows } from '../support/documents.ts';
import { withoutDatabase } from '../support/without-database.ts';

/** The output of `grantlog COMMAND --help`. No command runs, so nothing else is read or opened. */
async function helpOf(args: readonly string[]): Promise<string> {
  let printed = '';
  const unused = (): never => expect.fail('only help is printed');
  const status = await runCommand([...args, '--help'], {
    version: '1',
    readSettings: unused,
    open: unused,
    inspect: unused,
    now: unused,
    ...withoutDatabase,
    serve: unused,
    terminal: {
      signal: new AbortController().signal,
      readInput: unused,
      out: async (text) => void (printed += text),
      err: (text) => expect.fail(text),
    },
  });
  expect(status).to.equal(0);
  return printed;
}

async function commandsBelow(args: readonly string[]): Promise<readonly string[]> {
  const [, listed = ''] = (await helpOf(args)).split('\nCommands:\n');
  const [commands = ''] = listed.split('\n\n');
  return [...commands.matchAll(/^ {2}([\w-]+)/gm)].map(([, name = '']) => name);
}

describe('The table of commands', () => {
  const documented = tableRows(sectionOf(readDocument('docs/operations.md'), '## Commands'))
    .flatMap(([first = '']) => namesIn(first))
    .map((command) => command.split(' '));

  it('has every command, and no others', async () => {
    const names = documented.map(([name]) => name);
    expect([...new Set(names)]).to.have.members(await commandsBelow([]));
  });

  it('has every command of a group, and no others', async () => {
    for (const group of new Set(documented.filter(([, below]) => below !== undefined).map(([name = '']) => name))) {
      const below = documented.filter(([name]) => name === group).map(([, name]) => name);
      expect([...new Set(below)], group).to.have.members(await commandsBelow([group]));
    }
  });
});

/** `log tail\|export` names two commands; uppercase words are arguments. */
function namesIn(cell: string): readonly string[] {
  const [, code = ''] = /^`([^`]+)`/.exec(cell) ?? [];
  const [group = '', below] = code.split(' ').filter((word) => /^[a-z]/.test(word));
  if (below === undefined || group === 'import') return [group];
  return below.split('\\|').map((name) => `${group} ${name}`);
}
