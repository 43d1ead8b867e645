import type { Resources } from '../../domain/resource.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ClientId } from '../../domain/values.ts';

/** What many tokens have in common, kept once for all of them. */
export interface Terms {
  readonly clientId: ClientId;
  readonly scope: Scope;
  /** RFC 8707: where alone the token is good; empty: everywhere. */
  readonly resource: Resources;
}

/**
 * Terms by small numbers, which stay what they are. Goes with its generation, so whatever clients come and go, nothing
 * is kept for ever.
 */
export interface TermsRegister {
  /** The number of these terms, given now if they are new. */
  numberOf(terms: Terms): number;
  /** @throws RangeError no terms have this number */
  get(number: number): Terms;
  count(): number;
  /** Those that have numbers now, whenever the answer is called. */
  freeze(): () => readonly Terms[];
}

export function createTermsRegister(): TermsRegister {
  const register: Terms[] = [];
  const numbers = new Map<string, number>();
  /**
   * By client, the terms of its newest token: nearly always those of the next, and to compare takes 60 ns, the words
   * put together 700.
   */
  const newest = new Map<ClientId, number>();

  function numberByKey(terms: Terms): number {
    const key = keyOf(terms);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, register.length);
    return register.push(terms) - 1;
  }

  return {
    numberOf(terms) {
      const likely = newest.get(terms.clientId);
      if (likely !== undefined && isSame(register[likely], terms)) return likely;
      const number = numberByKey(terms);
      newest.set(terms.clientId, number);
      return number;
    },
    get(number) {
      const terms = register[number];
      if (terms === undefined) throw new RangeError(`no terms have the number ${number}`);
      return terms;
    },
    count: () => register.length,
    freeze() {
      const count = register.length;
      return () => register.slice(0, count);
    },
  };
}

/** Whether the client's terms are these. */
function isSame(known: Terms | undefined, { scope, resource }: Terms): boolean {
  return known !== undefined && areSame(known.scope, scope) && areSame(known.resource, resource);
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((each, at) => each === others[at]);
}

/**
 * Every word with its length before it, so that no two terms read the same whatever characters a name has.
 * JSON would do as well and takes twice as long.
 */
function keyOf({ clientId, scope, resource }: Terms): string {
  let key = `${scope.length} ${clientId.length}:${clientId}`;
  for (const name of scope) key += `${name.length}:${name}`;
  for (const uri of resource) key += `${uri.length}:${uri}`;
  return key;
}
