import { unmarkedTexts } from './marked-texts.ts';

/** Elements whose text is not from the catalog, and therefore not marked: code, values and times. */
const UNTRANSLATED_ELEMENTS = /<(script|style|code|bdi|time|pre|textarea)\b[\s\S]*?<\/\1>/g;
/** Elements whose text is in a stated language, such as the name of a language or a text to replace. */
const IN_STATED_LANGUAGE = /<(h2|dd|p|span)\b[^>]* lang="[a-z]+"[^>]*>[\s\S]*?<\/\1>/g;
const LABELS = /\s(?:title|aria-label|alt|data-label)="([^"]*)"/g;
/** Texts for scripts. Attributes without a space are names and addresses, and examples are in JSON. */
const TEXTS_OF_SCRIPTS = /\sdata-[\w-]+="([^"{]* [^"]*)"/g;
/** Options whose text is their value: they show a name, such as that of a time zone. */
const NAMED_OPTIONS = /<option value="([^"]*)"[^>]*>\s*\1\s*<\/option>|<option>[^<]*<\/option>/g;

/** Names of products, protocols, scopes and formats, and values, which are the same in every language. */
const NAMES = new RegExp(
  [
    /\b(?:Grantlog|OpenAPI|openapi\.json|OpenID Connect|FAPI 2\.0 Security Profile|JSON|JavaScript|Python|Java|Go)\b/,
    /\b(?:Kubernetes|GitHub Actions|GitLab CI|Google|Microsoft Entra|Okta|Auth0|GitLab|Keycloak|Userinfo)\b/,
    /\b(?:English|Deutsch)\b/, // languages, by their own names
    /\bEurope\/London\b|\bHarbour &amp; Sons\b|\b(?:curl|GET|CSV|force|auto)\b|\bC#/,
    /\b(?:[RPE]S256|EdDSA|S256|P-256|UTC|GMT[+-]\d+|USERNAME|PASSWORD)\b|\bU\b/,
    /\b(?:openid|profile|email|address|phone|offline_access|read|write|groups|introspection|audit|admin)\b/,
    /\bclients:register\b|\bgrant_management_\w+|\bfiles:read\b|(?:https?:|path: )\S*|\bapp\.example\b/,
    /\b[\w-]{20,}\)?/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** Finds the texts of a page that do not come from the catalog, if those that do are marked. */
export function findUntranslated(html: string): readonly string[] {
  const body = html
    .slice(html.indexOf('<title'))
    .replaceAll(UNTRANSLATED_ELEMENTS, '')
    .replaceAll(IN_STATED_LANGUAGE, '');
  const labels = [LABELS, TEXTS_OF_SCRIPTS].flatMap((pattern) => [...body.matchAll(pattern)]);
  const visibleText = body.replaceAll(NAMED_OPTIONS, '').replaceAll(/<[^>]*>/g, '\n');
  const texts = [...labels.map(([, text = '']) => text), visibleText].join('\n');
  const untranslated = unmarkedTexts(texts).map((text) => text.replaceAll(NAMES, '').trim());
  return [...new Set(untranslated.filter((text) => /\p{L}/u.test(text)))];
}
