/**
 * From 32 random bits to the numbers of rows. An entry is only a hint: the row itself says whether it is the one that was
 * asked for. So entries of rows that are gone may stay until their table is rebuilt, and nothing is ever swept.
 */
export interface HashIndex {
  /** @param reference a row, by a number from 1 to 2^32 - 1 */
  add(word: number, reference: number): void;
  /**
   * As `add`, for very many: they wait until there are many for the same tables, or all that room was made for, or until
   * somebody asks, so that a table is fetched from memory once for many of them: 75 ns each with 10,000,000.
   */
  addLater(word: number, reference: number): void;
  /** Makes room for as many rows as are about to come, in tables that are not there yet: none grows then. */
  reserve(rows: number): void;
  /** A row added under `word` of which `isIt` is true; undefined: none. */
  find<Sought>(word: number, sought: Sought, isIt: (reference: number, sought: Sought) => boolean): number | undefined;
}

/**
 * The word's first 12 bits choose one of many small tables with open addressing, and each grows alone: with 10,000,000 rows
 * one has 4,000 slots and is rebuilt in 0.1 to 0.3 ms, where one big table stands still for 464 ms.
 */
const TABLES = 4_096;
const TABLE_SHIFT = 20;

/**
 * A slot: 16 more bits of the word, then the row's number in two halves; 0 where it is free. The tag decides where in its
 * table an entry belongs and nearly always that it is not the one sought, so neither growth nor a look-up in vain reads rows.
 */
const SLOT = 3;
const TAGS = 65_536;

/** At least one slot more than a table may hold must stay free: there a look-up in vain ends. */
const SMALLEST = 4;
/** How full a table may be: above that the walks from slot to slot get long. */
const FULL = 0.8;
/** How full it is once rebuilt: the lower, the more room stands empty; the higher, the sooner it is full again. */
const REBUILT = 0.55;
/** How full it is with what room was made for; chance makes some tables fuller. */
const RESERVED = 0.7;

/**
 * Rows that wait do so by the 16 tables that theirs is among, which a processor's cache holds together: 0.4 MB with 10,000,000
 * rows. Of each group so many wait at most: 4 MB in all, and all are put in within 0.05 s.
 */
const GROUPS = 256;
const GROUP_SHIFT = 24;
const GROUP_ROWS = 2_048;

interface Group {
  /** Words and references by turns. */
  readonly rows: Uint32Array;
  count: number;
}

/** @param isHeld whether a row that was added may still be there: what is not is left out when a table is rebuilt */
export function createHashIndex(isHeld: (reference: number) => boolean): HashIndex {
  const tables: (Uint16Array | undefined)[] = Array.from({ length: TABLES });
  /** Slots taken, by table, also by rows that are gone. */
  const taken = new Uint32Array(TABLES);

  /** Slots of a table when it begins. */
  let reserved = SMALLEST;

  /** The table, with a slot for one more. */
  function roomIn(number: number): Uint16Array {
    const table = tables[number];
    if (table === undefined) return (tables[number] = new Uint16Array(SLOT * reserved));
    if (((taken[number] ?? 0) + 1) * SLOT <= FULL * table.length) return table;
    const held = countHeld(table, isHeld);
    const rebuilt = new Uint16Array(SLOT * Math.max(SMALLEST, Math.ceil((held + 1) / REBUILT)));
    copyHeld(table, rebuilt, isHeld);
    taken[number] = held;
    tables[number] = rebuilt;
    return rebuilt;
  }

  function add(word: number, reference: number): void {
    const number = word >>> TABLE_SHIFT;
    put(roomIn(number), tagOf(word), reference);
    taken[number] = (taken[number] ?? 0) + 1;
  }

  let waiting: readonly Group[] = [];
  /** How many are still to be added of those that room was made for. */
  let expected = 0;

  function addWaiting(group: Group): void {
    const { rows, count } = group;
    for (let at = 0; at < 2 * count; at += 2) add(rows[at] ?? 0, rows[at + 1] ?? 0);
    group.count = 0;
  }

  function addAllWaiting(): void {
    waiting.forEach(addWaiting);
    waiting = [];
  }

  return {
    add,

    addLater(word, reference) {
      if (waiting.length === 0) waiting = Array.from({ length: GROUPS }, () => ({ rows: new Uint32Array(2 * GROUP_ROWS), count: 0 }));
      const group = waiting[word >>> GROUP_SHIFT];
      if (group === undefined) return;
      group.rows[2 * group.count] = word;
      group.rows[2 * group.count + 1] = reference;
      group.count += 1;
      if (group.count === GROUP_ROWS) addWaiting(group);
      expected -= 1;
      if (expected === 0) addAllWaiting();
    },

    reserve(rows) {
      reserved = Math.max(SMALLEST, Math.ceil(rows / TABLES / RESERVED));
      expected = rows;
    },

    find(word, sought, isIt) {
      if (waiting.length > 0) addAllWaiting();
      const table = tables[word >>> TABLE_SHIFT];
      if (table === undefined) return undefined;
      const tag = tagOf(word);
      for (let at = homeOf(table, tag); ; at = next(table, at)) {
        const reference = referenceAt(table, at);
        if (reference === 0) return undefined;
        if (table[at] === tag && isIt(reference, sought)) return reference;
      }
    },
  };
}

/** Not the bits that chose the table: those are the same all over it. */
function tagOf(word: number): number {
  return word & (TAGS - 1);
}

function homeOf(table: Uint16Array, tag: number): number {
  return SLOT * Math.floor((tag * table.length) / (SLOT * TAGS));
}

function next(table: Uint16Array, at: number): number {
  const following = at + SLOT;
  return following === table.length ? 0 : following;
}

function referenceAt(table: Uint16Array, at: number): number {
  return (table[at + 1] ?? 0) + (table[at + 2] ?? 0) * 65_536;
}

function put(table: Uint16Array, tag: number, reference: number): void {
  let at = homeOf(table, tag);
  while (referenceAt(table, at) !== 0) at = next(table, at);
  table[at] = tag;
  table[at + 1] = reference & 0xffff;
  table[at + 2] = reference >>> 16;
}

function countHeld(table: Uint16Array, isHeld: (reference: number) => boolean): number {
  let held = 0;
  for (let at = 0; at < table.length; at += SLOT) {
    const reference = referenceAt(table, at);
    if (reference !== 0 && isHeld(reference)) held += 1;
  }
  return held;
}

function copyHeld(from: Uint16Array, to: Uint16Array, isHeld: (reference: number) => boolean): void {
  for (let at = 0; at < from.length; at += SLOT) {
    const reference = referenceAt(from, at);
    if (reference !== 0 && isHeld(reference)) put(to, from[at] ?? 0, reference);
  }
}
