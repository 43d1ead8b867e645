/** Returns the tags and the names of attributes, without text, values and the places where long words may break. */
export function skeleton(html: string): string {
  return (html.replaceAll('<wbr>', '').match(/<[^>]*>/g) ?? []).join('').replaceAll(/"[^"]*"/g, '""');
}
