/**
 * Maps 32 random bits to row numbers. An entry is only a hint, because the row itself contains the key to compare.
 * Entries of removed rows can therefore stay until their table is rebuilt, so no sweep is needed.
 */
export interface HashIndex {
  /**
   * Adds an entry for the row under `word`.
   * @param reference the number of a row, from 1 to 2^32 - 1
   */
  add(word: number, reference: number): void;
  /**
   * Like `add`, but the entry is not stored until its group of tables is first accessed. With 10,000,000 tokens, this
   * spreads a second of startup work over later requests, a millisecond at a time.
   */
  addLater(word: number, reference: number): void;
  /** Changes the entry for row `from` under `word` to row `to`, in place. Does nothing if there is no such entry. */
  move(word: number, from: number, to: number): void;
  /** Sets the size of new tables so that they hold this many rows without growing. */
  reserve(rows: number): void;
  /** Returns the number of a row added under `word` that `isMatch` accepts, or undefined if it accepts no row. */
  find<Key>(word: number, key: Key, isMatch: (reference: number, key: Key) => boolean): number | undefined;
}

/**
 * The first 12 bits of the word choose one of many small tables with open addressing, which grow independently. With
 * 10,000,000 rows, rebuilding one of them takes 0.1 to 0.3 ms; rebuilding a single large table would block the event
 * loop for 464 ms.
 */
const TABLE_COUNT = 4_096;
const TABLE_SHIFT = 20;

/**
 * A slot consists of the tag, which is another 16 bits of the word, and the two halves of the row's number, which is 0
 * in a free slot. The tag determines the position in the table, so rebuilds read no rows. It also rules out nearly all
 * other entries, so unsuccessful lookups hardly ever read a row.
 */
const SLOT_LENGTH = 3;
const TAG_COUNT = 65_536;

/** Even a small table needs a free slot, because unsuccessful lookups end there. */
const MIN_SLOTS = 4;
/** The maximum load before a table is rebuilt. Beyond it, probe sequences get long. */
const MAX_LOAD = 0.8;
/** The load after a rebuild. A lower load wastes memory; a higher one brings the next rebuild sooner. */
const REBUILD_LOAD = 0.55;
/** The average load once the reserved rows have been added. Some tables get fuller by chance. */
const RESERVED_LOAD = 0.7;

/**
 * Pending entries are kept in one list for every four tables, so that there are few enough lists to append quickly, and
 * each list is short enough to flush quickly.
 */
const GROUP_COUNT = 1_024;
const GROUP_SHIFT = 22;

interface Group {
  /** Alternating words and references. */
  entries: Uint32Array;
  count: number;
}

/**
 * Creates an empty index.
 * @param rowExists reports whether a row still exists; a rebuild drops the entries of rows that do not exist
 */
