import type { Config } from '../config/config.ts';
import type { EventLog } from '../event-store/event-log.ts';
import type { Freshness } from '../event-store/freshness.ts';
import { createAccessTokenFormatter } from '../oauth/credentials/access-token-format.ts';
import { createIssuedCheck } from '../oauth/credentials/issued-refresh-tokens.ts';
import { createRefreshTokens } from '../oauth/credentials/refresh-tokens.ts';
import { createTaggedCredentials } from '../oauth/credentials/tagged-credentials.ts';
import { createGenuineCheck, createCatchUpIfGenuine } from '../oauth/credentials/unknown-credentials.ts';
import { createDeviceCodes } from '../oauth/devices/device-codes.ts';
import type { GrantCommands } from '../oauth/grant-types/grant-type.ts';
import { createDerivedKeys } from '../oauth/signing/derived-keys.ts';
import { createKeyRotation, type SigningKeyCommands } from '../oauth/signing/key-rotation.ts';
import { createPrivateKeys } from '../oauth/signing/private-keys.ts';
import { createSigningKeys } from '../oauth/signing/signing-keys.ts';
import { createTokenSignatures } from '../oauth/signing/token-signatures.ts';
import type { GenerateSigningKey } from '../platform/keys/key-pairs.ts';
import { deriveSigningKey, type Keys } from '../platform/keys/keys.ts';
import { createSigningVault, type SigningKeyring } from '../platform/keys/signing-keyring.ts';
import type { Entropy } from '../platform/ports.ts';
import type { AccessTokens } from '../projections/access-tokens.ts';
import type { SubjectFor } from '../oauth/openid/subjects.ts';
import type { GroupsOf } from '../oauth/openid/user-claims.ts';
import type { SigningKeys as RecordedKeys } from '../projections/signing-keys.ts';

interface CredentialDeps extends SigningDeps {
  readonly issuer: () => string;
  readonly subjectFor: SubjectFor;
  readonly groupsOf: GroupsOf;
  /** Seconds since the epoch. */
  readonly now: () => number;
  readonly log: EventLog;
  readonly grants: GrantCommands;
  readonly accessTokens: AccessTokens;
}

interface SigningDeps {
  readonly keys: Pick<Keys, 'refresh' | 'signing' | 'deviceCodes'>;
  readonly config: Pick<Config, 'accessTokenLifetimeSeconds' | 'signingKeyPeriodDays'>;
  readonly recordedKeys: RecordedKeys;
  readonly commands: SigningKeyCommands;
  readonly signingKeyring: SigningKeyring;
  readonly generateSigningKey: GenerateSigningKey;
  readonly entropy: Entropy;
  /** Throws if there is not enough disk space for a new key. */
  readonly mustHaveSpace: () => void;
  readonly freshness: Freshness | undefined;
  readonly notice: (line: string) => void;
}

/** Creates the components that issue and recognize codes and tokens. */
export function createCredentials(deps: CredentialDeps) {
  const { keys, issuer, now, log, grants, accessTokens, freshness } = deps;
  const { derivedKeys, ...signing } = createSigning(deps);
  const refreshTokens = createRefreshTokens(keys.refresh);
  const credentials = createTaggedCredentials(keys.refresh);
  const deviceCodes = createDeviceCodes(keys.deviceCodes, deps.entropy);
  const isGenuine = createGenuineCheck({ credentials, refreshTokens, deviceCodes });
  return {
    ...signing,
    ...createAccessTokenFormatter(signing.signingKeys, derivedKeys, issuer, deps.subjectFor, deps.groupsOf),
    refreshTokens,
    wasIssued: createIssuedCheck({ log, grants }),
    credentials,
    deviceCodes,
    isGenuine,
    catchUpIfGenuine: createCatchUpIfGenuine({
      freshness,
      isGenuine,
      signatures: signing.signatures,
      derivedKeys,
      accessTokens,
      now,
    }),
  };
}

function createSigning(deps: SigningDeps) {
  const { keys, config, recordedKeys, commands, generateSigningKey: generate, freshness, notice } = deps;
  const vault = createSigningVault(deps.signingKeyring, keys.signing, deps.entropy, deps.mustHaveSpace);
  const privateKeys = createPrivateKeys(vault, notice);
  const derivedKeys = createDerivedKeys(
    (label) => deriveSigningKey(keys.refresh, label),
    () => config.accessTokenLifetimeSeconds,
  );
  const keyRotation = createKeyRotation({
    recordedKeys,
    commands,
    privateKeys,
    vault,
    generate,
    catchUp: freshness?.catchUp,
    settings: config,
  });
  const signingKeys = createSigningKeys({
    recordedKeys,
    rotation: keyRotation,
    privateKeys,
    derivedKeys,
  });
  return { derivedKeys, keyRotation, signingKeys, signatures: createTokenSignatures(recordedKeys) };
}
