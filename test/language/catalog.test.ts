import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { IntlMessageFormat } from 'intl-messageformat';
import { CATALOGS, MESSAGE_KEYS, type MessageKey } from '../../src/language/catalog.ts';
import { LANGUAGES, LOCALES } from '../../src/language/languages.ts';
import { scriptTexts, type ScriptGroup } from '../../src/http/pages/script-texts.ts';
import { createTranslators } from '../../src/language/translators.ts';
import { VIEWS_DIRECTORY } from '../../src/http/pages/views.ts';

const SOURCES = join(import.meta.dirname, '../../src');
const SCRIPTS = join(import.meta.dirname, '../../static');

function readFiles(directory: string, ending: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(join(directory, name), 'utf8'));
}

/** Returns the arguments and tags of an entry at every depth, with tags in angle brackets. */
function collectNames(elements: readonly object[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const element of elements as readonly { type: number; value: string; children?: object[]; options?: object }[]) {
    if (element.type === TAG) names.add(`<${element.value}>`);
    else if (element.type !== LITERAL && element.type !== COUNT) names.add(element.value);
    const options = Object.values(element.options ?? {}) as readonly { readonly value: readonly object[] }[];
    for (const elementList of [element.children ?? [], ...options.map(({ value }) => value)])
      for (const name of collectNames(elementList)) names.add(name);
  }
  return names;
}

const [LITERAL, COUNT, TAG] = [0, 7, 8];

/** The scripts that show each group's messages. */
const SCRIPT_FILES = {
  'try-it': ['placeholders', 'run-request', 'signing', 'tokens', 'try-it', 'try-it-signer'],
  verify: ['signed-log', 'verdict', 'verify', 'verify-chain'],
} as const satisfies Readonly<Record<ScriptGroup, readonly string[]>>;

const { RULES } = (await import(join(SCRIPTS, '../scripts/chain-rules.mjs'))) as {
  readonly RULES: Readonly<Record<string, string>>;
};
const KINDS_OF_DAMAGE = ['dropped', 'altered', 'reordered', 'forbidden'];

/** For each group, the keys that its scripts build from a word. */
const COMPUTED_KEYS: Readonly<Record<ScriptGroup, readonly string[]>> = {
  'try-it': [],
  verify: [
    ...Object.keys(RULES).map((rule) => `chain-rule.${rule}`),
    ...KINDS_OF_DAMAGE.map((kind) => `chain-kind.${kind}`),
  ],
};

/** Matches class names, the name of an authentication scheme, and an error message that no script shows. */
const NOT_TEXT = /^.(?:button button--|notice notice--|card token|Basic |the server responded )/;

describe('The text catalog', () => {
  for (const language of LANGUAGES) {
    const format = (key: (typeof MESSAGE_KEYS)[number]) =>
      new IntlMessageFormat(CATALOGS[language][key], LOCALES[language]);

    it(`has every entry in the language ${language}, with the same arguments and tags as in English`, () => {
      for (const key of MESSAGE_KEYS) {
        const english = new IntlMessageFormat(CATALOGS.en[key], LOCALES.en);
        expect([...collectNames(format(key).getAst())], key).to.have.members([...collectNames(english.getAst())]);
        const names = [...collectNames(format(key).getAst())];
        const sharedNames = names.filter((name) => names.includes(`<${name}>`));
        expect(sharedNames, `${key}: the same name for an argument and a tag`).to.deep.equal([]);
        expect(CATALOGS[language][key].trim(), key).to.equal(CATALOGS[language][key]).and.not.equal('');
      }
    });
  }

  it('contains every key that the views use, and no unused keys', () => {
    const views = readFiles(VIEWS_DIRECTORY, '.ejs').join('\n');
    const code = [...readFiles(SOURCES, '.ts'), ...readFiles(SCRIPTS, '.js')].join('\n');
    const usedKeys = new Set([...views.matchAll(/\bit\.t(?:Html)?\(\s*'([^']+)'/g)].map(([, key = '']) => key));
    expect([...usedKeys]).to.have.length.above(50);
    for (const key of usedKeys) expect(MESSAGE_KEYS, 'used by a view').to.include(key);
    const quotedKeys = new Set([...`${views}\n${code}`.matchAll(/'([a-z][\w.-]*)'(?!:)/g)].map(([, key = '']) => key));
    // The compiler checks that such a template has an entry for each possible value.
    const prefixes = [...code.matchAll(/`([a-z][\w-]*\.)\$\{\w+\}`/g)].map(([, start = '']) => start);
    const hasPrefix = (key: string): boolean =>
      prefixes.some((prefix) => prefix === key.slice(0, key.indexOf('.') + 1));
    expect(
      MESSAGE_KEYS.filter((key) => !quotedKeys.has(key) && !hasPrefix(key)),
      'unused keys',
    ).to.deep.equal([]);
  });

  it('defines each entry once per language, because a second definition would replace the first', () => {
    const definitionCounts = new Map<string, number>();
    for (const file of readFiles(join(SOURCES, 'language/messages'), '.ts'))
      for (const [, key = ''] of file.matchAll(/^ {2}'([^']+)':/gm))
        definitionCounts.set(key, (definitionCounts.get(key) ?? 0) + 1);
    expect([...definitionCounts].filter(([, count]) => count !== LANGUAGES.length)).to.deep.equal([]);
  });

  it("has the chain rules, with the standalone verifier's words in English", () => {
    for (const [rule, words] of Object.entries(RULES))
      expect(CATALOGS.en[`chain-rule.${rule}` as MessageKey]).to.equal(words);
  });

  for (const [scripts, files] of Object.entries(SCRIPT_FILES) as readonly (readonly [ScriptGroup, readonly string[]])[])
    it(`has every sentence that the ${scripts} scripts show`, () => {
      const code = files.map((name) => readFileSync(join(SCRIPTS, `${name}.js`), 'utf8')).join('\n');
      const codeWithoutComments = code.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
      const keys = [...code.matchAll(/'((?:running|explained|verdict)\.[\w.-]+)'/g)].map(([, key = '']) => key);
      const sentences = codeWithoutComments.match(/(?<=[\s([])(['"`])\p{L}[\p{L}’,:;-]* [^'"`\n]*\1/gu) ?? [];
      expect(sentences.filter((text) => !NOT_TEXT.test(text))).to.deep.equal([]);
      for (const language of LANGUAGES) {
        const { texts } = JSON.parse(scriptTexts(scripts, createTranslators()[language])) as { readonly texts: object };
        expect(Object.keys(texts)).to.have.members([...new Set(keys), ...COMPUTED_KEYS[scripts]]);
      }
    });
});
