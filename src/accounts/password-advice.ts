import { MAX_LENGTH } from '../domain/lengths.ts';
import { normalForm } from '../domain/normal-form.ts';
import { message, type Message } from '../language/message.ts';
import { tooLongProblem } from './account-problems.ts';

/** NIST SP 800-63B-3 §5.1.1.2: passwords chosen by users must have at least eight characters, of any kind. */
export const MIN_PASSWORD_LENGTH = 8;

/** The most common leaked passwords that are long enough. Attackers try these first. */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `password password1 password12 password123 passw0rd p@ssw0rd p@ssword 12345678 123456789 1234567890 12341234
  123123123 87654321 987654321 qwertyui qwertyuiop qwerty123 qwerty12 1q2w3e4r 1q2w3e4r5t 1qaz2wsx q1w2e3r4 zaq12wsx
  asdfghjk asdfghjkl zxcvbnm123 iloveyou iloveyou1 sunshine princess football baseball superman batman123 starwars
  whatever trustno1 welcome1 welcome123 letmein1 admin123 administrator changeme changeme1 changeit abc12345
  abcd1234 abcdefgh computer internet dragon123 monkey123 master123 michelle jennifer charlie1 liverpool qazwsxedc
  aaaaaaaa 11111111 00000000 88888888 11223344`.split(/\s+/),
);

/**
 * Returns why a password chosen by a user or operator is weak, or undefined if it is not. `POST /users/` does not check
 * this, and commands in scripts only warn, because existing applications and scripts set weak passwords.
 * @param personalData what other people may know about the user: the user name, the e-mail address
 */
export function passwordWeakness(password: string, personalData: readonly string[]): Message | undefined {
  if (password.length > MAX_LENGTH.password) return tooLongProblem(MAX_LENGTH.password);
  const comparablePassword = comparableForm(password);
  if (Array.from(password).length < MIN_PASSWORD_LENGTH)
    return message('problem.password-short', { minimum: MIN_PASSWORD_LENGTH });
  if (COMMON_PASSWORDS.has(comparablePassword) || new Set(comparablePassword).size < 3)
    return message('problem.password-common');
  const guessablePasswords = personalData.flatMap((text) => [text, text.split('@')[0] ?? '']).map(comparableForm);
  return guessablePasswords.includes(comparablePassword) ? message('problem.password-known') : undefined;
}

/** Returns the same string for strings that differ only in case, width or compatibility form. */
function comparableForm(text: string): string {
  return normalForm(text, MAX_LENGTH.password).toLowerCase();
}
