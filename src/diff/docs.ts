import type { Json } from '../kernel/json.ts'
import type { SchemaPair } from './schema/pair.ts'
import { isDocsWord } from './docs-words.ts'
import { isSameValue } from './sameness.ts'

const exampleWords: ReadonlySet<string> = new Set(['example', 'examples'])

/** One example and a list of it are the same thing in two dialects. */
const sameExamples = (pair: SchemaPair): boolean => {
  const [a, b] = [pair.base, pair.head].map((view): Json | undefined => {
    const [one, list] = [view.words.get('example'), view.words.get('examples')]
    return one && !list ? [one.value] : one ? undefined : list?.value
  })
  return a !== undefined && isSameValue(a, b)
}

/** States the edits of a schema that change its text only. */
export const compareDocs = (pair: SchemaPair): void => {
  const words = new Set([...pair.base.words.keys(), ...pair.head.words.keys()])
  for (const word of [...words].sort()) {
    if (!isDocsWord(word) || word === 'x-nullable') continue
    const a = pair.base.words.get(word)
    const b = pair.head.words.get(word)
    if (isSameValue(a?.value, b?.value) || (exampleWords.has(word) && sameExamples(pair))) continue
    pair.state({
      docs: true,
      kind: 'documentation',
      action: a ? (b ? 'changed' : 'removed') : 'added',
      base: a?.path ?? null,
      head: b?.path ?? null,
      before: a?.value ?? null,
      after: b?.value ?? null,
      subject: `the \`${word}\` of ${pair.subject((b ?? a)?.path.slice(0, -1) ?? [], b !== undefined)}`,
    })
  }
}
