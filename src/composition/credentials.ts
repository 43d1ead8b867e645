import type { Config } from '../config/config.ts';
import type { EventLog } from '../event-store/event-log.ts';
import type { Freshness } from '../event-store/freshness.ts';
import { assertSpace } from '../event-store/out-of-space.ts';
import { createAccessTokenFormatter } from '../oauth/credentials/access-token-format.ts';
import { createIssuedCheck } from '../oauth/credentials/issued-refresh-tokens.ts';
import { createRefreshTokens } from '../oauth/credentials/refresh-tokens.ts';
import { createTaggedCredentials } from '../oauth/credentials/tagged-credentials.ts';
import { createGenuineCheck, createCatchUpIfGenuine } from '../oauth/credentials/unknown-credentials.ts';
import { createDeviceCodes } from '../oauth/devices/device-codes.ts';
import { createIdTokens } from '../oauth/openid/id-token.ts';
import { createSubjectLookup, createSubjects } from '../oauth/openid/subjects.ts';
import { createKnownResources } from '../oauth/resources/known-resources.ts';
import { createDerivedKeys } from '../oauth/signing/derived-keys.ts';
import { createKeyRotation } from '../oauth/signing/key-rotation.ts';
import { createPrivateKeys } from '../oauth/signing/private-keys.ts';
import { createSigningKeys } from '../oauth/signing/signing-keys.ts';
import { createTokenSignatures } from '../oauth/signing/token-signatures.ts';
import type { DiskSpace } from '../platform/files/disk-space.ts';
import { generateSigningKey, type GenerateSigningKey } from '../platform/keys/key-pairs.ts';
import { deriveSigningKey, type Keys } from '../platform/keys/keys.ts';
import { createSigningVault, type SigningKeyring } from '../platform/keys/signing-keyring.ts';
import type { Entropy } from '../platform/ports.ts';
import type { Projections } from '../projections/projections.ts';
import type { CommandHandlers } from './command-handlers.ts';

interface CredentialDeps extends SigningDeps {
  readonly projections: Pick<
    Projections,
    'accessTokens' | 'clients' | 'groups' | 'resources' | 'signingKeys' | 'users'
  >;
  readonly commands: Pick<CommandHandlers, 'grants' | 'signingKeys'>;
  readonly log: EventLog;
  readonly keys: SigningDeps['keys'] & Pick<Keys, 'deviceCodes' | 'subjects'>;
  readonly issuer: () => string;
  /** Seconds since the epoch. */
  readonly now: () => number;
  readonly settings: Config;
}

interface SigningDeps {
  readonly projections: Pick<Projections, 'signingKeys'>;
  readonly commands: Pick<CommandHandlers, 'signingKeys'>;
  readonly keys: Pick<Keys, 'refresh' | 'signing'>;
  readonly signingKeyring: SigningKeyring;
  readonly generateSigningKey: GenerateSigningKey | undefined;
  readonly entropy: Entropy;
  readonly space: DiskSpace;
  readonly freshness: Freshness | undefined;
  readonly notice: (line: string) => void;
  readonly settings: Pick<Config, 'accessTokenLifetimeSeconds' | 'signingKeyPeriodDays'>;
}

export type Credentials = ReturnType<typeof createCredentials>;

/**
 * Creates the parts that issue and recognize codes and tokens, and those that determine the tokens' subjects and
 * resource servers.
 */
export function createCredentials(deps: CredentialDeps) {
  const { projections, keys, log, issuer, now, freshness, settings } = deps;
  const { accessTokens, clients, users } = projections;
  const { namesOf: groupsOf } = projections.groups;
  const { grants } = deps.commands;
  const subjects = createSubjects(keys.subjects);
  const subjectFor = createSubjectLookup(subjects, clients.find);
  const { derivedKeys, ...signing } = createSigning(deps);
  const { signingKeys, signatures } = signing;
  const refreshTokens = createRefreshTokens(keys.refresh);
  const credentials = createTaggedCredentials(keys.refresh);
  const deviceCodes = createDeviceCodes(keys.deviceCodes, deps.entropy);
  const isGenuine = createGenuineCheck({ credentials, refreshTokens, deviceCodes });
  return {
    ...signing,
    ...createAccessTokenFormatter(signingKeys, derivedKeys, issuer, subjectFor, groupsOf),
    idTokens: createIdTokens({ keys: signingKeys, subjects, users, groupsOf, issuer }),
    subjects,
    subjectFor,
    resources: createKnownResources(projections.resources, () => [issuer(), ...settings.resources], settings),
    refreshTokens,
    wasIssued: createIssuedCheck({ log, grants }),
    credentials,
    deviceCodes,
    isGenuine,
    catchUpIfGenuine: createCatchUpIfGenuine({ freshness, isGenuine, signatures, derivedKeys, accessTokens, now }),
  };
}

function createSigning(deps: SigningDeps) {
  const { projections, commands, keys, freshness, notice, settings } = deps;
  const { signingKeys: recordedKeys } = projections;
  const vault = createSigningVault(deps.signingKeyring, keys.signing, deps.entropy, () => assertSpace(deps.space));
  const privateKeys = createPrivateKeys(vault, notice);
  const derivedKeys = createDerivedKeys(
    (label) => deriveSigningKey(keys.refresh, label),
    () => settings.accessTokenLifetimeSeconds,
  );
  const keyRotation = createKeyRotation({
    recordedKeys,
    commands: commands.signingKeys,
    privateKeys,
    vault,
    generate: deps.generateSigningKey ?? generateSigningKey,
    catchUp: freshness?.catchUp,
    settings,
  });
  const signingKeys = createSigningKeys({
    recordedKeys,
    rotation: keyRotation,
    privateKeys,
    derivedKeys,
  });
  return { derivedKeys, keyRotation, signingKeys, signatures: createTokenSignatures(recordedKeys) };
}
