/**
 * Returns the first `count` items, or all if there are fewer. Does not evaluate further items.
 * @param count at least one
 */
export function take<Item>(items: Iterable<Item>, count: number): readonly Item[] {
  const first: Item[] = [];
  for (const item of items) {
    if (first.push(item) === count) break;
  }
  return first;
}
