/**
 * Returns the first `count` items, or all items if there are fewer. Does not iterate any further.
 * @param count at least one
 */
export function take<Item>(items: Iterable<Item>, count: number): readonly Item[] {
  const firstItems: Item[] = [];
  for (const item of items) {
    if (firstItems.push(item) === count) break;
  }
  return firstItems;
}
