/** Returns the tags and their attribute names, without text, attribute values and line-break opportunities. */
export function htmlSkeleton(html: string): string {
  return (html.replaceAll('<wbr>', '').match(/<[^>]*>/g) ?? []).join('').replaceAll(/"[^"]*"/g, '""');
}
