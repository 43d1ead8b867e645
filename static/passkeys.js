// Adds passkeys and logs in with them. The forms are hidden unless passkeys work here.
'use strict';

(() => {
  const { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill, startAuthentication, startRegistration } =
    SimpleWebAuthnBrowser;
  const texts = document.currentScript.dataset;
  /** Less than the lifetime of the request options. */
  const RENEW_EVERY_MS = 240_000;

  async function optionsOf(form, init) {
    const response = await fetch(form.dataset.options, { ...init, headers: { accept: 'application/json' } });
    const body = await response.json();
    if (!response.ok) throw Object.assign(new Error(body.detail), { field: body.field });
    return body;
  }

  function send(form, credential) {
    form.elements.answer.value = JSON.stringify(credential);
    if (form.elements.password) form.elements.password.disabled = true; // already verified with the request for options
    form.submit();
  }

  const ceremonies = {
    add: {
      async run(form) {
        const { csrf_token: csrf, password } = form.elements;
        const body = new URLSearchParams({ csrf_token: csrf.value, password: password?.value ?? '' });
        return startRegistration({ optionsJSON: await optionsOf(form, { method: 'POST', body }) });
      },
      messages: {
        InvalidStateError: texts.hasPasskey,
        NotAllowedError: texts.notCreated,
      },
    },
    'log-in': {
      run: async (form) => startAuthentication({ optionsJSON: await optionsOf(form) }),
      messages: { NotAllowedError: texts.notLoggedIn },
    },
    'second-step': {
      run: async (form) => startAuthentication({ optionsJSON: await optionsOf(form) }),
      messages: { NotAllowedError: texts.notConfirmed },
    },
  };

  /** Shows the problem of a field where the server's pages show it, or removes it if `problem` is undefined. */
  function mark(input, problem) {
    const errorId = `${input.id}-error`;
    document.getElementById(errorId)?.remove();
    input.parentElement.classList.toggle('field--invalid', problem !== undefined);
    const help = document.getElementById(`${input.id}-help`);
    const describedBy = [help?.id, problem && errorId].filter(Boolean).join(' ');
    if (describedBy === '') input.removeAttribute('aria-describedby');
    else input.setAttribute('aria-describedby', describedBy);
    if (problem === undefined) return input.removeAttribute('aria-invalid');
    input.setAttribute('aria-invalid', 'true');
    const text = document.createElement('p');
    Object.assign(text, { className: 'field-error', id: errorId, textContent: problem });
    text.setAttribute('role', 'alert');
    input.before(text);
    input.focus();
  }

  async function offer(form) {
    const { run, messages } = ceremonies[form.dataset.passkey];
    const problem = form.querySelector('[data-passkey-problem]');
    const button = form.querySelector('[type=submit]');
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      problem.textContent = '';
      if (form.elements.password) mark(form.elements.password, undefined);
      button.disabled = true;
      try {
        send(form, await run(form));
      } catch (error) {
        const field = form.elements[error.field];
        if (field) mark(field, error.message);
        // Only errors from the server are in the reader’s language, and only they have a field.
        else
          problem.textContent = messages[error.name] ?? ('field' in error ? error.message : messages.NotAllowedError);
      } finally {
        button.disabled = false;
      }
    });
    form.hidden = false;
    document.querySelectorAll('[data-passkey-missing]').forEach((element) => {
      element.hidden = true;
    });
    // After a failed login the server omits this attribute, so that the browser doesn’t offer the same passkey again.
    if (document.querySelector('[autocomplete~=webauthn]') && (await browserSupportsWebAuthnAutofill()))
      waitInField(form);
  }

  /** Lets the browser offer passkeys in the user name’s autofill list for as long as the page is open. */
  function waitInField(form) {
    const wait = async () => {
      try {
        send(form, await startAuthentication({ optionsJSON: await optionsOf(form), useBrowserAutofill: true }));
      } catch {
        // The user did not start this request, so there is nothing to report.
      }
    };
    void wait();
    setInterval(() => void wait(), RENEW_EVERY_MS);
  }

  // A passkey belongs to one origin, and this page may have been opened at another address of the server.
  if (browserSupportsWebAuthn()) {
    for (const form of document.querySelectorAll('form[data-passkey]'))
      if (form.dataset.origin === location.origin) void offer(form);
  }
})();
