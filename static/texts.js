// The messages for a page's scripts, which the page contains in the reader's language.
const { locale, texts } = JSON.parse(document.querySelector('[data-texts]').dataset.texts);

/** Returns the text, with its placeholders replaced by the values. */
export function text(key, values = {}) {
  if (!Object.hasOwn(texts, key)) throw new Error(`the page has no text ${key}`);
  return texts[key].replaceAll(/\{(\w+)\}/g, (placeholder, name) =>
    Object.hasOwn(values, name) ? values[name] : placeholder,
  );
}

/** Formats a quantity, such as "10 minutes". */
export const quantity = (count, unit) =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count);

/** Formats a list, such as "the code and the access token". */
export const listOf = (names) => new Intl.ListFormat(locale).format(names);

/** Formats a relative time, such as "in 10 minutes". */
export const relative = (count, unit) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(count, unit);

/** Formats a time in UTC. */
export const dateOf = (milliseconds) =>
  new Date(milliseconds).toLocaleString(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
