import { resolve } from 'node:path'
import { realpath, stat } from 'node:fs/promises'
import { replaceFile } from '../../server/disk/door.ts'
import type { Document } from '../../src/document/document.ts'
import { SvcError } from '../../src/errors.ts'
import { limitsOf } from '../../src/language/fix-limits.ts'
import type { Finding } from '../../src/lint/finding.ts'
import { applyFixes } from '../../src/lint/fix/apply.ts'
import type { VisibleFix } from '../../src/lint/fix/fix.ts'
import type { Ruleset } from '../../src/lint/rule.ts'
import { unifiedDiff } from '../../src/report/unified-diff.ts'
import { unwritableFile } from '../input/file-error.ts'
import { writtenOverlay } from '../../src/overlay/written.ts'
import { extendsOf } from '../overlay/extends.ts'
import { syntaxOf } from '../convert/output.ts'
import { writeOptionFile } from '../output/reports.ts'
import type { Target } from './targets.ts'

/** What was fixed in a file. */
export interface Fixed {
  readonly target: Target
  readonly findings: readonly Finding[]
  /** As `diff -u` writes it; nothing where the file was written. */
  readonly diff: string
}

/** How files are fixed. */
export interface Fixing {
  readonly cwd: string
  readonly write: boolean
  /** The file that gets the fixes as an overlay, in the place of the document; null for none. */
  readonly overlay: string | null
  /** Whether findings that the document suppresses are left alone. */
  readonly suppresses: boolean
  /** The kinds of fixes of a file that clients can see and that are wanted. */
  readonly visibleIn: (source: string) => ReadonlySet<VisibleFix>
}

/**
 * Fixes a file, as far as clients see nothing of it or the user wants that; null where nothing could be fixed.
 * @throws SvcError `usage` for what is not a file, `file-unwritable`
 */
export async function fixTarget(
  { document, documents }: Target,
  ruleset: Ruleset,
  { cwd, write, overlay, visibleIn, suppresses }: Fixing,
): Promise<Fixed | null> {
  const { source } = document
  const path = await realpath(resolve(cwd, source)).catch(() => resolve(cwd, source))
  const isFile = source !== '-' && (await stat(path).catch(() => null))?.isFile() === true
  if (!isFile) throw new SvcError('usage', { reason: `--fix needs a file, but "${source}" is not a file` })
  // A syntax error is corrected by hand, first.
  if (document.problems.some(({ code }) => code === 'syntax' || code === 'number-not-finite')) return null
  const limits = await limitsOf(documents, visibleIn(source), suppresses)
  const { text, fixed, document: after } = applyFixes(document, ruleset, documents, limits)
  if (text === document.text) return null
  if (overlay !== null) await writeOverlay(document, after, overlay, cwd)
  else if (write)
    try {
      replaceFile(path, text)
    } catch (error) {
      throw unwritableFile(source, error)
    }
  const target = { document: after, documents }
  return { target, findings: fixed, diff: write ? '' : unifiedDiff(document.text, text, source) }
}

/** Writes the fixes of a document as an overlay: for documents that somebody else owns, or that are generated. */
async function writeOverlay(before: Document, after: Document, output: string, cwd: string): Promise<void> {
  const { source } = before
  const place = resolve(cwd, source).replaceAll('\\', '/')
  const info = {
    title: `Fixes of ${source}`,
    version: '1.0.0',
    extends: extendsOf({ name: source, place }, output, cwd),
  }
  const syntax = syntaxOf({ output, format: undefined }, 'yaml')
  await writeOptionFile(output, writtenOverlay(before.value, after.value, info, syntax).text, cwd)
}
