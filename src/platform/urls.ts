const ASCII = /^\p{ASCII}*$/u;

/**
 * Reports whether the text is an absolute URL. Once V8 has optimized a call of `URL.canParse` in Node 20, it treats
 * Latin-1 text as UTF-8 and refuses international host names such as bücher.example.
 */
export function isUrl(text: string): boolean {
  return ASCII.test(text) ? URL.canParse(text) : canConstruct(text);
}

function canConstruct(text: string): boolean {
  try {
    return new URL(text) instanceof URL;
  } catch {
    return false;
  }
}
