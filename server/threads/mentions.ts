import type { Reader } from '../../db/database.ts'
import { viewersOf } from '../auth/door.ts'

// The name may have any character but line breaks and the bracket that ends it.
const mention = /@\[[^\]\n]{1,200}\]\(user:([\w-]{1,64})\)/g
const mostMentions = 50

/** The ids that a text mentions, each once, as `@[name](user:ID)`. */
export const mentionsIn = (body: string): string[] =>
  [...new Set(Array.from(body.matchAll(mention), ([, id = '']) => id))].slice(0, mostMentions)

/** A text whose mentions have the names that are given by id; others stay as they were written. */
export const renameMentions = (body: string, names: ReadonlyMap<string, string | undefined>): string =>
  body.replaceAll(mention, (written: string, id: string) => {
    const name = names.get(id)?.replaceAll(/[\]\n]/g, ' ')
    return name === undefined ? written : `@[${name}](user:${id})`
  })

/** The members that a text mentions and that can view what it is about. */
export async function mentionedMembers(read: Reader, tenantId: string, body: string): Promise<string[]> {
  const ids = mentionsIn(body)
  if (ids.length === 0) return []
  const viewers = await viewersOf(read, tenantId, ids)
  return ids.filter((id) => viewers.has(id))
}

/** A text without the marks of mentions, short enough for a notification. */
export function excerptOfBody(body: string): string {
  const text = body
    .replaceAll(/@\[([^\]\n]+)\]\(user:[\w-]+\)/g, '@$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return text.length <= 200 ? text : `${text.slice(0, 199).replace(/[\uD800-\uDBFF]$/, '')}…`
}
