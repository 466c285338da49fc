/** What a path of a binding selects among the files of a commit, and the digest of it. */
import { createHash } from 'node:crypto'
import { gitPath, isWithin } from '../../src/import/tree-path.ts'
import { SvcError } from '../../src/errors.ts'
import { globTest } from '../repositories/door.ts'

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/**
 * The digest of what is selected: of one file that of its bytes, of more that of a line "PATH NUL SHA256" for each, in the order of
 * their bytes.
 */
export function digestOfFiles(files: readonly { readonly path: string; readonly bytes: Uint8Array }[]): string {
  const [only] = files
  if (only !== undefined && files.length === 1) return `sha256:${sha256(only.bytes)}`
  const lines = files
    .map(({ path, bytes }) => ({ name: Buffer.from(path), line: `${path}\0${sha256(bytes)}\n` }))
    .toSorted((a, b) => Buffer.compare(a.name, b.name))
  return `sha256:${sha256(Buffer.from(lines.map(({ line }) => line).join('')))}`
}

/**
 * The path of a selection in one form.
 * @throws SvcError `file-pattern-invalid`
 */
export function readSelectionPath(path: string): string {
  const plain = gitPath(path)
  if (plain === null)
    throw new SvcError('file-pattern-invalid', {
      kind: 'path',
      pattern: path.slice(0, 200),
      reason: 'it is not relative to the top of the repository',
    })
  return plain
}

/** Whether a path of a selection is a pattern. */
export const hasWildcard = (path: string): boolean => /[*?{[]/.test(path)

/** The test whether a path of the repository belongs to a selection. @throws SvcError `file-pattern-invalid` */
export function selects(path: string): (candidate: string) => boolean {
  return hasWildcard(path) ? globTest(path) : (candidate) => isWithin(candidate, path)
}
