/** The first `count` items, or all there are; the rest is not looked up. */
export function take<Item>(items: Iterable<Item>, count: number): readonly Item[] {
  const first: Item[] = [];
  for (const item of items) {
    if (first.push(item) === count) break;
  }
  return first;
}
