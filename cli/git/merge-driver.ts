/** The merge driver of git (gitattributes(5)): its answer is the file of ours, and exit code 0 or, with conflicts, 1. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { SvcError, type ExitCode } from '../../src/errors.ts'
import { plural } from '../../src/kernel/plural.ts'
import { conflictSentence } from '../../src/merge/conflict-sentence.ts'
import { mergeTexts } from '../../src/merge/merge-texts.ts'
import type { Invocation, Result } from '../declare.ts'
import { unwritableFile } from '../input/file-error.ts'
import { isOurs, readDescribed } from './described.ts'

type MergeInvocation = Invocation<{
  readonly base: string
  readonly mine: string
  readonly theirs: string
  readonly size: string
  readonly path: string
}>

const labels = { mine: 'ours', base: 'base', theirs: 'theirs' } as const
const mostShown = 20

/** What git itself makes of three files, by lines; `conflicts` is above 127 where it cannot. */
function mergeFiles(files: readonly [string, string, string], size: string, cwd: string) {
  const [base, mine, theirs] = files
  const names = [labels.mine, labels.base, labels.theirs].flatMap((it) => ['-L', it])
  const words = ['git', 'merge-file', '-p', `--marker-size=${size}`, ...names, '--', mine, base, theirs]
  const { exitCode, stdout, stderr } = Bun.spawnSync(words, { cwd, env: { ...process.env, LC_ALL: 'C' } })
  return { text: new Uint8Array(stdout), conflicts: exitCode, complaint: stderr.toString().trim() }
}

/** The same of texts; null where there are conflicts. */
function mergeLines(texts: readonly [string, string, string], size: string): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'svc-merge-'))
  try {
    const files = texts.map((text, at) => {
      const file = join(folder, String(at))
      writeFileSync(file, text)
      return file
    }) as [string, string, string]
    const { text, conflicts } = mergeFiles(files, size, folder)
    return conflicts === 0 ? new TextDecoder().decode(text) : null
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function write(path: string, content: string | Uint8Array, cwd: string): Promise<void> {
  try {
    await writeFile(resolve(cwd, path), content)
  } catch (error) {
    throw unwritableFile(path, error)
  }
}

/**
 * Merges a file by what it means, and one that is no description by lines, as git does.
 * @throws SvcError `merge-failed` where neither is possible, so that git leaves the file of ours and names a conflict
 */
export async function mergeDriver(invocation: MergeInvocation): Promise<Result> {
  const { args, cwd, io } = invocation
  const lined = mergeFiles([args.base, args.mine, args.theirs], args.size, cwd)
  if (lined.conflicts > 127) {
    const reason = lined.complaint.replace(/^(?:error|fatal): /, '') || `git merge-file ended with ${lined.conflicts}`
    throw new SvcError('merge-failed', { path: args.path, reason })
  }
  const [base, mine, theirs] = await Promise.all(
    [args.base, args.mine, args.theirs].map((it) => readDescribed(it, args.path, cwd)),
  )
  const isReadable = base != null && mine != null && theirs != null
  if (!isReadable || !(await isOurs(args.path, [base, mine, theirs], cwd))) {
    await write(args.mine, lined.text, cwd)
    return { exitCode: lined.conflicts === 0 ? 0 : 1 }
  }
  const size = Number(args.size)
  const style = { mine: labels.mine, theirs: labels.theirs, size: Number.isInteger(size) && size > 0 ? size : 7 }
  const byLines = (...texts: [string, string, string]): string | null => mergeLines(texts, args.size)
  const merged = mergeTexts(base, mine, theirs, byLines, style)
  await write(args.mine, merged.text, cwd)
  const { conflicts, lostComments } = merged
  for (const it of lostComments.slice(0, mostShown))
    io.log.warn(`${args.path}: the comment of ${labels[it.side]} in line ${it.line} is not in the result: ${it.text}`)
  if (lostComments.length > mostShown)
    io.log.warn(`${args.path}: and ${plural(lostComments.length - mostShown, 'more comment')}`)
  for (const it of conflicts.slice(0, mostShown)) io.log.error(`${args.path}: ${conflictSentence(it)}`)
  if (conflicts.length > mostShown)
    io.log.error(`${args.path}: and ${plural(conflicts.length - mostShown, 'more conflict')}`)
  const exitCode: ExitCode = conflicts.length === 0 ? 0 : 1
  return { exitCode }
}
