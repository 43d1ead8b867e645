import type {
  AssertionRefusal,
  ClientDocumentRefusal,
  RegistrationRefusal,
} from '../../../src/oauth/refusals/client-refusal.ts';
import type { ProofRefusal } from '../../../src/oauth/refusals/refusal.ts';
import type { RequestObjectRefusal, RequestUriRefusal } from '../../../src/oauth/refusals/signed-request-refusal.ts';
import type { DescribedRefusals } from './sample.ts';

const FORM = {
  'access token': true,
  'refresh token': true,
  'authorization code': true,
  'device code': true,
  'client secret': true,
  JWT: true,
  incomplete: true,
  'client id': true,
  other: true,
} as const;
const REQUIRED_BY = { profile: true, client: true, server: true } as const;

/** The facts in refusals of clients, their assertions, certificates, proofs, request objects and registrations. */
export const CLIENT_SAMPLES: DescribedRefusals<
  | 'client-credentials-missing'
  | 'client-id-missing'
  | 'authorization-header'
  | 'client-credentials-disagree'
  | 'client-disabled'
  | 'client-unknown'
  | 'client-secret-missing'
  | 'client-secret-unexpected'
  | 'client-key-missing'
  | 'client-secret-wrong'
  | 'client-secret-ended'
  | 'client-method-not-allowed'
  | 'client-methods-mixed'
  | 'client-public'
  | 'client-not-registered-for'
  | 'certificate-missing'
  | 'certificate-refused'
  | 'certificate-chain'
  | 'certificate-subject-differs'
  | 'certificate-key-unknown'
  | AssertionRefusal['rule']
  | ClientDocumentRefusal['rule']
  | ProofRefusal['rule']
  | RegistrationRefusal['rule']
  | RequestObjectRefusal['rule']
  | RequestUriRefusal['rule']
