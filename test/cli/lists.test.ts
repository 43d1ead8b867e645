import { expect } from 'chai';
import { printList, type CliContext } from '../../src/cli/context.ts';

describe('A command that prints a list', () => {
  const COLUMNS = ['id', 'name', 'is_active'];

  function createContext(count: number): { readonly context: CliContext; readonly chunks: string[] } {
    const chunks: string[] = [];
    const out = async (text: string): Promise<void> => void chunks.push(text);
    return {
      chunks,
      context: {
        terminal: { out, err: () => {}, readInput: async () => '', signal: new AbortController().signal },
        async *call() {
          for (let id = 1; id <= count; id += 1) yield createRow(id);
        },
      },
    };
  }

  const createRow = (id: number) => ({
    id,
    name: `name ${id}\n`,
    is_active: id % 2 === 0,
    roles: id === 2 ? ['auditor'] : [],
  });

  for (const count of [0, 1, 3]) {
    it(`prints ${count} items as one JSON array`, async () => {
      const { context, chunks } = createContext(count);
      await printList(context, 'user list', COLUMNS, { json: true });
      const rows = Array.from({ length: count }, (_, index) => createRow(index + 1));
      expect(chunks.join('')).to.equal(`${JSON.stringify(rows, null, 2)}\n`);
    });
  }

  it('prints items under their headings, each column as wide as its widest cell', async () => {
    const { context, chunks } = createContext(2);
    await printList(context, 'user list', COLUMNS, {});
    expect(chunks.join('')).to.equal('ID  NAME         IS ACTIVE\n1   name 1\\u{a}  no\n2   name 2\\u{a}  yes\n');
  });

  for (const options of [{}, { json: true }] as const) {
    /** More items than a function call can have arguments. */
    const COUNT = 150_000;

    it(`prints a large number of items in small chunks, ${'json' in options ? 'as JSON' : 'as a table'}`, async () => {
      const { context, chunks } = createContext(COUNT);
      await printList(context, 'user list', COLUMNS, options);
      expect(Math.max(...chunks.map(({ length }) => length))).to.be.below(70_000);
      const text = chunks.join('');
      if ('json' in options) expect(JSON.parse(text)).to.have.length(COUNT);
      else expect(text.split('\n')).to.have.length(COUNT + 2);
    });
  }
});
