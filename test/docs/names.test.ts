import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { allDocuments, readDocument, ROOT, tableRows } from '../support/documents.ts';
import { testsNamed } from '../support/named-tests.ts';

/** The names in a document besides links. */
describe('The documents', () => {
  const documents = allDocuments().filter(({ path }) => !path.startsWith('test/'));
  const named = documents.flatMap(({ path, prose }) =>
    [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => ({ path, code })),
  );

  it('name only files and folders that exist', () => {
    const ofRepository = named.filter(({ code }) => /^(?:src|test|scripts|docs|views|static)\/[\w./-]*$/.test(code));
    expect(ofRepository).to.have.length.above(20);
    const missing = ofRepository.filter(({ code }) => !existsSync(join(ROOT, code)));
    expect(missing).to.deep.equal([]);
  });

  it('name only scripts that package.json has', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const run = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/\bnpm run (?:-s )?([\w:-]+)/g)].map(([, script = '']) => ({ path, script })),
    );
    expect(run).to.have.length.above(10);
    expect(run.filter(({ script }) => !Object.hasOwn(scripts, script))).to.deep.equal([]);
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
