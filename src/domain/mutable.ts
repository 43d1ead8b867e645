/** The writable form of data, for building an object. */
export type Mutable<Data> = { -readonly [Name in keyof Data]: Data[Name] };
