import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { testsNamed } from './support/named-tests.ts';

const TEXT = readFileSync(new URL('../docs/threat-model.md', import.meta.url), 'utf8');

/** Every section of both RFCs that describes a threat or a practice. */
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
    ...numbered('4.1', 5),
    ...numbered('4.2', 4),
    ...numbered('4.3', 5),
    ...numbered('4.4.1', 13),
    ...numbered('4.4.2', 6),
    ...numbered('4.4.3', 6),
    '4.4.4',
    ...numbered('4.5', 4),
    ...numbered('4.6', 7),
  ],
} as const;

interface Row {
  readonly threat: string;
  readonly sections: string;
  readonly mitigated: string;
  readonly tests: string;
}

describe('The threat model', () => {
  const rows = TEXT.split('\n')
    .filter((line) => /^\| (?!---|threat \|)/.test(line))
    .map(rowOf);

  for (const [rfc, sections] of Object.entries(SECTIONS)) {
    it(`lists every threat in ${rfc}, and no others`, () => {
      const listed = rows.flatMap((row) => sectionsOf(rfc, row));
      expect(
        sections.filter((section) => !listed.includes(section)),
        'missing',
      ).to.deep.equal([]);
      expect(
        listed.filter((section) => !(sections as readonly string[]).includes(section)),
        'unknown',
      ).to.deep.equal([]);
    });
  }

  it('says for every threat how far it is mitigated', () => {
    for (const { threat, mitigated } of rows)
      expect(mitigated, threat).to.match(/^(yes|partly: .+|by others: .+|no: .+|yes for .+)$/);
  });

  it('refers to existing tests for every threat', () => {
    const tests = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' });
    for (const { threat, tests: cell } of rows) {
      const listed = [...cell.matchAll(/`([\w./-]+)`/g)].map(([, name = '']) => name);
      expect(listed, threat).not.to.deep.equal([]);
      expect(
        listed.filter((name) => testsNamed(tests, name).length === 0),
        threat,
      ).to.deep.equal([]);
    }
  });

  it('is summarized correctly in the README', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const count = (verdict: string): number => rows.filter(({ mitigated }) => mitigated.startsWith(verdict)).length;
    expect(readme)
      .to.include('docs/threat-model.md')
      .and.to.include(
        `${rows.length} threats: ${count('yes')} mitigated, ${count('partly')} partly, ` +
          `${count('by others')} left to others, ${count('no')} not`,
      );
  });
});

function rowOf(line: string): Row {
  const [threat = '', sections = '', , mitigated = '', tests = '', ...more] = line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
  expect(more, line).to.deep.equal([]);
  return { threat, sections, mitigated, tests };
}

function sectionsOf(rfc: string, { sections }: Row): readonly string[] {
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

function numbered(section: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${section}.${index + 1}`);
}
