/** Returns a negative number if `left` comes first, a positive one if `right` does, and zero only for the same item. */
export type Compare<Item> = (left: Item, right: Item) => number;

/**
 * Returns the items from rank `from` up to, but not including, `to`, in order. Reorders `items`. Takes linear time,
 * unlike a complete sort, so one page of a long list is cheap (docs/performance.md, Lists).
 */
export function sortedWindow<Item>(items: Item[], from: number, to: number, compare: Compare<Item>): readonly Item[] {
  const end = Math.min(to, items.length);
  if (from >= end) return [];
  quickselect(items, from, 0, compare);
  quickselect(items, end, from, compare);
  return items.slice(from, end).toSorted(compare);
}

/**
 * Moves the items with ranks from `low` up to, but not including, `rank` in front of those with higher ranks. The items
 * with ranks below `low` must already come first.
 */
function quickselect<Item>(items: Item[], rank: number, low: number, compare: Compare<Item>): void {
  let [first, last] = [low, items.length - 1];
  // With maliciously chosen items, each round might exclude only a few, so the number of rounds is limited.
  for (let rounds = 2 * Math.ceil(Math.log2(items.length + 1)); first < last; rounds -= 1) {
    if (rounds === 0) {
      const remainingItems = items.slice(first, last + 1).toSorted(compare);
      for (const [index, item] of remainingItems.entries()) items[first + index] = item;
      return;
    }
    const [left, right] = partition(items, first, last, compare);
    if (rank <= right) last = right;
    else if (rank >= left) first = left;
    else return;
  }
}

/**
 * Partitions the items from `first` to `last` around a pivot.
 * @returns the start of the upper part, and the end of the lower one
 */
function partition<Item>(
  items: Item[],
  first: number,
  last: number,
  compare: Compare<Item>,
): readonly [number, number] {
  const at = (index: number): Item => items[index] as Item;
  const pivot = [at(first), at((first + last) >> 1), at(last)].toSorted(compare)[1] as Item;
  let [left, right] = [first, last];
  while (left <= right) {
    while (compare(at(left), pivot) < 0) left += 1;
    while (compare(at(right), pivot) > 0) right -= 1;
    if (left > right) break;
    [items[left], items[right]] = [at(right), at(left)];
    left += 1;
    right -= 1;
  }
  return [left, right];
}
