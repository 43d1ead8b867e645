/** `Data` with writable members, for building an object step by step. */
export type Mutable<Data> = { -readonly [Name in keyof Data]: Data[Name] };
