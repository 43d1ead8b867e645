// The texts of the scripts of a page, which the page carries in the language of its reader.
const { locale, texts } = JSON.parse(document.querySelector('[data-texts]').dataset.texts);

/** The text, with the values in the places of their names. */
export function text(key, values = {}) {
  if (!Object.hasOwn(texts, key)) throw new Error(`the page has no text ${key}`);
  return texts[key].replaceAll(/\{(\w+)\}/g, (place, name) => (Object.hasOwn(values, name) ? values[name] : place));
}

/** Such as "10 minutes". */
export const quantity = (count, unit) =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count);

/** Such as "the code and the access token". */
export const listOf = (names) => new Intl.ListFormat(locale).format(names);

/** Such as "in 10 minutes". */
export const relative = (count, unit) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(count, unit);

/** In UTC. */
export const dateOf = (milliseconds) =>
  new Date(milliseconds).toLocaleString(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
