// Lets users show a password they typed, and rates new passwords. The pages work without this script.
'use strict';

(() => {
  const texts = document.currentScript.dataset;
  const MIN_LENGTH = 8;

  function addToggle(field) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button button--quiet reveal';
    const show = (isShown) => {
      field.type = isShown ? 'text' : 'password';
      button.textContent = isShown ? texts.hide : texts.show;
    };
    button.addEventListener('click', () => {
      show(field.type === 'password');
    });
    field.form?.addEventListener('submit', () => {
      show(false);
    }); // otherwise the browser would remember it as ordinary text
    show(false);
    field.after(button);
    return button;
  }

  /**
   * Rates a password from 0 to 4 by its length, not counting repeated and consecutive characters. A password that
   * contains a personal word is rated 1 at most.
   */
  function strengthOf(password, personalWords) {
    const characters = [...password.toLowerCase()];
    if (characters.length < MIN_LENGTH) return 0;
    if (personalWords.some((word) => word.length > 2 && password.toLowerCase().includes(word.toLowerCase()))) return 1;
    const steps = characters.filter(
      (character, index) =>
        index === 0 || Math.abs(character.codePointAt(0) - characters[index - 1].codePointAt(0)) > 1,
    ).length;
    const score = Math.min(steps, new Set(characters).size * 2);
    return [9, 12, 16].reduce((strength, threshold) => strength + (score >= threshold ? 1 : 0), 1);
  }

  /**
   * Returns why the server would refuse the password, as far as the browser can tell, so that users see it before they
   * submit the form. Returns an empty string if it knows no reason.
   */
  function problemOf(password, personalWords) {
    const characters = [...password.toLowerCase()];
    if (characters.length === 0) return '';
    if (characters.length < MIN_LENGTH) return texts.short;
    if (new Set(characters).size < 3) return texts.common;
    return personalWords.some((word) => word.toLowerCase() === password.toLowerCase()) ? texts.known : '';
  }

  function addMeter(field, toggle) {
    const meter = document.createElement('meter');
    Object.assign(meter, { min: 0, max: 4, low: 1.5, high: 2.5, optimum: 4, value: 0, className: 'strength' });
    meter.setAttribute('aria-label', texts.strength);
    meter.hidden = true;
    const rating = document.createElement('p');
    rating.className = 'help';
    rating.setAttribute('aria-live', 'polite');
    field.addEventListener('input', () => {
      const personalWords = [...field.form.querySelectorAll('[autocomplete^=username], [type=email]')].flatMap(
        ({ value }) => [value, value.split('@')[0]],
      );
      meter.value = strengthOf(field.value, personalWords);
      meter.hidden = field.value === '';
      field.setCustomValidity(problemOf(field.value, personalWords));
      rating.textContent = field.value === '' ? '' : texts[`rating${meter.value}`];
    });
    toggle.after(meter, rating);
  }

  for (const field of document.querySelectorAll('input[type=password]')) {
    const button = addToggle(field);
    if (field.autocomplete === 'new-password') addMeter(field, button);
  }
})();
