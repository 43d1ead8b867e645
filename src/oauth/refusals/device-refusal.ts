/** Why a request from a device is refused (RFC 8628 §3.5). */
export type DeviceRefusal =
  | { readonly rule: 'device-pending' }
  | { readonly rule: 'device-polls-too-fast'; readonly intervalSeconds: number; readonly seenSeconds: number }
  | { readonly rule: 'device-code-expired'; readonly secondsAgo: number; readonly lifetimeSeconds: number }
  | { readonly rule: 'device-denied' }
  /** `who` tells which limit was reached: for all requests, for the client, or for the address. */
  | { readonly rule: 'devices-full'; readonly who: 'all' | 'client' | 'address'; readonly most: number };
