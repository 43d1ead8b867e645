/** The same data while it is built. */
export type Mutable<Data> = { -readonly [Name in keyof Data]: Data[Name] };
