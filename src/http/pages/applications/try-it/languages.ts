import type { MessageKey } from '../../../../language/catalog.ts';
import { asCSharp } from './csharp.ts';
import { asCurl } from './curl.ts';
import type { ExampleRequest } from './example-request.ts';
import { asGo } from './go.ts';
import { asJava } from './java.ts';
import { asJavaScript } from './javascript.ts';
import { asPython } from './python.ts';

/** A programming language, or curl, in which pages can show example requests. */
export interface ExampleLanguage {
  /** The value in the query and in the cookie. */
  readonly id: string;
  readonly name: string;
  /** A sentence that explains how to run an example. */
  readonly usage: MessageKey;
  readonly write: (request: ExampleRequest) => string;
}

/** The languages in display order. The first language is the default. */
export const LANGUAGES: readonly [ExampleLanguage, ...ExampleLanguage[]] = [
  { id: 'curl', name: 'curl', usage: 'usage.curl', write: asCurl },
  {
    id: 'javascript',
    name: 'JavaScript',
    usage: 'usage.javascript',
    write: asJavaScript,
  },
  { id: 'python', name: 'Python', usage: 'usage.python', write: asPython },
  {
    id: 'go',
    name: 'Go',
    usage: 'usage.go',
    write: asGo,
  },
  {
    id: 'java',
    name: 'Java',
    usage: 'usage.java',
    write: asJava,
  },
  {
    id: 'csharp',
    name: 'C#',
    usage: 'usage.csharp',
    write: asCSharp,
  },
];

/** Returns the language with this id, or undefined if the id is unknown. */
export function findLanguage(id: string | undefined): ExampleLanguage | undefined {
  return LANGUAGES.find((language) => language.id === id);
}
