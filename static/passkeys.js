// Passkeys: adding one, and logging in with one. Its forms are hidden until it is sure that they can work.
'use strict';

(() => {
  const { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill, startAuthentication, startRegistration } = SimpleWebAuthnBrowser;
  /** Before the server takes what the browser waits with for too old. */
  const RENEW_EVERY_MS = 240_000;

  async function optionsOf(form, init) {
    const response = await fetch(form.dataset.options, { ...init, headers: { accept: 'application/json' } });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.detail);
    return answer;
  }

  function send(form, answer) {
    form.elements.answer.value = JSON.stringify(answer);
    if (form.elements.password) form.elements.password.disabled = true; // it was sent before
    form.submit();
  }

  const ceremonies = {
    add: {
      async run(form) {
        const { csrf_token: csrf, password } = form.elements;
        const body = new URLSearchParams({ csrf_token: csrf.value, password: password.value });
        return startRegistration({ optionsJSON: await optionsOf(form, { method: 'POST', body }) });
      },
      words: { InvalidStateError: 'This device has a passkey of yours already.', NotAllowedError: 'No passkey was made. Try again when you are ready.' },
    },
    'log-in': {
      run: async (form) => startAuthentication({ optionsJSON: await optionsOf(form) }),
      words: { NotAllowedError: 'No passkey was used. Try again, or log in with your password.' },
    },
  };

  async function offer(form) {
    const { run, words } = ceremonies[form.dataset.passkey];
    const problem = form.querySelector('[data-passkey-problem]');
    const button = form.querySelector('[type=submit]');
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      problem.textContent = '';
      button.disabled = true;
      try {
        send(form, await run(form));
      } catch (error) {
        problem.textContent = words[error.name] ?? error.message;
      } finally {
        button.disabled = false;
      }
    });
    form.hidden = false;
    document.querySelectorAll('[data-passkey-missing]').forEach((element) => { element.hidden = true; });
    // A field says so itself; and after a refusal the browser must not answer with the same passkey at once.
    if (document.querySelector('[autocomplete~=webauthn]') && await browserSupportsWebAuthnAutofill()) waitInField(form);
  }

  /** Lets the browser offer passkeys beside user names that it knows, for as long as the page is open. */
  function waitInField(form) {
    const wait = async () => {
      try {
        send(form, await startAuthentication({ optionsJSON: await optionsOf(form), useBrowserAutofill: true }));
      } catch {
        // Nobody asked for it, so there is nobody to tell.
      }
    };
    void wait();
    setInterval(() => void wait(), RENEW_EVERY_MS);
  }

  // A passkey is of one origin, and a server is often reached by other names on the way there.
  if (browserSupportsWebAuthn()) {
    for (const form of document.querySelectorAll('form[data-passkey]')) if (form.dataset.origin === location.origin) void offer(form);
  }
})();
