import { expect } from 'chai';

/** Parses CSV strictly according to RFC 4180. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let offset = 0; offset < text.length;) {
    const [whole, inner, plain, end] =
      /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(text.slice(offset)) ??
      expect.fail(`not CSV at ${offset}: ${JSON.stringify(text)}`);
    row.push(inner === undefined ? (plain ?? '') : inner.replaceAll('""', '"'));
    offset += whole.length;
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** Removes the apostrophe that keeps spreadsheets from evaluating a cell as a formula. */
export function restoreCell(cell: string): string {
  return /^'+[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(cell) ? cell.slice(1) : cell;
}
