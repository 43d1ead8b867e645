import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { codeBlocksOf, readDocument, ROOT, sectionOf } from './support/documents.ts';

const MAX_WORDS = 1_100;

describe('The README', () => {
  const readme = readDocument('README.md');

  it(`has at most ${MAX_WORDS} words`, () => {
    expect(readme.text.split(/\s+/).length).to.be.at.most(MAX_WORDS);
  });

  it('lists every source folder and both entry points, and no other path in src', () => {
    const treePaths = parseTree(sectionOf(readme, '## Source tree'));
    const sourcePaths = treePaths.filter((path) => path.startsWith('src/'));
    expect(sourcePaths).to.have.members(['src/main.ts', 'src/index.ts', ...foldersBelow('src')]);
  });

  it('lists every other top-level folder that is not hidden', () => {
    const treePaths = parseTree(sectionOf(readme, '## Source tree'));
    const otherFolders = treePaths.filter((path) => !path.startsWith('src/'));
    const fileList = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    const folders = fileList
      .split('\n')
      .filter((file) => file.includes('/'))
      .map((file) => `${file.split('/')[0]}/`);
    expect(otherFolders).to.have.members([...new Set(folders)].filter((folder) => !/^(?:\.|src\/)/.test(folder)));
  });

  it('links to the files that a request passes through, beginning with src/http/app.ts', () => {
    const walkthrough = /\*\*One request through the code\.\*\*[\s\S]*?\n\n(?!\d)/.exec(
      sectionOf(readme, '## Source tree'),
    )?.[0];
    const files = [...(walkthrough ?? '').matchAll(/\]\((src\/[^)]+)\)/g)].map(([, file = '']) => file);
    expect(files.at(0)).to.equal('src/http/app.ts');
    expect(files).to.have.length.above(8);
  });
});

/** Returns the paths in the source tree. The folder of an indented line is the last line before it with less indent. */
function parseTree(section: string): readonly string[] {
  const [block] = codeBlocksOf({ path: '', text: section, prose: '' });
  const parents: string[] = [];
  return (block?.code ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const depth = (/^ */.exec(line)?.[0].length ?? 0) / 2;
      const names = (/^ *(\S+(?: \S+)*)/.exec(line)?.[1] ?? '').split(' ');
      const paths = names.map((name) => (depth === 0 ? name : `${parents[depth - 1]}${name}`));
      parents[depth] = paths.at(-1) ?? '';
      return paths;
    });
}

function foldersBelow(folder: string): readonly string[] {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return entries.flatMap(({ name }) => [`${folder}/${name}/`, ...foldersBelow(`${folder}/${name}`)]);
}
