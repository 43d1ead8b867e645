// Fills in the example requests with the credentials that a developer pastes, and generates new PKCE pairs and states
// (RFC 7636 §4), because each authorization code needs its own. Nothing leaves the page, and a reload forgets it all.
'use strict';

const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** The placeholders in the examples, and their names in messages. */
const PLACEHOLDERS = {
  CLIENT_SECRET: 'client secret',
  CODE: 'code',
  ACCESS_TOKEN: 'access token',
  REFRESH_TOKEN: 'refresh token',
};
const PLACEHOLDER = new RegExp(`(?<![\\w-])(?:${Object.keys(PLACEHOLDERS).join('|')})(?![\\w-])`, 'g');

/** The characters of credentials. Any other could end a quoted string in a shell. */
const CREDENTIAL = /^[\w.~+/=-]+$/;
const KINDS = { gls: 'CLIENT_SECRET', glc: 'CODE', gla: 'ACCESS_TOKEN', glr: 'REFRESH_TOKEN' };

function recognize(pasted) {
  const text = pasted.trim();
  const parameters = new URLSearchParams(text.replace(/^[^?]*\?/, '').replace(/#.*/, ''));
  if (parameters.has('code') || parameters.has('error'))
    return { CODE: parameters.get('code'), state: parameters.get('state'), error: parameters.get('error') };
  try {
    const { access_token, refresh_token, id_token, error } = JSON.parse(text);
    return { ACCESS_TOKEN: access_token, REFRESH_TOKEN: refresh_token, idToken: id_token, error };
  } catch {
    return { [KINDS[text.slice(0, 3)]]: text };
  }
}

function createPanel(panel) {
  const codes = [...panel.querySelectorAll('pre code')];
  const templates = new Map(codes.map((code) => [code, code.textContent]));
  const values = {};
  const show = () => {
    for (const code of codes)
      code.textContent = templates.get(code).replaceAll(PLACEHOLDER, (name) => values[name] ?? name);
  };
  const wants = (name) => [...templates.values()].some((text) => text.match(PLACEHOLDER)?.includes(name));
  return { panel, templates, values, show, wants };
}

/** @returns a message for the user */
function fillIn({ panel, values, show, wants }, pasted) {
  const { state, error, idToken, ...found } = recognize(pasted);
  if (error) return `This response is the error ${error}, so there is nothing to fill in.`;
  if (state !== undefined && state !== panel.dataset.state)
    return 'The state doesn’t match the address below, so this response belongs to a different request.';
  const good = Object.entries(found).filter(
    ([name, value]) => name in PLACEHOLDERS && wants(name) && CREDENTIAL.test(value ?? ''),
  );
  if (typeof idToken === 'string')
    panel.dispatchEvent(new CustomEvent('tokens', { detail: { idToken, accessToken: found.ACCESS_TOKEN } }));
  if (good.length === 0) return 'This contains nothing that the examples below need.';
  Object.assign(values, Object.fromEntries(good));
  show();
  const names = good.map(([name]) => PLACEHOLDERS[name]).join(' and the ');
  return `The ${names} ${good.length === 1 ? 'is' : 'are'} filled in below.`;
}

function offerToFillIn(tryIt) {
  const field = tryIt.panel.querySelector('[data-fill-in]');
  if (field === null) return;
  const input = field.querySelector('input');
  input.addEventListener('input', () => {
    field.querySelector('[role=status]').textContent = input.value.trim() === '' ? '' : fillIn(tryIt, input.value);
  });
  input.addEventListener('focus', () => {
    input.select();
  }); // so that the next paste replaces the last
  field.hidden = false;
}

async function renew({ panel, templates, values, show }) {
  const { verifier, challenge, method, state, nonce } = panel.dataset;
  const next = { verifier: random(), state: random(), nonce: random() };
  next.challenge =
    method === 'S256'
      ? base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(next.verifier))))
      : next.verifier;
  const renewed = (text) =>
    text
      .replaceAll(verifier, next.verifier)
      .replaceAll(challenge, next.challenge)
      .replaceAll(`state=${state}`, `state=${next.state}`)
      .replaceAll(`nonce=${nonce}`, `nonce=${next.nonce}`);
  for (const [code, text] of templates) templates.set(code, renewed(text));
  delete values.CODE;
  show();
  for (const link of panel.querySelectorAll('a[href^="/o/authorize/"]'))
    link.setAttribute('href', renewed(link.getAttribute('href')));
  Object.assign(panel.dataset, next);
  panel.querySelector('[data-id-token]')?.setAttribute('data-nonce', next.nonce);
}

function offerToRenew(tryIt) {
  const link = tryIt.panel.querySelector('a[href^="/o/authorize/"]');
  if (link === null) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button button--quiet';
  button.textContent = 'Generate a new PKCE pair';
  const status = document.createElement('span');
  status.className = 'meta';
  status.setAttribute('role', 'status');
  const renewAndReport = async () => {
    await renew(tryIt);
    status.textContent = 'The addresses and the code exchange below now use a new verifier, challenge and state, and a new nonce.';
  };
  button.addEventListener('click', () => {
    void renewAndReport();
  });
  link.after(button, status);
}

for (const panel of document.querySelectorAll('[data-try-it]')) {
  const tryIt = createPanel(panel);
  offerToFillIn(tryIt);
  if (globalThis.crypto?.subtle) offerToRenew(tryIt); // browsers offer it only over https and on localhost
}
