import { expect } from 'chai';
import { Command } from 'commander';
import type { CliContext } from '../../src/cli/context.ts';
import { removalCommands } from '../../src/cli/removals.ts';

describe('A command that removes something permanently', () => {
  /** @param answer the operator's; undefined without a terminal */
  async function run(answer: string | undefined, ...words: readonly string[]) {
    const [shown, printed, called]: [string[], string[], string[]] = [[], [], []];
    const context: CliContext = {
      terminal: {
        out: async (text) => void printed.push(text),
        err: (text) => void shown.push(text),
        readInput: async () => expect.fail('nothing is read'),
        ask:
          answer === undefined
            ? undefined
            : async (question) => {
                shown.push(question);
                return answer;
              },
        signal: new AbortController().signal,
      },
      async *call(operation, input) {
        called.push(`${operation} ${JSON.stringify(input)}`);
        yield operation === 'provider forecast' ? { users: 3, locked_out: 1 } : {};
      },
    };
    const program = new Command();
    removalCommands(program.command('provider'), context, {
      group: 'provider',
      member: 'providerId',
      argument: '<id>',
      describes: 'its id',
      description: 'remove it',
      consequence: (id) => `nobody logs in through ${id}`,
      done: (id) => `${id} was removed`,
    });
    const failure = await program.parseAsync(['provider', ...words], { from: 'user' }).then(
      () => undefined,
      (error: Error) => error.message,
    );
    return { called, failure, shown: shown.join(''), printed: printed.join('') };
  }

  const FORECAST = 'provider forecast {"providerId":"corp"}';
  const REMOVE = 'provider remove {"providerId":"corp"}';

  it('prints the forecast at a terminal, and asks for confirmation', async () => {
    const refused = await run('n', 'remove', 'corp');
    expect(refused.shown).to.match(/users: 3\nlocked_out: 1\nThis cannot be undone: nobody logs in through corp\./);
    expect(refused).to.deep.include({ called: [FORECAST], failure: 'not confirmed; nothing was changed' });
    expect(await run('y', 'remove', 'corp')).to.deep.include({
      called: [FORECAST, REMOVE],
      printed: 'corp was removed\n',
    });
  });

  it('removes nothing in scripts without --yes, and does not ask with --yes', async () => {
    const refused = await run(undefined, 'remove', 'corp');
    expect(refused.called).to.deep.equal([]);
    expect(refused.failure).to.match(/nobody logs in through corp\. Add --yes to confirm/);
    const removed = { called: [REMOVE], failure: undefined, shown: '', printed: 'corp was removed\n' };
    expect(await run(undefined, 'remove', 'corp', '--yes')).to.deep.equal(removed);
    expect(await run('n', 'remove', 'corp', '--yes')).to.deep.equal(removed);
  });

  it('has a separate forecast command, which removes nothing', async () => {
    const { called, printed } = await run(undefined, 'forecast', 'corp', '--json');
    expect(called).to.deep.equal([FORECAST]);
    expect(JSON.parse(printed)).to.deep.equal({ users: 3, locked_out: 1 });
  });
});
