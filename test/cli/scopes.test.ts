import { expect } from 'chai';
import { Command } from 'commander';
import type { CliContext } from '../../src/cli/context.ts';
import { scopeCommands } from '../../src/cli/scopes.ts';

describe('grantlog scope remove', () => {
  /** @param answer the operator's answer; undefined without a terminal */
  async function remove(answer: string | undefined, ...options: readonly string[]) {
    const [messages, operations]: [string[], string[]] = [[], []];
    const context: CliContext = {
      terminal: {
        out: async () => {},
        err: (text) => void messages.push(text),
        readInput: async () => expect.fail('nothing is read'),
        ask:
          answer === undefined
            ? undefined
            : async (question) => {
                messages.push(question);
                return answer;
              },
        signal: new AbortController().signal,
      },
      async *call(operation) {
        operations.push(operation);
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
    return { operations, failure, messages: messages.join('') };
  }

  it('shows at a terminal which applications would lose the scope, and asks for confirmation', async () => {
    const { operations, failure, messages } = await remove('n');
    expect(messages).to.match(/Notes +notes +3\nThis cannot be undone: no token will have invoices:read, .*\[y\/N\] $/);
    expect({ operations, failure }).to.deep.equal({
      operations: ['scope forecast'],
      failure: 'not confirmed; nothing was changed',
    });
    expect((await remove('y')).operations).to.deep.equal(['scope forecast', 'scope remove']);
  });

  it('requires --yes in scripts, and does not ask with it', async () => {
    const removal = { operations: ['scope remove'], failure: undefined, messages: '' };
    expect(await remove(undefined))
      .to.deep.include({ operations: ['scope forecast'] })
      .and.to.have.property('failure')
      .match(/Add --yes/);
    expect(await remove(undefined, '--yes')).to.deep.equal(removal);
    expect(await remove('n', '--yes')).to.deep.equal(removal);
  });
});
