// Shows what was typed into a password field, and says how a new password does. The pages are complete without it.
'use strict';

(() => {
  const WORDS = ['Too short', 'Easy to guess', 'Not bad', 'Good', 'Very good'];
  const LEAST = 8;

  function addToggle(field) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button button--quiet reveal';
    const show = (isShown) => {
      field.type = isShown ? 'text' : 'password';
      button.textContent = isShown ? 'Hide password' : 'Show password';
    };
    button.addEventListener('click', () => { show(field.type === 'password'); });
    field.form?.addEventListener('submit', () => { show(false); }); // or the browser would keep it among what was typed
    show(false);
    field.after(button);
    return button;
  }

  /** From 0 to 4. Length counts, and repeating oneself does not: a rough guide, no more. */
  function strengthOf(password, known) {
    const characters = [...password.toLowerCase()];
    if (characters.length < LEAST) return 0;
    if (known.some((word) => word.length > 2 && password.toLowerCase().includes(word.toLowerCase()))) return 1;
    const steps = characters.filter((character, index) => index === 0 || Math.abs(character.codePointAt(0) - characters[index - 1].codePointAt(0)) > 1).length;
    const worth = Math.min(steps, new Set(characters).size * 2);
    return [9, 12, 16].reduce((strength, least) => strength + (worth >= least ? 1 : 0), 1);
  }

  function addMeter(field, after) {
    const meter = document.createElement('meter');
    Object.assign(meter, { min: 0, max: 4, low: 1.5, high: 2.5, optimum: 4, value: 0, className: 'strength' });
    meter.setAttribute('aria-label', 'Strength');
    meter.hidden = true;
    const words = document.createElement('p');
    words.className = 'help';
    words.setAttribute('aria-live', 'polite');
    field.addEventListener('input', () => {
      const known = [...field.form.querySelectorAll('[autocomplete^=username], [type=email]')].flatMap(({ value }) => [value, value.split('@')[0]]);
      meter.value = strengthOf(field.value, known);
      meter.hidden = field.value === '';
      words.textContent = field.value === '' ? '' : WORDS[meter.value];
    });
    after.after(meter, words);
  }

  for (const field of document.querySelectorAll('input[type=password]')) {
    const button = addToggle(field);
    if (field.autocomplete === 'new-password') addMeter(field, button);
  }
})();
