// Adds a copy button next to every element with data-copy. The pages work without this script.
'use strict';

const copyTexts = document.currentScript.dataset;

async function copy(source, button) {
  try {
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = copyTexts.copied;
  } catch {
    button.textContent = copyTexts.failed;
  }
  setTimeout(() => {
    button.textContent = copyTexts.copy;
  }, 2000);
}

function addButton(source) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = copyTexts.copy;
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', () => {
    void copy(source, button);
  });

  const block = source.closest('pre') ?? source;
  const frame = document.createElement('div');
  frame.className = block === source ? 'copyable copyable--line' : 'copyable';
  block.replaceWith(frame);
  frame.append(block, button);
}

// Browsers offer the clipboard API only over https and on localhost.
if (navigator.clipboard) {
  document.querySelectorAll('[data-copy]').forEach(addButton);
  document.addEventListener('copyable', ({ target }) => addButton(target)); // for elements that scripts add later
}
