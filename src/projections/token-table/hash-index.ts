/**
 * Maps 32 random bits to the numbers of rows. An entry is only a hint, because the row itself contains the key to
 * compare. Entries of removed rows can therefore stay until their table is rebuilt, without any sweep.
 */
export interface HashIndex {
  /**
   * Adds an entry that finds the row under `word`.
   * @param reference the number of a row, from 1 to 2^32 - 1
   */
  add(word: number, reference: number): void;
  /**
   * Like `add`, but the entry is stored at the first access to its group of tables. With 10,000,000 tokens this spreads
   * a second of startup over later requests, a millisecond at a time.
   */
  addLater(word: number, reference: number): void;
  /** Changes the entry of the row `from` under `word` to `to`, in place. Does nothing if there is no such entry. */
  move(word: number, from: number, to: number): void;
  /** Sets the size of new tables so that this many rows fit without growth. */
  reserve(rows: number): void;
  /** Returns the number of a row that was added under `word` and that `isMatch` accepts, or undefined. */
  find<Key>(word: number, key: Key, isMatch: (reference: number, key: Key) => boolean): number | undefined;
}

/**
 * The first 12 bits of the word choose one of many small tables with open addressing, which grow independently. With
 * 10,000,000 rows, rebuilding one of them takes 0.1 to 0.3 ms; one large table would block the event loop for 464 ms.
 */
const TABLES = 4_096;
const TABLE_SHIFT = 20;

/**
 * A slot has 16 more bits of the word, the tag, and the row's number in two halves, which is 0 in a free slot. The tag
 * decides the position in the table and rules out nearly all other entries, so growth and unsuccessful lookups read no
 * rows.
 */
const SLOT_LENGTH = 3;
const TAGS = 65_536;

/** Even a small table needs a free slot, which ends unsuccessful lookups. */
const MIN_SLOTS = 4;
/** The maximum load before a table is rebuilt. Beyond it, probe sequences get long. */
const MAX_LOAD = 0.8;
/** The load after a rebuild. A lower one wastes memory; a higher one causes the next rebuild sooner. */
const REBUILD_LOAD = 0.55;
/** The average load after `reserve`. Some tables get fuller by chance. */
const RESERVED_LOAD = 0.7;

/**
 * Pending entries are grouped by four tables, so that the lists are few enough to append quickly and short enough to
 * flush quickly.
 */
const GROUPS = 1_024;
const GROUP_SHIFT = 22;

interface Group {
  /** Alternating words and references. */
  entries: Uint32Array;
  count: number;
}

/**
 * Creates an empty index.
 * @param rowExists reports whether a row still exists; a rebuild drops the entries of rows that do not
 */
export function createHashIndex(rowExists: (reference: number) => boolean): HashIndex {
  const tables: (Uint16Array | undefined)[] = Array.from({ length: TABLES });
  /** Used slots by table, including those of removed rows. */
  const usedSlots = new Uint32Array(TABLES);

  /** The initial number of slots of a table. */
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

  const pendingGroups: (Group | undefined)[] = Array.from({ length: GROUPS });

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
        entries: new Uint32Array((2 * initialSlots * TABLES) / GROUPS),
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
      initialSlots = Math.max(MIN_SLOTS, Math.ceil(rows / TABLES / RESERVED_LOAD));
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

/** Returns the tag of a word. It excludes the bits that choose the table, which are the same for all its entries. */
function tagOf(word: number): number {
  return word & (TAGS - 1);
}

function homeSlot(table: Uint16Array, tag: number): number {
  return SLOT_LENGTH * Math.floor((tag * table.length) / (SLOT_LENGTH * TAGS));
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
