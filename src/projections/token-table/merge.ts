/** Merges sources that are each sorted by rank into one sorted sequence. */
export function* merge<Item>(
  sources: readonly Iterable<Item>[],
  rankOf: (item: Item) => number,
): Generator<Item, void, void> {
  const pending = sources.flatMap((source) => startIterator(source[Symbol.iterator]()));
  while (pending.length > 0) {
    pending.sort((left, right) => rankOf(left.item) - rankOf(right.item));
    const [first, second] = pending;
    if (first === undefined) return;
    // Yields from the first source until another has the next item, so sources that rarely alternate are rarely sorted.
    const limit = second === undefined ? Infinity : rankOf(second.item);
    let isExhausted: boolean | undefined;
    do {
      yield first.item;
      const { value, done } = first.iterator.next();
      isExhausted = done;
      if (done !== true) first.item = value;
    } while (isExhausted !== true && rankOf(first.item) < limit);
    if (isExhausted === true) pending.shift();
  }
}

function startIterator<Item>(iterator: Iterator<Item>): readonly { item: Item; readonly iterator: Iterator<Item> }[] {
  const { value, done } = iterator.next();
  return done === true ? [] : [{ item: value, iterator }];
}
