/**
 * Reports whether the text is free of control characters, lone surrogates and direction marks, which could disguise a
 * name.
 */
export function isPrintable(text: string): boolean {
  return !/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(text);
}
