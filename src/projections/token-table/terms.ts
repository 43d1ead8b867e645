import type { Resources } from '../../domain/resource.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ClientId } from '../../domain/values.ts';

/** Properties that many tokens have in common, so each combination is stored only once. */
export interface Terms {
  readonly clientId: ClientId;
  readonly scope: Scope;
  /** The resource servers that the token is restricted to (RFC 8707); empty if it is not restricted. */
  readonly resource: Resources;
  /** Present if the token was issued in exchange for another token (RFC 8693). */
  readonly exchanged?: true | undefined;
}

/** Assigns numbers to terms. Each generation of tokens has its own register, which is discarded with the generation. */
export interface TermsRegister {
  /** Returns the number of these terms, assigning one if they are new. */
  intern(terms: Terms): number;
  /**
   * Returns the terms with this number.
   * @throws RangeError if the number is unknown
   */
  get(number: number): Terms;
  count(): number;
  /** Returns a function that lists the terms registered so far. Later additions do not change its result. */
  freeze(): () => readonly Terms[];
}

export function createTermsRegister(): TermsRegister {
  const register: Terms[] = [];
  const numbers = new Map<string, number>();
  /**
   * The number of the terms of each client's latest token. The client's next token nearly always has the same terms,
   * and comparing terms is many times faster than building a key (`npm run bench -- micro`).
   */
  const latestNumbers = new Map<ClientId, number>();

  function internByKey(terms: Terms): number {
    const key = termsKey(terms);
    const existing = numbers.get(key);
    if (existing !== undefined) return existing;
    numbers.set(key, register.length);
    return register.push(terms) - 1;
  }

  return {
    intern(terms) {
      const candidate = latestNumbers.get(terms.clientId);
      if (candidate !== undefined && areEqualTerms(register[candidate], terms)) return candidate;
      const number = internByKey(terms);
      latestNumbers.set(terms.clientId, number);
      return number;
    },
    get(number) {
      const terms = register[number];
      if (terms === undefined) throw new RangeError(`there are no terms with the number ${number}`);
      return terms;
    },
    count: () => register.length,
    freeze() {
      const count = register.length;
      return () => register.slice(0, count);
    },
  };
}

/** Reports whether terms of the same client are equal. */
function areEqualTerms(registeredTerms: Terms | undefined, { scope, resource, exchanged }: Terms): boolean {
  if (registeredTerms === undefined || registeredTerms.exchanged !== exchanged) return false;
  return areEqualLists(registeredTerms.scope, scope) && areEqualLists(registeredTerms.resource, resource);
}

function areEqualLists(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index]);
}

/**
 * Returns a key for the terms. Each part is prefixed with its length, so different terms have different keys, whatever
 * characters they contain.
 */
function termsKey({ clientId, scope, resource, exchanged }: Terms): string {
  let key = `${exchanged === true} ${scope.length} ${clientId.length}:${clientId}`;
  for (const name of scope) key += `${name.length}:${name}`;
  for (const uri of resource) key += `${uri.length}:${uri}`;
  return key;
}
