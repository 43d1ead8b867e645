/**
 * From 32 random bits to the numbers of rows. An entry is only a hint: the row itself says whether it is the one that
 * was asked for. So entries of rows that are gone may stay until their table is rebuilt, and nothing is ever swept.
 */
export interface HashIndex {
  /** @param reference a row, by a number from 1 to 2^32 - 1 */
  add(word: number, reference: number): void;
  /**
   * As `add`, for very many: they wait with others for the same tables until somebody first asks for something there.
   * Of 10,000,000 that leaves a second of a start to the requests after it, a millisecond at a time.
   */
  addLater(word: number, reference: number): void;
  /**
   * The row that was added under `word` as `from` is `to` from now on. Takes no room. Nothing happens if it was not
   * added.
   */
  move(word: number, from: number, to: number): void;
  /** Makes room for as many rows as are about to come, in tables that are not there yet: none grows then. */
  reserve(rows: number): void;
  /** A row added under `word` of which `isIt` is true; undefined: none. */
  find<Sought>(word: number, sought: Sought, isIt: (reference: number, sought: Sought) => boolean): number | undefined;
}

/**
 * The word's first 12 bits choose one of many small tables with open addressing, and each grows alone: with 10,000,000
 * rows one has 4,000 slots and is rebuilt in 0.1 to 0.3 ms, where one big table stands still for 464 ms.
 */
const TABLES = 4_096;
const TABLE_SHIFT = 20;

/**
 * A slot: 16 more bits of the word, then the row's number in two halves; 0 where it is free. The tag decides where in
 * its table an entry belongs and nearly always that it is not the one sought, so neither growth nor a look-up in vain
 * reads rows.
 */
const SLOT_LENGTH = 3;
const TAGS = 65_536;

/** At least one slot more than a table may hold must stay free: there a look-up in vain ends. */
const MIN_SLOTS = 4;
/** How full a table may be: above that the walks from slot to slot get long. */
const MAX_LOAD = 0.8;
/** How full it is once rebuilt: the lower, the more room stands empty; the higher, the sooner it is full again. */
const REBUILD_LOAD = 0.55;
/** How full it is with what room was made for; chance makes some tables fuller. */
const RESERVED_LOAD = 0.7;

/**
 * Rows that wait do so by the 4 tables that theirs is among: few enough lists to be written to in turns, and short
 * ones.
 */
const GROUPS = 1_024;
const GROUP_SHIFT = 22;

interface Group {
  /** Words and references by turns. */
  rows: Uint32Array;
  count: number;
}

/** @param isHeld whether a row that was added may still be there: what is not is left out when a table is rebuilt */
export function createHashIndex(isHeld: (reference: number) => boolean): HashIndex {
  const tables: (Uint16Array | undefined)[] = Array.from({ length: TABLES });
  /** Slots taken, by table, also by rows that are gone. */
  const taken = new Uint32Array(TABLES);

  /** Slots of a table when it begins. */
  let reserved = MIN_SLOTS;

  /** The table, with a slot for one more. */
  function roomIn(number: number): Uint16Array {
    const table = tables[number];
    if (table === undefined) return (tables[number] = new Uint16Array(SLOT_LENGTH * reserved));
    if (((taken[number] ?? 0) + 1) * SLOT_LENGTH <= MAX_LOAD * table.length) return table;
    const held = countLive(table, isHeld);
    const rebuilt = new Uint16Array(SLOT_LENGTH * Math.max(MIN_SLOTS, Math.ceil((held + 1) / REBUILD_LOAD)));
    copyLive(table, rebuilt, isHeld);
    taken[number] = held;
    tables[number] = rebuilt;
    return rebuilt;
  }

  function put(word: number, reference: number): void {
    const number = word >>> TABLE_SHIFT;
    insertEntry(roomIn(number), tagOf(word), reference);
    taken[number] = (taken[number] ?? 0) + 1;
  }

  const waiting: (Group | undefined)[] = Array.from({ length: GROUPS });

  function putWaitingWith(word: number): void {
    const { [word >>> GROUP_SHIFT]: group } = waiting;
    if (group === undefined) return;
    waiting[word >>> GROUP_SHIFT] = undefined;
    const { rows, count } = group;
    for (let at = 0; at < 2 * count; at += 2) put(rows[at] ?? 0, rows[at + 1] ?? 0);
  }

  return {
    add(word, reference) {
      putWaitingWith(word);
      put(word, reference);
    },

    addLater(word, reference) {
      const group = (waiting[word >>> GROUP_SHIFT] ??= {
        rows: new Uint32Array((2 * reserved * TABLES) / GROUPS),
        count: 0,
      });
      if (2 * group.count === group.rows.length) group.rows = doubleCapacity(group.rows);
      group.rows[2 * group.count] = word;
      group.rows[2 * group.count + 1] = reference;
      group.count += 1;
    },

    move(word, from, to) {
      putWaitingWith(word);
      const table = tables[word >>> TABLE_SHIFT];
      if (table === undefined) return;
      const tag = tagOf(word);
      for (let at = homeOf(table, tag); ; at = next(table, at)) {
        const reference = referenceAt(table, at);
        if (reference === 0) return;
        if (table[at] === tag && reference === from) return setReference(table, at, to);
      }
    },

    reserve(rows) {
      reserved = Math.max(MIN_SLOTS, Math.ceil(rows / TABLES / RESERVED_LOAD));
    },

    find(word, sought, isIt) {
      putWaitingWith(word);
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

function doubleCapacity(rows: Uint32Array): Uint32Array {
  const longer = new Uint32Array(2 * rows.length);
  longer.set(rows);
  return longer;
}

/** Not the bits that chose the table: those are the same all over it. */
function tagOf(word: number): number {
  return word & (TAGS - 1);
}

function homeOf(table: Uint16Array, tag: number): number {
  return SLOT_LENGTH * Math.floor((tag * table.length) / (SLOT_LENGTH * TAGS));
}

function next(table: Uint16Array, at: number): number {
  const following = at + SLOT_LENGTH;
  return following === table.length ? 0 : following;
}

function referenceAt(table: Uint16Array, at: number): number {
  return (table[at + 1] ?? 0) + (table[at + 2] ?? 0) * 65_536;
}

function insertEntry(table: Uint16Array, tag: number, reference: number): void {
  let at = homeOf(table, tag);
  while (referenceAt(table, at) !== 0) at = next(table, at);
  table[at] = tag;
  setReference(table, at, reference);
}

function setReference(table: Uint16Array, at: number, reference: number): void {
  table[at + 1] = reference & 0xffff;
  table[at + 2] = reference >>> 16;
}

function countLive(table: Uint16Array, isHeld: (reference: number) => boolean): number {
  let held = 0;
  for (let at = 0; at < table.length; at += SLOT_LENGTH) {
    const reference = referenceAt(table, at);
    if (reference !== 0 && isHeld(reference)) held += 1;
  }
  return held;
}

function copyLive(from: Uint16Array, to: Uint16Array, isHeld: (reference: number) => boolean): void {
  for (let at = 0; at < from.length; at += SLOT_LENGTH) {
    const reference = referenceAt(from, at);
    if (reference !== 0 && isHeld(reference)) insertEntry(to, from[at] ?? 0, reference);
  }
}
