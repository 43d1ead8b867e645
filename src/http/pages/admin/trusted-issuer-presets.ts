import { message, type Text } from '../../../language/message.ts';
import { BLANK_VALUES } from './trusted-issuer-fields.ts';
import type { IssuerExamples, TrustedIssuerValues } from './trusted-issuer-locals.ts';

/** A kind of issuer, with the form's initial values and example values. */
export interface IssuerPreset {
  readonly value: string;
  readonly title: Text;
  readonly help: Text;
  /** Advice on setting up the issuer; null for the custom preset. */
  readonly advice: Text | null;
  readonly values: TrustedIssuerValues;
  readonly examples: IssuerExamples;
}

const CUSTOM_EXAMPLES = {
  issuer: 'https://ci.example',
  keysUri: 'https://ci.example/.well-known/jwks.json',
  claims: 'repository_owner=acme',
  clients: 'CLIENT-ID sub=repo:acme/api:ref:refs/heads/main',
  audience: '',
};

const CUSTOM_PRESET: IssuerPreset = {
  value: 'custom',
  title: message('issuer.preset.custom'),
  help: message('issuer.preset.custom-help'),
  advice: null,
  values: { ...BLANK_VALUES, uses: ['assertion'] },
  examples: CUSTOM_EXAMPLES,
};

/**
 * Returns the kinds of issuers offered on the form.
 * @param ownIssuer this server's issuer identifier, which is the audience of assertions
 */
export function issuerPresets(ownIssuer: string): readonly IssuerPreset[] {
  const assertionValues = { ...BLANK_VALUES, uses: ['assertion'], mapping: 'client' };
  return [
    {
      value: 'kubernetes',
      title: 'Kubernetes',
      help: message('issuer.preset.kubernetes-help'),
      advice: message('issuer.preset.kubernetes-advice', { issuer: ownIssuer }),
      values: {
        ...assertionValues,
        issuer: 'https://kubernetes.default.svc.cluster.local',
        audience: ownIssuer,
        assertionAge: '3600', // by default, projected tokens are valid for an hour; the kubelet renews them earlier
      },
      examples: {
        issuer: 'https://kubernetes.default.svc.cluster.local',
        keysUri: 'https://cluster.example/openid/v1/jwks',
        claims: '/kubernetes.io/namespace=prod',
        clients: 'CLIENT-ID /kubernetes.io/serviceaccount/name=deployer',
        audience: ownIssuer,
      },
    },
    {
      value: 'github',
      title: 'GitHub Actions',
      help: message('issuer.preset.github-help'),
      advice: message('issuer.preset.github-advice', { issuer: ownIssuer }),
      values: {
        ...assertionValues,
        issuer: 'https://token.actions.githubusercontent.com',
        keysUri: 'https://token.actions.githubusercontent.com/.well-known/jwks',
      },
      examples: {
        issuer: 'https://token.actions.githubusercontent.com',
        keysUri: 'https://token.actions.githubusercontent.com/.well-known/jwks',
        claims: 'repository_owner=acme',
        clients: 'CLIENT-ID sub=repo:acme/api:ref:refs/heads/main',
        audience: ownIssuer,
      },
    },
    {
      value: 'gitlab',
      title: 'GitLab CI',
      help: message('issuer.preset.gitlab-help'),
      advice: message('issuer.preset.gitlab-advice', { issuer: ownIssuer }),
      values: { ...assertionValues, issuer: 'https://gitlab.com', keysUri: 'https://gitlab.com/oauth/discovery/keys' },
      examples: {
        issuer: 'https://gitlab.com',
        keysUri: 'https://gitlab.com/oauth/discovery/keys',
        claims: 'namespace_path=acme\nref_protected=true',
        clients: 'CLIENT-ID project_path=acme/api',
        audience: ownIssuer,
      },
    },
    {
      value: 'openid',
      title: message('issuer.preset.openid'),
      help: message('issuer.preset.openid-help'),
      advice: message('issuer.preset.openid-advice'),
      values: { ...BLANK_VALUES, uses: ['subject-token'], mapping: 'verified-email' },
      examples: {
        issuer: 'https://login.example',
        keysUri: 'https://login.example/.well-known/jwks.json',
        claims: 'hd=acme.example',
        clients: 'CLIENT-ID',
        audience: 'CLIENT-ID-AT-THE-PROVIDER',
      },
    },
    CUSTOM_PRESET,
  ];
}

/** Returns the preset with this name, or the custom preset if the name is unknown. */
export function findPreset(presets: readonly IssuerPreset[], name: string | undefined): IssuerPreset {
  return presets.find(({ value }) => value === name) ?? CUSTOM_PRESET;
}
