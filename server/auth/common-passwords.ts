import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** So many characters are looked at: no list has longer ones, and the time grows with the square of them. */
const mostChecked = 32

const lists = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })

/**
 * Whether a password is on a list of common ones, or little more than one: with digits or signs around it, written with digits for
 * letters, repeated, or a row of keys.
 * @param names words of the account, which count as common
 */
export function isCommonPassword(password: string, names: readonly string[]): boolean {
  return lists.check(password.slice(0, mostChecked), [...names]).score < 2
}
