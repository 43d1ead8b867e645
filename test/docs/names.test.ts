import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readAllDocuments, readDocument, ROOT, tableRows } from '../support/documents.ts';
import { testsNamed } from '../support/named-tests.ts';

/** These tests check names in code font. links.test.ts checks the links. */
describe('The documents', () => {
  const documents = readAllDocuments().filter(({ path }) => !path.startsWith('test/'));
  const codeSpans = documents.flatMap(({ path, prose }) =>
    [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => ({ path, code })),
  );

  it('name only files and folders that exist', () => {
    const paths = codeSpans.filter(({ code }) => /^(?:src|test|scripts|docs|views|static)\/[\w./-]*$/.test(code));
    expect(paths).to.have.length.above(20);
    const missingPaths = paths.filter(({ code }) => !existsSync(join(ROOT, code)));
    expect(missingPaths).to.deep.equal([]);
  });

  it('name only existing npm scripts', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const commands = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/\bnpm run (?:-s )?([\w:-]+)/g)].map(([, script = '']) => ({ path, script })),
    );
    expect(commands).to.have.length.above(10);
    expect(commands.filter(({ script }) => !Object.hasOwn(scripts, script))).to.deep.equal([]);
  });

  it('name an existing test for each decision', () => {
    const rows = tableRows(readDocument('docs/decisions.md').text);
    expect(rows).to.have.length.above(40);
    const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' });
    for (const [question = '', , , cell = ''] of rows) {
      const names = [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
      expect(names, question).to.not.deep.equal([]);
      expect(
        names.filter((name) => testsNamed(tests, name).length === 0),
        question,
      ).to.deep.equal([]);
    }
  });
});
