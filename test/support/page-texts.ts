import { unmarkedTexts } from './marked-texts.ts';

/** Elements whose text is unmarked because it does not come from the catalog: code, values and times. */
const UNTRANSLATED_ELEMENTS = /<(script|style|code|bdi|time|pre|textarea)\b[\s\S]*?<\/\1>/g;
/** Elements with a `lang` attribute, such as language names, custom text and the text it replaces. */
const ELEMENTS_WITH_LANG = /<(h2|dd|p|span)\b[^>]* lang="[a-z]+"[^>]*>[\s\S]*?<\/\1>/g;
const LABELS = /\s(?:title|aria-label|alt|data-label)="([^"]*)"/g;
/** Matches neither values without a space, which are identifiers or URLs, nor values with "{", which are JSON. */
const SCRIPT_STRINGS = /\sdata-[\w-]+="([^"{]* [^"]*)"/g;
/** Options whose text is also their value, such as time zone names. */
const NAMED_OPTIONS = /<option value="([^"]*)"[^>]*>\s*\1\s*<\/option>|<option>[^<]*<\/option>/g;

/** Untranslated names of products, protocols, scopes and formats, and literal values. */
const NAMES = new RegExp(
  [
    /\b(?:Grantlog|OpenAPI|openapi\.json|OpenID Connect|FAPI 2\.0 Security Profile|JSON|JavaScript|Python|Java|Go)\b/,
    /\b(?:Kubernetes|GitHub Actions|GitLab CI|Google|Microsoft Entra|Okta|Auth0|GitLab|Keycloak|Userinfo)\b/,
    /\b(?:English|Deutsch)\b/, // language names, each in its own language
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

/** Finds text on a page that does not come from the catalog. All catalog text must be marked. */
export function findUntranslated(html: string): readonly string[] {
  const body = html
    .slice(html.indexOf('<title'))
    .replaceAll(UNTRANSLATED_ELEMENTS, '')
    .replaceAll(ELEMENTS_WITH_LANG, '');
  const labels = [LABELS, SCRIPT_STRINGS].flatMap((pattern) => [...body.matchAll(pattern)]);
  const visibleText = body.replaceAll(NAMED_OPTIONS, '').replaceAll(/<[^>]*>/g, '\n');
  const allText = [...labels.map(([, label = '']) => label), visibleText].join('\n');
  const untranslated = unmarkedTexts(allText).map((text) => text.replaceAll(NAMES, '').trim());
  return [...new Set(untranslated.filter((text) => /\p{L}/u.test(text)))];
}
