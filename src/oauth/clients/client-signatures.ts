import { algorithmsOf, type ClientKey } from '../../domain/client-authentication.ts';
import type { SigningAlgorithm } from '../../domain/values.ts';
import type { Client } from '../../projections/clients.ts';
import type { Text } from '../../language/message.ts';
import { sanitize } from '../refusals/sanitize.ts';
import { hasValidSignature } from '../signing/jws.ts';
import { keyObjectOf } from './client-keys.ts';
import type { FindClientKeys } from './client-key-finder.ts';

/** The header parameters of a JWS that select the key. */
export interface SignatureHeader {
  readonly algorithm: SigningAlgorithm;
  /** Null if the header has none. In that case, all keys that match the algorithm are tried. */
  readonly kid: string | null;
}

/** The result of the search for the key that signed a JWS. If no key was found, the other members explain why. */
export interface Signer {
  readonly key: ClientKey | undefined;
  /** The number of keys that matched the header. */
  readonly triedCount: number;
  /** The sanitized `kid`s of the client's keys. */
  readonly knownKids: readonly string[];
  /** Why the client's published keys could not be read; null if they could be read, or if the client publishes none. */
  readonly problem: Text | null;
}

/** Finds the key that a client signed a JWS with. */
export async function findSigner(
  jws: string,
  { algorithm, kid }: SignatureHeader,
  client: Pick<Client, 'authentication'>,
  findClientKeys: FindClientKeys,
): Promise<Signer> {
  const isCandidate = (key: ClientKey): boolean => supports(key, algorithm) && (kid === null || key.kid === kid);
  const { matchingKeys, allKeys, problem } = await findClientKeys(client, isCandidate);
  const knownKids = allKeys.flatMap((key) => (key.kid === null ? [] : sanitize(key.kid)));
  const triedCount = matchingKeys.length;
  for (const key of matchingKeys)
    if (await hasValidSignature(jws, algorithm, keyObjectOf(key))) return { key, triedCount, knownKids, problem };
  return { key: undefined, triedCount, knownKids, problem };
}

function supports(key: ClientKey, algorithm: SigningAlgorithm): boolean {
  return (key.algorithm ?? algorithm) === algorithm && algorithmsOf(key.publicKey).includes(algorithm);
}
