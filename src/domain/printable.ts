/**
 * Reports whether the text is free of control characters, lone surrogates and bidirectional controls, all of which
 * could disguise a name.
 */
export function isPrintable(text: string): boolean {
  return !/[\p{Cc}\p{Cs}\p{Bidi_Control}]/u.test(text);
}
