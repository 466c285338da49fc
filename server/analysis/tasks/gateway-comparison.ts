import type { DialectName } from '../../../src/gateway/dialects/index.ts'
import type { ReleaseFile } from '../../../src/gateway/compile/model.ts'
import { differencesOfFiles, hunksOf, type FileDifference, type Hunk } from '../../../src/gateway/release/difference.ts'
import type { Content } from '../../../src/gateway/release/content.ts'
import type { Desk } from '../desk.ts'

/** What one answer shows: files of schemas have lines of any length. */
const mostLines = 2000
const longestLine = 1000

interface ShownFile extends FileDifference {
  readonly hunks: readonly Hunk[]
  readonly isCut: boolean
}

const shown = (lines: readonly string[]): string[] =>
  lines.map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line))

/** The files in which two releases differ, with the lines. @param engines of the texts, of which the second half is the newer release */
export function run(
  { before, after }: { readonly before: readonly DialectName[]; readonly after: readonly DialectName[] },
  { materials }: Desk,
): ShownFile[] {
  const contents = materials.map(({ text, bytesOf }) => JSON.parse(new TextDecoder().decode(bytesOf(text))) as Content)
  const filesOf = (list: readonly DialectName[], engine: DialectName, from: number): readonly ReleaseFile[] => {
    const at = list.indexOf(engine)
    return at < 0 ? [] : (contents[from + at]?.files ?? [])
  }
  let left = mostLines
  return [...new Set([...before, ...after])].flatMap((engine) => {
    const [old, now] = [filesOf(before, engine, 0), filesOf(after, engine, before.length)]
    return differencesOfFiles(engine, old, now).map((one): ShownFile => {
      const textOf = (files: readonly ReleaseFile[]) => files.find(({ path }) => path === one.path)?.text ?? ''
      const all = hunksOf(textOf(old), textOf(now))
      const hunks: Hunk[] = []
      for (const hunk of all) {
        const lines = hunk.added.length + hunk.removed.length
        if (lines > left) break
        left -= lines
        hunks.push({ ...hunk, removed: shown(hunk.removed), added: shown(hunk.added) })
      }
      return { ...one, hunks, isCut: hunks.length < all.length }
    })
  })
}
