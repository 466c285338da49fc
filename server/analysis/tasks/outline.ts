import type { OutlineItem } from '../../../src/api/edits.ts'
import { formatPointer } from '../../../src/kernel/pointer.ts'
import { symbolsOf, type DocumentSymbol } from '../../../src/language/symbols.ts'
import { onlyOne, type Desk } from '../desk.ts'

const mostItems = 10_000

/** The named parts of a document in its order, each with the line of its key; properties of schemas are left out. */
export function run(_: object, desk: Desk): { readonly items: OutlineItem[]; readonly total: number } {
  const document = desk.engine.document(onlyOne(desk))
  const items: OutlineItem[] = []
  let total = 0
  const add = (symbols: readonly DocumentSymbol[], depth: number): void => {
    for (const { name, detail, kind, path, children } of symbols) {
      if (kind === 'property') continue
      total += 1
      if (items.length < mostItems) {
        const { line } = document.locate(path, { key: true }).start
        items.push({ name, detail: detail.slice(0, 200), kind, depth, pointer: formatPointer(path), line })
      }
      add(children, depth + 1)
    }
  }
  add(symbolsOf(document), 0)
  return { items, total }
}
