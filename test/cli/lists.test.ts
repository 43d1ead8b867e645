import { expect } from 'chai';
import { printList, type CliContext } from '../../src/cli/context.ts';

describe('A command that prints a list', () => {
  const COLUMNS = ['id', 'name', 'is_active'];

  function testContext(count: number): { readonly context: CliContext; readonly printed: string[] } {
    const printed: string[] = [];
    const out = async (text: string): Promise<void> => void printed.push(text);
    return {
      printed,
      context: {
        terminal: { out, err: () => {}, readInput: async () => '', signal: new AbortController().signal },
        async *call() {
          for (let id = 1; id <= count; id += 1) yield rowOf(id);
        },
      },
    };
  }

  const rowOf = (id: number) => ({
    id,
    name: `name ${id}\n`,
    is_active: id % 2 === 0,
    roles: id === 2 ? ['auditor'] : [],
  });

  for (const count of [0, 1, 3]) {
    it(`prints ${count} items as one JSON array`, async () => {
      const { context, printed } = testContext(count);
      await printList(context, 'user list', COLUMNS, { json: true });
      const rows = Array.from({ length: count }, (_, index) => rowOf(index + 1));
      expect(printed.join('')).to.equal(`${JSON.stringify(rows, null, 2)}\n`);
    });
  }

  it('prints items under their headings, each column as wide as its widest cell', async () => {
    const { context, printed } = testContext(2);
    await printList(context, 'user list', COLUMNS, {});
    expect(printed.join('')).to.equal('ID  NAME         IS ACTIVE\n1   name 1\\u{a}  no\n2   name 2\\u{a}  yes\n');
  });

  for (const options of [{}, { json: true }] as const) {
    /** More than the maximum number of arguments of a function call. */
    const COUNT = 150_000;

    it(`prints a large number of items in small chunks, ${'json' in options ? 'as JSON' : 'as a table'}`, async () => {
      const { context, printed } = testContext(COUNT);
      await printList(context, 'user list', COLUMNS, options);
      expect(Math.max(...printed.map(({ length }) => length))).to.be.below(70_000);
      const text = printed.join('');
      if ('json' in options) expect(JSON.parse(text)).to.have.length(COUNT);
      else expect(text.split('\n')).to.have.length(COUNT + 2);
    });
  }
});
