import { SvcError } from '../../src/errors.ts'

const shape = /^[^\s@<>"(),;:\\[\]]{1,64}@[^\s@<>"(),;:\\[\]]{1,190}$/

/**
 * An e-mail address as accounts keep it: trimmed, its host in lower case.
 * @throws SvcError `email-invalid`
 */
export function normalizeEmail(text: string): string {
  const email = text.trim()
  if (!shape.test(email)) throw new SvcError('email-invalid', { email: email.slice(0, 100) })
  const at = email.lastIndexOf('@')
  return email.slice(0, at) + email.slice(at).toLowerCase()
}

/** A person's name as it is kept: trimmed, without control characters. */
export function normalizeName(text: string, email: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what it removes
  const name = text.replaceAll(/[\u0000-\u001f\u007f]/g, ' ').trim()
  return name === '' ? (email.split('@')[0] ?? email) : name
}