export function createHashIndex(rowExists: (reference: number) => boolean): HashIndex {
  const tables: (Uint16Array | undefined)[] = Array.from({ length: TABLE_COUNT });
  /** The number of used slots in each table, including those of removed rows. */
  const usedSlots = new Uint32Array(TABLE_COUNT);

  let initialSlots = MIN_SLOTS;

  /** Returns the table, with room for one more entry. */
  function tableWithRoom(number: number): Uint16Array {
    const table = tables[number];
    if (table === undefined) return (tables[number] = new Uint16Array(SLOT_LENGTH * initialSlots));
    if (((usedSlots[number] ?? 0) + 1) * SLOT_LENGTH <= MAX_LOAD * table.length) return table;
    const liveCount = countLive(table, rowExists);
    const newTable = new Uint16Array(SLOT_LENGTH * Math.max(MIN_SLOTS, Math.ceil((liveCount + 1) / REBUILD_LOAD)));
    copyLive(table, newTable, rowExists);
    usedSlots[number] = liveCount;
    tables[number] = newTable;
    return newTable;
  }

  function put(word: number, reference: number): void {
    const number = word >>> TABLE_SHIFT;
    insertEntry(tableWithRoom(number), tagOf(word), reference);
    usedSlots[number] = (usedSlots[number] ?? 0) + 1;
  }

  const pendingGroups: (Group | undefined)[] = Array.from({ length: GROUP_COUNT });

  function flushGroupOf(word: number): void {
    const { [word >>> GROUP_SHIFT]: group } = pendingGroups;
    if (group === undefined) return;
    pendingGroups[word >>> GROUP_SHIFT] = undefined;
    const { entries, count } = group;
    for (let index = 0; index < 2 * count; index += 2) put(entries[index] ?? 0, entries[index + 1] ?? 0);
  }

  return {
    add(word, reference) {
      flushGroupOf(word);
      put(word, reference);
    },

    addLater(word, reference) {
      const group = (pendingGroups[word >>> GROUP_SHIFT] ??= {
        entries: new Uint32Array((2 * initialSlots * TABLE_COUNT) / GROUP_COUNT),
        count: 0,
      });
      if (2 * group.count === group.entries.length) group.entries = doubleCapacity(group.entries);
      group.entries[2 * group.count] = word;
      group.entries[2 * group.count + 1] = reference;
      group.count += 1;
    },

    move(word, from, to) {
      flushGroupOf(word);
      const table = tables[word >>> TABLE_SHIFT];
      if (table === undefined) return;
      const tag = tagOf(word);
      for (let slot = homeSlot(table, tag); ; slot = nextSlot(table, slot)) {
        const reference = referenceAt(table, slot);
        if (reference === 0) return;
        if (table[slot] === tag && reference === from) return setReference(table, slot, to);
      }
    },

    reserve(rows) {
      initialSlots = Math.max(MIN_SLOTS, Math.ceil(rows / TABLE_COUNT / RESERVED_LOAD));
    },

    find(word, key, isMatch) {
      flushGroupOf(word);
      const table = tables[word >>> TABLE_SHIFT];
      if (table === undefined) return undefined;
      const tag = tagOf(word);
      for (let slot = homeSlot(table, tag); ; slot = nextSlot(table, slot)) {
        const reference = referenceAt(table, slot);
        if (reference === 0) return undefined;
        if (table[slot] === tag && isMatch(reference, key)) return reference;
      }
    },
  };
}

function doubleCapacity(entries: Uint32Array): Uint32Array {
  const largerEntries = new Uint32Array(2 * entries.length);
  largerEntries.set(entries);
  return largerEntries;
}

/** Returns the tag of a word. It excludes the bits that choose the table, because all entries of a table share them. */
function tagOf(word: number): number {
  return word & (TAG_COUNT - 1);
}

function homeSlot(table: Uint16Array, tag: number): number {
  return SLOT_LENGTH * Math.floor((tag * table.length) / (SLOT_LENGTH * TAG_COUNT));
}

function nextSlot(table: Uint16Array, slot: number): number {
  const followingSlot = slot + SLOT_LENGTH;
  return followingSlot === table.length ? 0 : followingSlot;
}

function referenceAt(table: Uint16Array, slot: number): number {
  return (table[slot + 1] ?? 0) + (table[slot + 2] ?? 0) * 65_536;
}

function insertEntry(table: Uint16Array, tag: number, reference: number): void {
  let slot = homeSlot(table, tag);
  while (referenceAt(table, slot) !== 0) slot = nextSlot(table, slot);
  table[slot] = tag;
  setReference(table, slot, reference);
}

function setReference(table: Uint16Array, slot: number, reference: number): void {
  table[slot + 1] = reference & 0xffff;
  table[slot + 2] = reference >>> 16;
}

function countLive(table: Uint16Array, rowExists: (reference: number) => boolean): number {
  let count = 0;
  for (let slot = 0; slot < table.length; slot += SLOT_LENGTH) {
    const reference = referenceAt(table, slot);
    if (reference !== 0 && rowExists(reference)) count += 1;
  }
  return count;
}

function copyLive(from: Uint16Array, to: Uint16Array, rowExists: (reference: number) => boolean): void {
  for (let slot = 0; slot < from.length; slot += SLOT_LENGTH) {
    const reference = referenceAt(from, slot);
    if (reference !== 0 && rowExists(reference)) insertEntry(to, from[slot] ?? 0, reference);
  }
}
