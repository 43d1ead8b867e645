import type { Vault } from '../accounts/personal-data.ts';
import type { SecretVault } from '../oauth/clients/secret-vault.ts';
import { createDetailSeals } from '../oauth/details/detail-seals.ts';
import { createIssuedDetails, createPresentedDetails } from '../oauth/details/presented-details.ts';
import { createTokenDetails } from '../oauth/details/token-details.ts';
import { createManagedGrants } from '../oauth/endpoints/requested-management.ts';
import type { KnownResources } from '../oauth/resources/known-resources.ts';
import type { Entropy } from '../platform/ports.ts';
import type { Projections } from '../projections/projections.ts';

export type DetailParts = ReturnType<typeof createDetailParts>;

/** Creates the parts that seal and open authorization details (RFC 9396), including those of managed grants. */
export function createDetailParts(deps: {
  readonly projections: Pick<Projections, 'detailedTokens' | 'exchanges' | 'grants'>;
  readonly vault: Vault;
  readonly secretVault: SecretVault;
  readonly resources: KnownResources;
  readonly entropy: Entropy;
}) {
  const { vault, secretVault, resources, entropy } = deps;
  const { detailedTokens, exchanges, grants } = deps.projections;
  const tokenDetails = createTokenDetails(
    createDetailSeals({ users: vault, clients: secretVault, entropy }),
    resources,
  );
  const issuedDetails = createIssuedDetails({ detailedTokens, grants, exchanges });
  return {
    tokenDetails,
    issuedDetails,
    managedGrants: createManagedGrants(grants, tokenDetails),
    presentedDetails: createPresentedDetails({ detailedTokens, issuedDetails, tokenDetails, resources }),
  };
}
