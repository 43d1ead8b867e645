import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ClientCommand, ClientEvent, ClientRefusal, ClientState } from '../../domain/client.ts';
import { clientStream } from '../../domain/streams.ts';
import type { ClientId } from '../../domain/values.ts';
import type { ConstantWorkVerifier } from '../../accounts/constant-work-verifier.ts';
import type { CommandHandler } from '../../event-store/command-handler.ts';
import { callerFromClient } from '../../platform/hashing/hash-caller.ts';
import { unlessOverloaded } from '../../platform/hashing/hashing-overloaded.ts';
import type { PasswordHashing } from '../../platform/hashing/password-hashing.ts';
import type { Entropy } from '../../platform/ports.ts';
import type { UserChosenSecrets, ClientLookup } from './client-authentication.ts';
import type { SecretVault } from './secret-vault.ts';

const CACHE_SIZE = 1_000;

/**
 * Verifies secrets that clients brought along, which may be weak and so are hashed slowly: once. What
 * was found right is remembered under a key of this process, so that memory holds nothing to try
 * guesses on quickly, and the token endpoint stays as fast as for any other client. Only who sends the
 * right secret is answered quickly: whatever is wrong, and whatever is nobody's, takes the same slow hashes.
 */
export function createUserChosenSecrets(parts: {
  readonly verifier: ConstantWorkVerifier;
  readonly hashing: PasswordHashing;
  readonly commands: Pick<CommandHandler<ClientCommand, ClientState, ClientEvent, ClientRefusal>, 'execute'>;
  readonly clients: Pick<ClientLookup, 'find'>;
  readonly vault: Pick<SecretVault, 'seal'>;
  readonly entropy: Entropy;
}): UserChosenSecrets {
  const { verifier, hashing, commands, clients, vault, entropy } = parts;
  const key = entropy.bytes(32);
  const right = new LRUCache<string, true>({ max: CACHE_SIZE });
  const markOf = (hash: string, secret: string): string =>
    createHmac('sha256', key).update(hash).update('\0').update(secret).digest('base64');

  return {
    async verify(hash, secret, caller, onTurn) {
      const mark = markOf(hash ?? '', secret);
      if (right.has(mark)) return true;
      const isRight = await verifier.verify(hash, secret, hashing.hasherFor(caller, onTurn));
      if (isRight) right.set(mark, true);
      return isRight;
    },

    async rehash(clientId: ClientId, secret) {
      const phc = await hashing.hasherFor(callerFromClient(clientId, clientId)).hash(secret).catch(unlessOverloaded);
      // Once the client is removed, its key is destroyed and must not come back.
      if (phc === undefined || clients.find(clientId) === undefined) return;
      const sealed = vault.seal(clientId, 'ClientSecretRehashed', { algorithm: 'argon2id', phc });
      await commands.execute(clientStream(clientId), { type: 'RehashClientSecret', secret: sealed }, BY_SERVER);
      right.set(markOf(phc, secret), true);
    },
  };
}

const BY_SERVER = { actor: { kind: 'server' }, requestId: null } as const;
