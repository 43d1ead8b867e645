// Makes a new PKCE pair and a new state on the page (RFC 7636 §4): a code that was exchanged needs another pair. Loading the page anew does the same.
'use strict';

const base64url = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

async function renew(panel) {
  const { verifier, challenge, method, state } = panel.dataset;
  const next = { verifier: random(), state: random() };
  next.challenge = method === 'S256' ? base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(next.verifier)))) : next.verifier;
  const renewed = (text) => text.replaceAll(verifier, next.verifier).replaceAll(challenge, next.challenge).replaceAll(`state=${state}`, `state=${next.state}`);
  for (const code of panel.querySelectorAll('code')) code.textContent = renewed(code.textContent);
  for (const link of panel.querySelectorAll('a[href^="/o/authorize/"]')) link.setAttribute('href', renewed(link.getAttribute('href')));
  Object.assign(panel.dataset, next);
}

function offer(panel) {
  const link = panel.querySelector('a[href^="/o/authorize/"]');
  if (link === null) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button button--quiet';
  button.textContent = 'Make a new PKCE pair';
  const said = document.createElement('span');
  said.className = 'meta';
  said.setAttribute('role', 'status');
  const renewAndSay = async () => {
    await renew(panel);
    said.textContent = 'New verifier, challenge and state are in the address and in the exchange below.';
  };
  button.addEventListener('click', () => { void renewAndSay(); });
  link.after(button, said);
}

// crypto.subtle exists on https and on localhost only.
if (globalThis.crypto?.subtle) document.querySelectorAll('[data-try-it]').forEach(offer);
