import { message, type Message } from '../../../src/language/message.ts';
import type { Refusal, RefusalOf, RefusalRule } from '../../../src/oauth/refusals/refusal.ts';

/**
 * Describes the possible values of a fact in a refusal. A closed list is an object with every member as a key, so that
 * the compiler reports a missing one.
 */
type Descriptor<Fact> = [Fact] extends [boolean]
  ? 'yes or no'
  : [Fact] extends [number]
    ? 'number'
    : [Fact] extends [number | null]
      ? 'number or null'
      : [Fact] extends [string]
        ? OpenOrClosed<Fact, 'value'>
        : [Fact] extends [string | null]
          ? OpenOrClosed<Exclude<Fact, null>, 'value or null', { readonly null: true }>
          : Message extends Fact
            ? 'text'
            : [Fact] extends [readonly string[]]
              ? OpenOrClosed<Fact[number], 'values', unknown, readonly Fact[]>
              : readonly Fact[];

type OpenOrClosed<
  Member extends string,
  Open,
  Others = unknown,
  Closed = Readonly<Record<Member, true>> & Others,
> = string extends Member ? Open : Closed;

type Described<Facts> = Facts extends unknown
  ? { readonly [Name in keyof Omit<Facts, 'rule'>]: Descriptor<Omit<Facts, 'rule'>[Name]> }
  : never;

/** Describes the facts of each rule, in one or more variants. The compiler requires every rule and every fact. */
export type DescribedRefusals<Rule extends RefusalRule> = {
  readonly [Each in Rule]: Described<RefusalOf<Each>> | readonly Described<RefusalOf<Each>>[];
};

/** A string from a request, marked like catalog text because it is the same in every language. */
const VALUE = '⟦value⟧';
const TEXT = message('refusal-value.list');

const SAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  'yes or no': [true, false],
  number: [1, 200_000],
  'number or null': [1, 200_000, null],
  value: [VALUE],
  'value or null': [VALUE, null],
  values: [[], [VALUE], [VALUE, VALUE]],
  text: [TEXT],
};

/** A refusal, and those of its facts that come from closed lists. */
export interface SampleRefusal {
  readonly refusal: Refusal;
  readonly choices: readonly string[];
}

/** Returns refusals by `rule` with every combination of the described facts. */
export function buildSamples(rule: RefusalRule, description: object | readonly object[]): readonly SampleRefusal[] {
  const descriptions = Array.isArray(description) ? (description as readonly object[]) : [description];
  return descriptions.flatMap((facts) => combinations(rule, Object.entries(facts)));
}

function combinations(rule: RefusalRule, facts: readonly (readonly [string, unknown])[]): readonly SampleRefusal[] {
  const initialSamples: readonly SampleRefusal[] = [{ refusal: { rule } as Refusal, choices: [] }];
  return facts.reduce(
    (samples, [name, descriptor]) =>
      samples.flatMap(({ refusal, choices }) =>
        listValues(descriptor).map((value) => ({
          refusal: { ...refusal, [name]: value },
          choices: typeof descriptor === 'object' && typeof value === 'string' ? [...choices, value] : choices,
        })),
      ),
    initialSamples,
  );
}

function listValues(descriptor: unknown): readonly unknown[] {
  if (typeof descriptor === 'string') return SAMPLES[descriptor] ?? [];
  if (Array.isArray(descriptor)) return descriptor;
  return Object.keys(descriptor as object).map((name) => (name === 'null' ? null : name));
}
