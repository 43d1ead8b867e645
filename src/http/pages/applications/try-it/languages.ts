import { asCSharp } from './csharp.ts';
import { asCurl } from './curl.ts';
import type { ExampleRequest } from './example-request.ts';
import { asGo } from './go.ts';
import { asJava } from './java.ts';
import { asJavaScript } from './javascript.ts';
import { asPython } from './python.ts';

/** A language of the example requests. */
export interface Language {
  /** As in the query and the cookie. */
  readonly id: string;
  readonly name: string;
  /** How to run an example, as a sentence. */
  readonly usage: string;
  readonly write: (request: ExampleRequest) => string;
}

/** The first one is the default. */
export const LANGUAGES: readonly [Language, ...Language[]] = [
  { id: 'curl', name: 'curl', usage: 'Paste an example into a terminal.', write: asCurl },
  {
    id: 'javascript',
    name: 'JavaScript',
    usage: 'Paste an example into node, or into the console of a browser on this page.',
    write: asJavaScript,
  },
  { id: 'python', name: 'Python', usage: 'Paste an example into python3. It needs no packages.', write: asPython },
  {
    id: 'go',
    name: 'Go',
    usage: 'Save an example as main.go, and run it with go run main.go. It needs no modules.',
    write: asGo,
  },
  {
    id: 'java',
    name: 'Java',
    usage: 'Save an example as Main.java, and run it with java Main.java (Java 11 or newer). It needs no libraries.',
    write: asJava,
  },
  {
    id: 'csharp',
    name: 'C#',
    usage: 'Save an example as Program.cs of a console project, and run it with dotnet run (.NET 6 or newer).',
    write: asCSharp,
  },
];

/** The language with this id, if there is one. */
export function languageOf(id: string | undefined): Language | undefined {
  return LANGUAGES.find((language) => language.id === id);
}
