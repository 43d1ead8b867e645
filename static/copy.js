// Adds a copy button beside everything marked data-copy. The pages are complete without it.
'use strict';

async function copy(source, button) {
  try {
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Copy by hand, please';
  }
  setTimeout(() => { button.textContent = 'Copy'; }, 2000);
}

function addButton(source) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', () => { void copy(source, button); });

  const block = source.closest('pre') ?? source;
  const frame = document.createElement('div');
  frame.className = block === source ? 'copyable copyable--line' : 'copyable';
  block.replaceWith(frame);
  frame.append(block, button);
}

// The clipboard exists on https and on localhost only.
if (navigator.clipboard) document.querySelectorAll('[data-copy]').forEach(addButton);
