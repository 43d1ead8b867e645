import { unreachable } from '../../domain/values.ts';
import type { TreeEnd } from './exchange-tree.ts';
import { partiesOf } from './exchange-search.ts';
import type { FindParties } from './parties.ts';
import { sentence } from './sentence.ts';
import { applicationPart, say, type Names, type SentencePart } from './sentence-parts.ts';

/** Why a token of a tree of exchanges has ended: whose grant, and the event that ended it. */
export async function endSentence(
  end: TreeEnd,
  findParties: FindParties,
  names: Names,
): Promise<readonly SentencePart[]> {
  const { cause, event } = end;
  if (cause === 'expired') return say`Its time was over`;
  const why = event === null ? say`the account was erased` : sentence(event, await findParties(event.stream), names);
  return [...endedGrant(end, names), ...why];
}

function endedGrant({ of }: TreeEnd, names: Names): readonly SentencePart[] {
  const client = applicationPart(partiesOf(of.first).clientId, names);
  switch (of.is) {
    case 'own':
      return [];
    case 'above':
      return say`With the grant of ${client} above it: `;
    case 'actor':
      return say`With the grant of ${client} as the actor: `;
    default:
      return unreachable(of.is);
  }
}
