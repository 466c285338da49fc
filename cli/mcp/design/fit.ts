/** Answers that stay within the tokens that the caller allows. */
import { greatestFit, replySize } from '../../../mcp/budget.ts'
import { SvcError } from '../../../src/errors.ts'

/** The lists and texts of an answer that may be cut; everything else always fits. */
export type Parts = Readonly<Record<string, readonly unknown[] | string>>

const steps = 200

const cutOf = (part: readonly unknown[] | string, share: number): readonly unknown[] | string => {
  const kept = Math.floor((part.length * share) / steps)
  if (typeof part !== 'string') return part.slice(0, kept)
  return kept === part.length ? part : `${part.slice(0, kept).toWellFormed()}…`
}

/**
 * An answer with as much of its lists and texts as fits: texts are cut first, then the same share of each list. Where something
 * was cut, `truncated` is true and `total` says how much there is of each: items of lists, characters of texts.
 */
export function fitted(frame: object, parts: Parts, budgetBytes: number): object {
  const all = Object.entries(parts)
  const total = Object.fromEntries(all.map(([key, part]) => [key, part.length]))
  const answer = (ofTexts: number, ofLists: number): object => ({
    ...frame,
    ...Object.fromEntries(all.map(([key, part]) => [key, cutOf(part, typeof part === 'string' ? ofTexts : ofLists)])),
    ...(ofTexts === steps && ofLists === steps ? {} : { truncated: true, total }),
  })
  if (replySize(answer(steps, steps)) <= budgetBytes) return answer(steps, steps)
  if (replySize(answer(0, steps)) > budgetBytes)
    return answer(
      0,
      greatestFit(steps - 1, (share) => answer(0, share), budgetBytes),
    )
  const texts = greatestFit(steps - 1, (share) => answer(share, steps), budgetBytes)
  return answer(texts, steps)
}

/** Where a text continues: the offset and the digest of the whole, which may have changed since. */
const cursorOf = (offset: number, digest: string): string => `${offset}.${digest}`

/**
 * A part of a long text from where the last answer ended.
 * @throws SvcError `cursor-invalid` where the text is another one by now
 */
export function textPage(frame: object, text: string, cursor: string | undefined, budgetBytes: number): object {
  const digest = Bun.hash.xxHash32(text).toString(16)
  const [offset, known] = cursor === undefined ? ['0', digest] : cursor.split('.')
  const from = Number(offset)
  if (known !== digest || !Number.isSafeInteger(from) || from > text.length) throw new SvcError('cursor-invalid')
  const answer = (count: number): object => {
    const to = from + count
    const isWhole = to >= text.length
    return {
      ...frame,
      text: text.slice(from, to).toWellFormed(),
      total: text.length,
      truncated: !isWhole,
      next_cursor: isWhole ? null : cursorOf(to, digest),
    }
  }
  const rest = text.length - from
  const fits = replySize(answer(rest)) <= budgetBytes ? rest : greatestFit(rest, answer, budgetBytes)
  // A pair of units is one sign.
  const isSplit = fits > 1 && fits < rest && /[\uD800-\uDBFF]/.test(text[from + fits - 1] ?? '')
  return answer(isSplit ? fits - 1 : fits)
}
