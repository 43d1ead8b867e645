import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { testsNamed } from './support/named-tests.ts';

const TEXT = readFileSync(new URL('../docs/threat-model.md', import.meta.url), 'utf8');

/** Every section in the two RFCs that describes a threat or a practice. */
const SECTIONS = {
  'RFC 9700': [
    '2.1',
    '2.1.1',
    '2.1.2',
    '2.2.1',
    '2.2.2',
    '2.3',
    '2.4',
    '2.5',
    '2.6',
    '4.1',
    '4.2',
    '4.3',
    '4.4',
    '4.5',
    '4.6',
    '4.7',
    '4.8',
    '4.9',
    '4.10.1',
    '4.10.2',
    '4.11.1',
    '4.11.2',
    '4.12',
    '4.13',
    '4.14',
    '4.15',
    '4.16',
    '4.17',
  ],
  'RFC 6819': [
    ...numberedSections('4.1', 5),
    ...numberedSections('4.2', 4),
    ...numberedSections('4.3', 5),
    ...numberedSections('4.4.1', 13),
    ...numberedSections('4.4.2', 6),
    ...numberedSections('4.4.3', 6),
    '4.4.4',
    ...numberedSections('4.5', 4),
    ...numberedSections('4.6', 7),
  ],
} as const;

interface Row {
  readonly threat: string;
  readonly sections: string;
  readonly mitigation: string;
  readonly tests: string;
}

describe('The threat model', () => {
  const rows = TEXT.split('\n')
    .filter((line) => /^\| (?!---|threat \|)/.test(line))
    .map(parseRow);

  for (const [rfc, sections] of Object.entries(SECTIONS)) {
    it(`covers every section on threats in ${rfc}, and no other sections`, () => {
      const listedSections = rows.flatMap((row) => listSections(rfc, row));
      expect(
        sections.filter((section) => !listedSections.includes(section)),
        'missing',
      ).to.deep.equal([]);
      expect(
        listedSections.filter((section) => !(sections as readonly string[]).includes(section)),
        'unknown',
      ).to.deep.equal([]);
    });
  }

  it('says to what extent each threat is mitigated', () => {
    for (const { threat, mitigation } of rows)
      expect(mitigation, threat).to.match(/^(yes|partly: .+|by others: .+|no: .+|yes for .+)$/);
  });

  it('refers to existing tests for every threat', () => {
    const tests = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' });
    for (const { threat, tests: cell } of rows) {
      const listedNames = [...cell.matchAll(/`([\w./-]+)`/g)].map(([, name = '']) => name);
      expect(listedNames, threat).not.to.deep.equal([]);
      expect(
        listedNames.filter((name) => testsNamed(tests, name).length === 0),
        threat,
      ).to.deep.equal([]);
    }
  });

  it('is summarized correctly in the README', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const count = (verdict: string): number => rows.filter(({ mitigation }) => mitigation.startsWith(verdict)).length;
    expect(readme)
      .to.include('docs/threat-model.md')
      .and.to.include(
        `${rows.length} threats: ${count('yes')} mitigated, ${count('partly')} partly, ` +
          `${count('by others')} left to others, ${count('no')} not`,
      );
  });
});

function parseRow(line: string): Row {
  const [threat = '', sections = '', , mitigation = '', tests = '', ...otherCells] = line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
  expect(otherCells, line).to.deep.equal([]);
  return { threat, sections, mitigation, tests };
}

function listSections(rfc: string, { sections }: Row): readonly string[] {
  const list = sections
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${rfc}:`));
  return (
    list
      ?.slice(rfc.length + 1)
      .split(',')
      .map((section) => section.trim()) ?? []
  );
}

function numberedSections(section: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${section}.${index + 1}`);
}
