import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ClientCommand, ClientEvent, ClientRefusal, ClientState } from '../../domain/client.ts';
import { clientStream } from '../../domain/streams.ts';
import type { ClientId } from '../../domain/values.ts';
import type { ConstantWorkVerifier } from '../../accounts/constant-work-verifier.ts';
import type { CommandHandler } from '../../event-store/command-handler.ts';
import { callerFromClient } from '../../platform/hashing/hash-caller.ts';
import { ignoreOverload } from '../../platform/hashing/hashing-overloaded.ts';
import type { PasswordHashing } from '../../platform/hashing/password-hashing.ts';
import type { Entropy } from '../../platform/ports.ts';
import type { UserChosenSecrets, ClientLookup } from './secret-authentication.ts';
import type { SecretVault } from './secret-vault.ts';

const CACHE_SIZE = 1_000;

/**
 * Creates the verifier for imported client secrets, which may be weak and are therefore hashed with a slow algorithm. A
 * verified secret is cached as an HMAC under a key of this process, so that the token endpoint stays fast and the cache
 * contains no secrets. Only a correct secret can get a fast response; every wrong secret takes the same slow hashing.
 */
export function createUserChosenSecrets(deps: {
  readonly verifier: ConstantWorkVerifier;
  readonly hashing: PasswordHashing;
  readonly commands: Pick<CommandHandler<ClientCommand, ClientState, ClientEvent, ClientRefusal>, 'execute'>;
  readonly clients: Pick<ClientLookup, 'find'>;
  readonly vault: Pick<SecretVault, 'seal' | 'destroy'>;
  readonly entropy: Entropy;
}): UserChosenSecrets {
  const { verifier, hashing, commands, clients, vault, entropy } = deps;
  const cacheSecret = entropy.bytes(32);
  // `max` would allocate memory for all entries at every startup.
  const verifiedSecrets = new LRUCache<string, true>({ maxSize: CACHE_SIZE, sizeCalculation: () => 1 });
  const computeCacheKey = (hash: string, secret: string): string =>
    createHmac('sha256', cacheSecret).update(hash).update('\0').update(secret).digest('base64');

  return {
    async verify(hash, secret, caller, onTurn) {
      const cacheKey = computeCacheKey(hash ?? '', secret);
      if (verifiedSecrets.has(cacheKey)) return true;
      const isCorrect = await verifier.verify(hash, secret, hashing.hasherFor(caller, onTurn));
      if (isCorrect) verifiedSecrets.set(cacheKey, true);
      return isCorrect;
    },

    async rehash(clientId: ClientId, secret) {
      const phc = await hashing.hasherFor(callerFromClient(clientId, clientId)).hash(secret).catch(ignoreOverload);
      // The key of a removed client has been destroyed and must not be created again.
      if (phc === undefined || clients.find(clientId) === undefined) return;
      const sealedSecret = await vault.seal(clientId, 'ClientSecretRehashed', { algorithm: 'argon2id', phc });
      if (clients.find(clientId) === undefined) return void (await vault.destroy(clientId));
      await commands.execute(clientStream(clientId), { type: 'RehashClientSecret', secret: sealedSecret }, BY_SERVER);
      verifiedSecrets.set(computeCacheKey(phc, secret), true);
    },
  };
}

const BY_SERVER = { actor: { kind: 'server' }, requestId: null } as const;
