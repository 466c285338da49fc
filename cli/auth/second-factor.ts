import type { Invocation } from '../declare.ts'
import { readPassword } from '../user/shared.ts'

/** What commands that take the own password declare. */
export const passwordOption = {
  'password-stdin': {
    type: 'boolean',
    summary: 'read your password from standard input (default: SVC_USER_PASSWORD)',
    field: null,
  },
} as const

/** The password of the person who runs the command. @throws SvcError `usage` without one */
export const ownPassword = (from: Invocation): Promise<string> =>
  readPassword(from, (from.options as { 'password-stdin'?: boolean })['password-stdin'] === true)

/** Recovery codes, one on each line, with what to do with them. */
export const recoveryCodesText = (codes: readonly string[]): string =>
  `${codes.map((code) => `${code}\n`).join('')}\nKeep these recovery codes in a safe place: they are not shown again. Each works once.\n`
