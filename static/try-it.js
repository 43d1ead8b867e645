// Fills in the requests of an application with what its developer gets on the way, and makes a new PKCE pair and state (RFC 7636 §4),
// for a code that was exchanged needs another pair. Nothing of it leaves the page; loading it anew does without both.
'use strict';

const base64url = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** What the requests have in capitals, and what stands for it in words. */
const GOT = { CLIENT_SECRET: 'client secret', CODE: 'code', ACCESS_TOKEN: 'access token', REFRESH_TOKEN: 'refresh token' };
const PLACEHOLDER = new RegExp(`(?<![\\w-])(?:${Object.keys(GOT).join('|')})(?![\\w-])`, 'g');

/** No credential has another character: whatever has one would end a quotation in a shell. */
const CREDENTIAL = /^[\w.~+/=-]+$/;
const KINDS = { gls: 'CLIENT_SECRET', glc: 'CODE', gla: 'ACCESS_TOKEN', glr: 'REFRESH_TOKEN' };

function recognise(pasted) {
  const text = pasted.trim();
  const parameters = new URLSearchParams(text.replace(/^[^?]*\?/, '').replace(/#.*/, ''));
  if (parameters.has('code') || parameters.has('error')) return { CODE: parameters.get('code'), state: parameters.get('state'), error: parameters.get('error') };
  try {
    const { access_token, refresh_token, error } = JSON.parse(text);
    return { ACCESS_TOKEN: access_token, REFRESH_TOKEN: refresh_token, error };
  } catch {
    return { [KINDS[text.slice(0, 3)]]: text };
  }
}

function createPanel(panel) {
  const codes = [...panel.querySelectorAll('pre code')];
  const templates = new Map(codes.map((code) => [code, code.textContent]));
  const values = {};
  const show = () => {
    for (const code of codes) code.textContent = templates.get(code).replaceAll(PLACEHOLDER, (name) => values[name] ?? name);
  };
  const wants = (name) => [...templates.values()].some((text) => text.match(PLACEHOLDER)?.includes(name));
  return { panel, templates, values, show, wants };
}

/** @returns what to say about it */
function fillIn({ panel, values, show, wants }, pasted) {
  const { state, error, ...found } = recognise(pasted);
  if (error) return `It says ${error}: nothing to fill in.`;
  if (state !== undefined && state !== panel.dataset.state) return 'The state is not the one of the address below, so this answer belongs to another request.';
  const good = Object.entries(found).filter(([name, value]) => name in GOT && wants(name) && CREDENTIAL.test(value ?? ''));
  if (good.length === 0) return 'There is nothing in it that the requests below need.';
  Object.assign(values, Object.fromEntries(good));
  show();
  return `The ${good.map(([name]) => GOT[name]).join(' and the ')} ${good.length === 1 ? 'is' : 'are'} filled in below.`;
}

function offerToFillIn(tryIt) {
  const field = tryIt.panel.querySelector('[data-fill-in]');
  if (field === null) return;
  const input = field.querySelector('input');
  input.addEventListener('input', () => {
    field.querySelector('[role=status]').textContent = input.value.trim() === '' ? '' : fillIn(tryIt, input.value);
  });
  input.addEventListener('focus', () => { input.select(); }); // the next paste takes the place of the last
  field.hidden = false;
}

async function renew({ panel, templates, values, show }) {
  const { verifier, challenge, method, state } = panel.dataset;
  const next = { verifier: random(), state: random() };
  next.challenge = method === 'S256' ? base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(next.verifier)))) : next.verifier;
  const renewed = (text) => text.replaceAll(verifier, next.verifier).replaceAll(challenge, next.challenge).replaceAll(`state=${state}`, `state=${next.state}`);
  for (const [code, text] of templates) templates.set(code, renewed(text));
  delete values.CODE;
  show();
  for (const link of panel.querySelectorAll('a[href^="/o/authorize/"]')) link.setAttribute('href', renewed(link.getAttribute('href')));
  Object.assign(panel.dataset, next);
}

function offerToRenew(tryIt) {
  const link = tryIt.panel.querySelector('a[href^="/o/authorize/"]');
  if (link === null) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button button--quiet';
  button.textContent = 'Make a new PKCE pair';
  const said = document.createElement('span');
  said.className = 'meta';
  said.setAttribute('role', 'status');
  const renewAndSay = async () => {
    await renew(tryIt);
    said.textContent = 'New verifier, challenge and state are in the address and in the exchange below.';
  };
  button.addEventListener('click', () => { void renewAndSay(); });
  link.after(button, said);
}

for (const panel of document.querySelectorAll('[data-try-it]')) {
  const tryIt = createPanel(panel);
  offerToFillIn(tryIt);
  if (globalThis.crypto?.subtle) offerToRenew(tryIt); // it exists on https and on localhost only
}