> = {
  'client-credentials-missing': {},
  'client-id-missing': {},
  'authorization-header': { scheme: { Basic: true, Bearer: true, another: true } },
  'client-credentials-disagree': { differs: { client_id: true, client_secret: true } },
  'client-disabled': {},
  'client-unknown': { form: FORM, length: 'number', isSwapped: 'yes or no' },
  'client-secret-missing': {},
  'client-secret-unexpected': {},
  'client-key-missing': {},
  'client-secret-wrong': { form: FORM, hasOuterSpace: 'yes or no' },
  'client-secret-ended': { secondsAgo: 'number or null' },
  'client-method-not-allowed': { seen: 'text', allowed: 'values' },
  'client-methods-mixed': {},
  'client-public': {
    what: { introspection: true, client_credentials: true, 'token exchange': true, 'jwt-bearer': true },
  },
  'client-not-registered-for': { grantType: 'value', registered: 'values' },
  'certificate-missing': { use: { authentication: true, binding: true }, at: 'value or null' },
  'certificate-refused': [
    { use: { authentication: true, binding: true }, problem: { 'untrusted-hop': true } },
    {
      use: { authentication: true, binding: true },
      problem: { malformed: true },
      header: { 'Client-Cert': true, 'Client-Cert-Chain': true, TLS: true },
    },
    {
      use: { authentication: true, binding: true },
      problem: { expired: true, 'not-yet-valid': true },
      seconds: 'number',
    },
    {
      use: { authentication: true, binding: true },
      problem: { 'weak-key': true, 'weak-signature': true },
      weakness: 'text',
    },
  ],
  'certificate-chain': [
    { hasAuthorities: 'yes or no', problem: { 'unknown-issuer': true } },
    { hasAuthorities: 'yes or no', problem: { purpose: true, 'purpose-of-issuer': true } },
    { hasAuthorities: 'yes or no', problem: { 'weak-issuer': true }, weakness: 'text' },
    { hasAuthorities: 'yes or no', problem: { 'unchecked-extension': true }, id: 'value' },
  ],
  'certificate-subject-differs': {
    kind: { subject_dn: true, san_dns: true, san_uri: true, san_ip: true, san_email: true },
    expected: 'value',
    seen: 'values',
  },
  'certificate-key-unknown': { keys: 'number' },

  'assertion-type': { seen: { 'no assertion': true, 'another type': true } },
  'assertion-malformed': {},
  'assertion-too-long': { most: 'number', length: 'number' },
  'assertion-issuer': { differs: { sub: true, client_id: true } },
  'assertion-client-unknown': { length: 'number', isAddress: 'yes or no' },
  'assertion-algorithm': { seen: 'text', allowed: 'values' },
  'assertion-key-unknown': { seen: 'value or null', algorithm: 'value', known: 'values' },
  'client-keys-unreadable': { problem: 'text' },
  'assertion-signature-wrong': { tried: 'number' },
  'assertion-audience': { expected: 'value', seen: 'text' },
  'assertion-time': {
    problem: { 'no-expiry': true, expired: true, 'too-long': true, 'not-yet': true },
    seconds: 'number',
    mostSeconds: 'number',
  },
  'assertion-without-id': { most: 'number' },
  'assertion-replayed': {},

  'client-address': { problem: 'text' },
  'client-document-not-accepted': {
    why: { off: true, 'not-listed': true, blocked: true, removed: true },
    host: 'value',
  },
  'client-document-unreadable': { problem: 'text' },
  'client-document-invalid': { problem: 'text' },

  'dpop-proof-missing': { by: REQUIRED_BY },
  'dpop-proof-form': { problem: { repeated: true, malformed: true, type: true, critical: true } },
  'dpop-proof-algorithm': { seen: 'text', allowed: 'values' },
  'dpop-proof-key': { problem: { missing: true, private: true, unsupported: true, 'other-kind': true } },
  'dpop-proof-signature': {},
  'dpop-proof-method': { expected: 'value', seen: 'text' },
  'dpop-proof-address': { expected: 'text', seen: 'text' },
  'dpop-proof-time': {
    problem: { missing: true, old: true, future: true },
    seconds: 'number',
    lifetimeSeconds: 'number',
    toleranceSeconds: 'number',
  },
  'dpop-proof-id': { most: 'number' },
  'dpop-proof-token': { seen: { none: true, another: true } },
  'dpop-nonce-needed': { seen: { none: true, another: true } },
  'dpop-proof-replayed': {},
  'dpop-proofs-full': { share: { caller: true, client: true, server: true } },
  'dpop-keys-disagree': {},

  'registration-metadata': { member: 'value', problem: 'text' },
  'registration-too-long': { most: 'number' },
  'software-statement-untrusted': { issuer: 'text', trusted: 'values' },
  'software-statement-invalid': { problem: 'text' },
  'registration-token-missing': {},
  'registration-token-wrong': {},
  'registration-not-recorded': {},

  'request-objects-mixed': {},
  'request-object-missing': {},
  'request-object-malformed': { problem: { 'not-a-jwt': true, encrypted: true, nested: true, critical: true } },
  'request-object-type': { seen: 'text' },
  'request-object-algorithm': { seen: 'text', allowed: 'values' },
  'request-object-key-unknown': { seen: 'value or null', algorithm: 'value', known: 'values' },
  'request-object-keys-unreadable': { problem: 'text' },
  'request-object-signature-wrong': { tried: 'number' },
  'request-object-claim': {
    claim: { iss: true, aud: true, client_id: true, sub: true },
    expected: 'text',
    seen: 'text',
  },
  'request-object-time': {
    problem: {
      'no-expiry': true,
      'no-start': true,
      expired: true,
      'too-long': true,
      'not-yet': true,
      'too-old': true,
    },
    seconds: 'number',
    mostSeconds: 'number',
  },
  'request-object-parameter': { parameter: 'value', expected: 'text' },
  'request-object-contradicted': { parameter: { response_type: true } },

  'push-required': { by: REQUIRED_BY },
  'request-uri-pushed': {},
  'request-too-long': { most: 'number' },
  'request-uri-unknown': { length: 'number' },
  'request-uri-of-another-client': {},
  'request-uri-expired': { secondsAgo: 'number', lifetimeSeconds: 'number' },
  'request-uri-used': {},
  'request-uri-not-registered': { registered: 'number', length: 'number' },
  'request-uri-unreadable': { problem: 'text' },
};
