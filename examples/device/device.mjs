#!/usr/bin/env node
// Plays a device without a browser (RFC 8628): shows a code and a QR code, and polls until a user approves or denies
// access, or the code expires.
// Usage: node device.mjs ISSUER CLIENT_ID [SCOPE]

import { setTimeout as wait } from 'node:timers/promises';
import { renderUnicodeCompact } from 'uqr';

const [issuer = '', clientId = '', scope] = process.argv.slice(2);
if (clientId === '') {
  process.stderr.write('Usage: node device.mjs ISSUER CLIENT_ID [SCOPE]\n');
  process.exit(2);
}

const metadata = await (await fetch(`${issuer}/.well-known/oauth-authorization-server`)).json();
const codes = await post(metadata.device_authorization_endpoint, scope === undefined ? {} : { scope });
if (codes.error !== undefined) fail(codes);

// The QR code contains the user code. The user must still compare the codes, because anyone can send such a link.
console.log(renderUnicodeCompact(codes.verification_uri_complete, { border: 2 }));
console.log(`Scan this, or open ${codes.verification_uri} and enter the code ${codes.user_code}.`);
console.log('Continue only if the page shows the same code.');

const tokens = await poll();
if (tokens.error !== undefined) fail(tokens);
console.log(`Connected${tokens.scope === '' ? '' : `, with the scope ${tokens.scope}`}.`);

async function poll() {
  let seconds = codes.interval;
  for (;;) {
    await wait(seconds * 1000);
    const response = await post(metadata.token_endpoint, {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: codes.device_code,
    });
    if (response.error === 'slow_down') seconds += 5;
    else if (response.error !== 'authorization_pending') return response;
  }
}

/**
 * @param {string} address
 * @param {Record<string, string>} parameters
 */
async function post(address, parameters) {
  const body = new URLSearchParams({ client_id: clientId, ...parameters });
  return (await fetch(address, { method: 'POST', body })).json();
}

/** @param {{ error: string, error_description: string }} refusal */
function fail({ error, error_description: description }) {
  console.error(`${error}: ${description}`);
  process.exit(1);
}
