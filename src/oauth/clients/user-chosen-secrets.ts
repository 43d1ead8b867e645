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
 * Creates the verifier of imported client secrets, which may be weak and are therefore hashed with a slow algorithm. A
 * verified secret is cached as an HMAC under a key of this process, so that the token endpoint stays fast and the cache
 * contains no secret. Only a correct secret can get a fast response; every wrong secret costs the same slow hashes.
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
  const key = entropy.bytes(32);
  // `max` would allocate memory for all entries at every startup.
  const verifiedSecrets = new LRUCache<string, true>({ maxSize: CACHE_SIZE, sizeCalculation: () => 1 });
  const cacheKey = (hash: string, secret: string): string =>
    createHmac('sha256', key).update(hash).update('\0').update(secret).digest('base64');

  return {
    async verify(hash, secret, caller, onTurn) {
      const entry = cacheKey(hash ?? '', secret);
      if (verifiedSecrets.has(entry)) return true;
      const isCorrect = await verifier.verify(hash, secret, hashing.hasherFor(caller, onTurn));
      if (isCorrect) verifiedSecrets.set(entry, true);
      return isCorrect;
    },

    async rehash(clientId: ClientId, secret) {
      const phc = await hashing.hasherFor(callerFromClient(clientId, clientId)).hash(secret).catch(ignoreOverload);
      // A removed client's key is destroyed and must not be created again.
      if (phc === undefined || clients.find(clientId) === undefined) return;
      const sealed = await vault.seal(clientId, 'ClientSecretRehashed', { algorithm: 'argon2id', phc });
      if (clients.find(clientId) === undefined) return void (await vault.destroy(clientId));
      await commands.execute(clientStream(clientId), { type: 'RehashClientSecret', secret: sealed }, BY_SERVER);
      verifiedSecrets.set(cacheKey(phc, secret), true);
    },
  };
}

const BY_SERVER = { actor: { kind: 'server' }, requestId: null } as const;
