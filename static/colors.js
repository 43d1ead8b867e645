// Shows a color picker beside each color field. The pages work without this script.
'use strict';

for (const picker of document.querySelectorAll('[data-color-of]')) {
  const field = document.getElementById(picker.dataset.colorOf);
  picker.hidden = false;
  picker.addEventListener('input', () => {
    field.value = picker.value;
  });
  field.addEventListener('input', () => {
    if (/^#[\da-f]{6}$/i.test(field.value)) picker.value = field.value;
  });
}
