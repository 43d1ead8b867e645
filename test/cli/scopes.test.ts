import { expect } from 'chai';
import { Command } from 'commander';
import type { CliContext } from '../../src/cli/context.ts';
import { scopeCommands } from '../../src/cli/scopes.ts';

describe('grantlog scope remove', () => {
  /** @param answer the operator's answer; undefined without a terminal */
  async function remove(answer: string | undefined, ...options: readonly string[]) {
    const [shown, called]: [string[], string[]] = [[], []];
    const context: CliContext = {
      terminal: {
        out: async () => {},
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
      async *call(operation) {
        called.push(operation);
        const applications = [{ application: 'Notes', client_id: 'notes', tokens: 3 }];
        yield operation === 'scope forecast' ? { applications } : {};
      },
    };
    const program = new Command();
    scopeCommands(program, context);
    const words = ['scope', 'remove', 'invoices:read', ...options];
    const failure = await program.parseAsync(words, { from: 'user' }).then(
      () => undefined,
      (error: Error) => error.message,
    );
    return { called, failure, shown: shown.join('') };
  }

  it('shows the applications that would lose the scope at a terminal, and asks for confirmation', async () => {
    const { called, failure, shown } = await remove('n');
    expect(shown).to.match(/Notes +notes +3\nThis cannot be undone: no token will have invoices:read, .*\[y\/N\] $/);
    expect({ called, failure }).to.deep.equal({
      called: ['scope forecast'],
      failure: 'not confirmed; nothing was changed',
    });
    expect((await remove('y')).called).to.deep.equal(['scope forecast', 'scope remove']);
  });

  it('does not ask with --yes, which scripts need', async () => {
    const removed = { called: ['scope remove'], failure: undefined, shown: '' };
    expect(await remove(undefined))
      .to.deep.include({ called: ['scope forecast'] })
      .and.to.have.property('failure')
      .match(/Add --yes/);
    expect(await remove(undefined, '--yes')).to.deep.equal(removed);
    expect(await remove('n', '--yes')).to.deep.equal(removed);
  });
});
