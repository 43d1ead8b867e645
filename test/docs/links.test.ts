import { existsSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { expect } from 'chai';
import { readAllDocuments, ROOT, type Document } from '../support/documents.ts';

interface Link {
  readonly from: Document;
  readonly target: string;
}

const EXTERNAL_LINK = /^(?:https?:|mailto:)/;

describe('The links in the documents', () => {
  const documents = readAllDocuments();
  const links = documents.flatMap(findLinks).filter(({ target }) => !EXTERNAL_LINK.test(target));

  it('exist', () => {
    expect(links).to.have.length.above(50);
  });

  it('lead to files and folders that exist', () => {
    const brokenLinks = links.filter((link) => !existsSync(join(ROOT, linkedPath(link))));
    expect(brokenLinks.map(formatLink)).to.deep.equal([]);
  });

  it('lead to headings that exist', () => {
    const brokenLinks = links.filter(({ from, target }) => {
      const [, anchor] = target.split('#');
      const document = documents.find(({ path }) => path === linkedPath({ from, target }));
      return anchor !== undefined && (document === undefined || !headingAnchors(document).has(anchor));
    });
    expect(brokenLinks.map(formatLink)).to.deep.equal([]);
  });

  it('show the name of the linked file if they show a file name', () => {
    const fileLinks = documents.flatMap(({ path, prose }) =>
      [...prose.matchAll(/\[`([\w.-]+\.\w+)`\]\(([^()\s]+)\)/g)].map(([, name, target = '']) => ({
        path,
        name,
        target,
      })),
    );
    expect(fileLinks).to.have.length.above(20);
    expect(fileLinks.filter(({ name, target }) => basename(target) !== name)).to.deep.equal([]);
  });

  it('lead from the README to every document outside test/', () => {
    const reachedPaths = new Set<string>();
    const visit = (path: string): void => {
      if (reachedPaths.has(path)) return;
      reachedPaths.add(path);
      reachedPaths.add(`${path}/README.md`); // shown for a link to its folder
      for (const link of links.filter(({ from }) => from.path === path)) visit(linkedPath(link));
    };
    visit('README.md');
    const unreachedPaths = documents
      .map(({ path }) => path)
      .filter((path) => !path.startsWith('test/') && !reachedPaths.has(path));
    expect(unreachedPaths).to.deep.equal([]);
  });
});

function findLinks(from: Document): readonly Link[] {
  const proseWithoutCode = from.prose.replaceAll(/`[^`\n]*`/g, (code) => (code.includes('](') ? '' : code));
  return [...proseWithoutCode.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => ({ from, target }));
}

/** Returns the path of the linked file, relative to the root of the repository. */
function linkedPath({ from, target }: Link): string {
  const [path = ''] = target.split('#');
  return path === '' ? from.path : normalize(join(dirname(from.path), path)).replace(/\/$/, '');
}

function formatLink({ from, target }: Link): string {
  return `${from.path}: ${target}`;
}

/** Returns the anchors that Markdown renderers create for the headings. */
function headingAnchors({ prose }: Document): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of prose.matchAll(/^#{1,6} (.+)$/gm)) {
    const base = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    let anchor = base;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${base}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}
