/** Merges three texts as the merge driver of git does, and looks at what came of it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isEqual } from '../../src/anchors/equal-nodes.ts'
import type { Document } from '../../src/document/document.ts'
import { parseDocument } from '../../src/document/parse.ts'
import type { Json } from '../../src/kernel/json.ts'
import { mergeDocuments } from '../../src/merge/merge.ts'
import { mergeTexts } from '../../src/merge/merge-texts.ts'
import { lossesOf, type Loss } from './losses.ts'

/** Three texts of one file, and what they are called. */
export interface Triple {
  readonly name: string
  readonly path: string
  readonly base: string
  readonly mine: string
  readonly theirs: string
}

/** What a merge of a triple came to. */
export interface Replayed {
  readonly name: string
  /**
   * - `same`: a side did not change what the document means, so that nothing is merged
   * - `unreadable`: a text is no document, which git merges by lines
   */
  readonly outcome: 'clean' | 'conflicts' | 'same' | 'unreadable'
  readonly conflicts: number
  /** Whether the merge by lines has conflicts. */
  readonly linesConflict: boolean
  /** What is not as the sides made it though no conflict says so; of a text that is not the merged value, one that says so. */
  readonly losses: readonly Loss[]
  /** Whether both have no conflict, and the text that git makes by lines means something else. */
  readonly linesDiffer: boolean
}

const style = { mine: 'ours', theirs: 'theirs', size: 7 } as const

/** What git makes of three texts, by lines; null with conflicts. */
function mergeLines(texts: readonly [string, string, string]): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'svc-replay-'))
  try {
    const [base, mine, theirs] = texts.map((text, at) => {
      const file = join(folder, String(at))
      writeFileSync(file, text)
      return file
    }) as [string, string, string]
    const { exitCode, stdout } = Bun.spawnSync(['git', 'merge-file', '-p', '--', mine, base, theirs], { cwd: folder })
    return exitCode === 0 ? stdout.toString() : null
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const isWrong = (document: Document): boolean => document.problems.some(({ severity }) => severity === 'error')
const wrongText: Loss = { fact: 'the text is not the merged value', base: 0, mine: 0, theirs: 0, merged: 0 }

/** Merges a triple, and counts what is in neither the merge nor a conflict. */
export function replay({ name, path, base, mine, theirs }: Triple): Replayed {
  const documents = [base, mine, theirs].map((text) => parseDocument(text, { source: path })) as [
    Document,
    Document,
    Document,
  ]
  const [from, left, right] = documents
  const lines = mergeLines([base, mine, theirs])
  const known = { name, conflicts: 0, linesConflict: lines === null, losses: [], linesDiffer: false }
  if (documents.some(isWrong)) return { ...known, outcome: 'unreadable' }
  if (isEqual(from.value, left.value) || isEqual(from.value, right.value) || isEqual(left.value, right.value))
    return { ...known, outcome: 'same' }
  const { document: value, conflicts } = mergeDocuments(from.value, left.value, right.value)
  const places = conflicts.flatMap(({ pointer, pointers }) =>
    [pointer, pointers.base, pointers.mine, pointers.theirs].filter((it) => it !== null),
  )
  const lostIn = (merged: Json): readonly Loss[] =>
    lossesOf({ base: from.value, mine: left.value, theirs: right.value, merged }, places)
  // The text has both sides of all conflicts, also where one of them has several places.
  const other = mergeDocuments(from.value, left.value, right.value, { all: 'theirs' }).document
  const lostInOther = new Set(lostIn(other).map(({ fact }) => fact))
  const losses = lostIn(value).filter(({ fact }) => lostInOther.has(fact))
  const made = mergeTexts(from, left, right, (...texts) => mergeLines(texts), style)
  if (conflicts.length > 0) return { ...known, outcome: 'conflicts', conflicts: conflicts.length, losses }
  const isWritten = isEqual(parseDocument(made.text, { source: path }).value, value)
  const read = lines === null ? null : parseDocument(lines, { source: path })
  return {
    ...known,
    outcome: 'clean',
    losses: isWritten ? losses : [...losses, wrongText],
    linesDiffer: read !== null && (isWrong(read) || !isEqual(read.value, value)),
  }
}
