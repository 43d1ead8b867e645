const ASCII = /^\p{ASCII}*$/u;

/**
 * Whether the text is an absolute URL. `URL.canParse` of Node 20, once it is compiled, treats Latin-1 text as UTF-8 and
 * then refuses international host names such as bücher.example.
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
