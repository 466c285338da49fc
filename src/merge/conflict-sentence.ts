/** A conflict in the words of the API. */
import type { Json } from '../kernel/json.ts'
import { parsePointer } from '../kernel/pointer.ts'
import { cutTo, wordsIn } from '../kernel/text.ts'
import type { MergeConflict } from './conflict.ts'

const longestValue = 60

const valueWords = (value: Json, isThere: boolean): string => {
  if (!isThere) return 'removed'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) {
    const names = Object.keys(value)
    return names.length === 0 ? 'an empty object' : cutTo(`an object with ${names.join(', ')}`, longestValue)
  }
  return cutTo(wordsIn(JSON.stringify(value)).join(' '), longestValue)
}

/** What of the subject it is about: "summary", "responses/200/description"; "" for all of it. */
function partOf({ pointer, subject }: MergeConflict): string {
  const keys = parsePointer(pointer) ?? []
  const [first] = keys
  const isOperation = (first === 'paths' || first === 'webhooks') && !subject.startsWith('path ')
  const depth =
    first === 'paths' || first === 'webhooks' ? 2 + Number(isOperation) : Number(first === 'components') * 2 + 1
  return keys.slice(first === 'definitions' || first === '$defs' ? 2 : depth).join('/')
}

/** "GET /pets, summary: mine "A", theirs "B"", or with the reason why both together break a rule. */
export function conflictSentence(conflict: MergeConflict): string {
  const { subject, reason, mine, theirs, pointers } = conflict
  const part = partOf(conflict)
  const what = part === '' ? subject : `${subject}, ${part}`
  if (reason !== undefined) return `${what}: ${reason}`
  return `${what}: mine ${valueWords(mine, pointers.mine !== null)}, theirs ${valueWords(theirs, pointers.theirs !== null)}`
}
