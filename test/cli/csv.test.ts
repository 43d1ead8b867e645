import { expect } from 'chai';
import fc from 'fast-check';
import { toCsvRow } from '../../src/cli/exported-event.ts';
import { csvRow } from '../../src/audit/queries/csv.ts';
import { EVENT_CSV_HEADER } from '../../src/audit/queries/exported-event.ts';

describe('csv', () => {
  it('is read back by an RFC 4180 reader cell by cell', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', ' ', 'ü', '=', '-') });
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 4 }), (rows) => {
        const escapedRows = rows.map((cells) => cells.map((text) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)));
        expect(read(rows.map(csvRow).join(''))).to.deep.equal(escapedRows);
      }),
    );
  });

  for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1']) {
    it(`escapes text that a spreadsheet would run as a formula: ${JSON.stringify(formula)}`, () => {
      expect(read(csvRow([formula, 'b']))).to.deep.equal([[`'${formula}`, 'b']]);
    });
  }

  it('writes one row for each event, under column names', () => {
    const record = {
      stream: '=cmd',
      revision: 1,
      type: 'T',
      version: 1,
      recordedAt: 0,
      actor: { kind: 'user', id: 'x' },
      requestId: 'a,b',
      data: { name: 'say "hi"' },
    };
    const rows = read(EVENT_CSV_HEADER + toCsvRow(JSON.stringify({ position: 7, record })));
    expect(rows).to.deep.equal([
      ['position', 'recorded_at', 'type', 'stream', 'revision', 'actor', 'request_id', 'data'],
      ['7', '1970-01-01T00:00:00.000Z', 'T', "'=cmd", '1', 'user:x', 'a,b', '{"name":"say \\"hi\\""}'],
    ]);
  });
});

/** Rows of cells, by RFC 4180 and nothing more. */
function read(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at < text.length;) {
    const [whole, inner, plain, end] =
      /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(text.slice(at)) ??
      expect.fail(`not CSV at ${at}: ${JSON.stringify(text)}`);
    row.push(inner === undefined ? (plain ?? '') : inner.replaceAll('""', '"'));
    at += whole.length;
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
