const ASCII = /^\p{ASCII}*$/u;

/**
 * Reports whether the text is an absolute URL. In Node 20, a call to `URL.canParse` that V8 has optimized treats
 * Latin-1 text as UTF-8, and so rejects internationalized host names such as bücher.example.
 */
export function isUrl(text: string): boolean {
  return ASCII.test(text) ? URL.canParse(text) : parseUrl(text) !== undefined;
}

/** Returns the parsed URL, or undefined if the text is not an absolute URL. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
