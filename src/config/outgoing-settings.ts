import { z } from 'zod';
import { isAllowableNetwork } from '../platform/egress/address-filter.ts';
import { flag, setting } from './setting.ts';

/** The settings of requests that the server sends to other servers. */
export const outgoingSettings = {
  outgoingHttp: flag(
    false,
    'Whether the server may also send requests with http. By default, addresses of sector documents, of ' +
      'keys (jwks_uri) and for back-channel logout must use https.',
  ),
  outgoingNetworks: setting({
    schema: z.array(z.string().max(64).refine(isAllowableNetwork)).max(50).readonly(),
    default: [],
    expects:
      'a list of at most 50 blocks of loopback or private addresses in CIDR notation, in JSON: ' +
      '["127.0.0.0/8","10.1.0.0/16"]',
    description:
      'The loopback and private networks to which the server may send requests besides public addresses. ' +
      'Registered applications choose the addresses, so list only networks whose servers expect that.',
  }),
} as const;
