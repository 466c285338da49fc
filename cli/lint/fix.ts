import { resolve } from 'node:path'
import { rename, stat, writeFile } from 'node:fs/promises'
import { parseDocument } from '../../src/document/parse.ts'
import { SvcError } from '../../src/errors.ts'
import type { Finding } from '../../src/lint/finding.ts'
import { applyFixes } from '../../src/lint/fix/apply.ts'
import type { Ruleset } from '../../src/lint/rule.ts'
import { unifiedDiff } from '../../src/report/unified-diff.ts'
import { unwritableFile } from '../input/file-error.ts'
import type { Target } from './targets.ts'

/** What was fixed in a file. */
export interface Fixed {
  readonly target: Target
  readonly findings: readonly Finding[]
  /** As `diff -u` writes it. */
  readonly diff: string
}

// Written beside the file and then renamed, so that no reader sees half of it.
async function replaceFile(path: string, text: string): Promise<void> {
  const beside = `${path}.${process.pid}.tmp`
  await writeFile(beside, text, { mode: (await stat(path)).mode })
  await rename(beside, path)
}

/**
 * Fixes a file; null where nothing could be fixed.
 * @throws SvcError `usage` for what is not a file, `file-unwritable`
 */
export async function fixTarget(
  { document, documents }: Target,
  ruleset: Ruleset,
  { cwd, write }: { readonly cwd: string; readonly write: boolean },
): Promise<Fixed | null> {
  const { source, syntax } = document
  const path = resolve(cwd, source)
  const isFile = source !== '-' && (await stat(path).catch(() => null))?.isFile() === true
  if (!isFile) throw new SvcError('usage', { reason: `--fix needs a file, but "${source}" is not a file` })
  const { text, fixed } = applyFixes(document, ruleset, documents)
  if (text === document.text) return null
  if (write)
    await replaceFile(path, text).catch((error: unknown) => {
      throw unwritableFile(source, error)
    })
  const target = { document: parseDocument(text, { source, syntax }), documents }
  return { target, findings: fixed, diff: unifiedDiff(document.text, text, source) }
}
