import { expect } from 'chai';
import fc from 'fast-check';
import { toCsvRow } from '../../src/cli/exported-event.ts';
import { csvRow } from '../../src/audit/queries/csv.ts';
import { EVENT_CSV_HEADER } from '../../src/audit/queries/exported-event.ts';
import { readCsv, restoreCell } from '../support/csv.ts';

describe('CSV', () => {
  it('is read back cell by cell by an RFC 4180 reader, and no cell begins like a formula', () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '"', ',', ';', '\t', '\r', '\n', ' ', 'ü', "'", '=', '-', '＝'),
    });
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 4 }), (rows) => {
        const parsedRows = readCsv(rows.map(csvRow).join(''));
        expect(parsedRows.map((cells) => cells.map(restoreCell))).to.deep.equal(rows);
        for (const text of parsedRows.flat()) expect(text).to.not.match(/^[=+\-@\t\r\n＝＋－＠]/);
      }),
    );
  });

  for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1+1', '＠SUM(A1)']) {
    it(`escapes text that a spreadsheet would run as a formula: ${JSON.stringify(formula)}`, () => {
      expect(readCsv(csvRow([formula, 'b']))).to.deep.equal([[`'${formula}`, 'b']]);
    });
  }

  it('quotes the separators of all spreadsheets, so that no cell begins inside another', () => {
    expect(csvRow(['a;=1', 'b\t=1', 'c'])).to.equal('"a;=1","b\t=1",c\r\n');
  });

  it('has one row for each event, under the column names', () => {
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
    const rows = readCsv(EVENT_CSV_HEADER + toCsvRow(JSON.stringify({ position: 7, record })));
    expect(rows).to.deep.equal([
      ['position', 'recorded_at', 'type', 'stream', 'revision', 'actor', 'request_id', 'data'],
      ['7', '1970-01-01T00:00:00.000Z', 'T', "'=cmd", '1', 'user:x', 'a,b', '{"name":"say \\"hi\\""}'],
    ]);
  });
});
