// Tells the server the time zone of the browser, for the next page, and shows times in that zone while the pointer is
// over them, except for times that show UTC instead. The pages work without this script.
'use strict';

const digits = (number, length = 2) => String(number).padStart(length, '0');

function localTime(date) {
  const day = [digits(date.getFullYear(), 4), digits(date.getMonth() + 1), digits(date.getDate())].join('-');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => digits(part)).join(':');
  const offset = -date.getTimezoneOffset();
  const hours = Math.floor(Math.abs(offset) / 60);
  return `${day} ${time} UTC${offset < 0 ? '−' : '+'}${digits(hours)}:${digits(Math.abs(offset) % 60)}`;
}

for (const time of document.querySelectorAll('time[datetime*=T]:not([data-utc])'))
  time.title = localTime(new Date(time.dateTime));

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
const [prefix, secure] = location.protocol === 'https:' ? ['__Host-', '; secure'] : ['', ''];
document.cookie = `${prefix}grantlog-time-zone=${timeZone}; path=/; max-age=31536000; samesite=lax${secure}`;
