import { expect } from 'chai';
import fc from 'fast-check';
import { markdownTable, textTable } from '../../scripts/bench/table.ts';

const arbitraryCell = fc.stringMatching(/^[\w ×|%.-]{0,12}$/);
const arbitraryCells = fc
  .integer({ min: 1, max: 5 })
  .chain((columns) =>
    fc.array(fc.array(arbitraryCell, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 8 }),
  );

describe("the benchmark's tables", () => {
  it('align text to the left and numbers to the right', () => {
    expect(
      textTable([
        ['row', 'requests/s'],
        ['code', '900'],
        ['introspection', '12000'],
      ]),
    ).to.equal(['row            requests/s', 'code                  900', 'introspection       12000'].join('\n'));
  });

  it('have a line for each row, with every cell', () => {
    fc.assert(
      fc.property(arbitraryCells, (cells) => {
        const lines = textTable(cells).split('\n');
        expect(lines.length).to.equal(cells.length);
        cells.forEach((row, index) => row.forEach((cell) => expect(lines[index]).to.include(cell.trim())));
      }),
    );
  });

  it('are Markdown with the same number of columns in each line, for any cells', () => {
    fc.assert(
      fc.property(arbitraryCells, (cells) => {
        const lines = markdownTable(cells).split('\n');
        expect(lines.length).to.equal(cells.length + 1);
        for (const line of lines) expect(line.match(/(?<!\\)\|/g)).to.have.lengthOf((cells[0]?.length ?? 0) + 1);
      }),
    );
  });
});
