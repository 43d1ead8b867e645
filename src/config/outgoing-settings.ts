import { z } from 'zod';
import { isAllowableNetwork } from '../platform/egress/address-filter.ts';
import { flag, setting } from './setting.ts';

/** The settings for requests that the server sends to other servers. */
export const outgoingSettings = {
  outgoingHttp: flag(false),
  outgoingNetworks: setting({
    schema: z.array(z.string().max(64).refine(isAllowableNetwork)).max(50).readonly(),
    default: [],
    expects:
      'a list of at most 50 blocks of loopback or private addresses in CIDR notation, in JSON: ' +
      '["127.0.0.0/8","10.1.0.0/16"]',
  }),
} as const;
