// Shows a time in the reader's time zone, in digits only, while the pointer is over it. The pages work without it.
'use strict';

const digits = (number, length = 2) => String(number).padStart(length, '0');

function localTime(date) {
  const day = [digits(date.getFullYear(), 4), digits(date.getMonth() + 1), digits(date.getDate())].join('-');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => digits(part)).join(':');
  const offset = -date.getTimezoneOffset();
  const hours = Math.floor(Math.abs(offset) / 60);
  return `${day} ${time} UTC${offset < 0 ? '−' : '+'}${digits(hours)}:${digits(Math.abs(offset) % 60)}`;
}

for (const time of document.querySelectorAll('time[datetime*=T]')) time.title = localTime(new Date(time.dateTime));
